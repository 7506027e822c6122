// Drives the whole stack in headless Chromium with virtual passkeys and prints the cost of each step.
// Usage: node --import tsx demo/tour.ts [--same-origin] [--block-time MS]. The exit code reports whether every step passed;
// a failed step leaves a picture of each device in screenshots/.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SoftwarePasskeys } from '../dev/authenticators/software-passkeys.js';
import { type Device, type DeviceOptions, openDevice } from '../tests/support/device.js';
import type { LocalStack } from '../tests/support/local-stack.js';
import { line, said } from '../tests/support/report.js';
import { namelessMenuOf } from '../tests/support/steps.js';
import { type Camera, createCamera } from './tour/camera.js';
import { namelessSteps } from './tour/nameless-steps.js';
import { emptyScreenshots, takeFailures, withStack } from './tour/run.js';
import { type Step, steps, type Travellers } from './tour/steps.js';

/** As on the public chains. */
const BLOCK_TIME_MS = '600';

/** `2 prompts (create, get)`. */
function list(noun: string, names: string[]): string {
  const count = `${names.length} ${noun}${names.length === 1 ? '' : 's'}`;
  return names.length === 0
    ? count
    : `${count} (${names.map((name) => name.replace(/^query:/, '')).join(', ')})`;
}

/** Runs one step and prints its cost on all devices together, also on one that the step opens. */
async function show(step: Step, devices: readonly Device[]): Promise<void> {
  const before = new Map(devices.map((device) => [device, device.prompts.length]));
  let proof = '';
  const { ms, rpc, relay } = await (devices[0] as Device).during(async () => {
    proof = await step.run();
  });
  line('✓', step.title, ms, proof);
  const asked = devices.flatMap((device) => device.prompts.slice(before.get(device) ?? 0));
  const kinds = asked.map(({ kind }) => kind);
  console.log(`  ${[list('prompt', kinds), list('RPC call', rpc), list('relay call', relay)].join(' · ')}`);
}

/** Two devices and what they do. */
interface Part {
  readonly options?: DeviceOptions;
  readonly steps: (travellers: Travellers) => Step[];
}

const partsOf = ({ appUrl }: LocalStack): readonly Part[] => [
  { steps },
  { options: { url: namelessMenuOf(appUrl), synced: new SoftwarePasskeys() }, steps: namelessSteps },
];

async function tour(stack: LocalStack, camera: Camera, folder: string): Promise<boolean> {
  for (const part of partsOf(stack)) if (!(await travel(part, stack, camera, folder))) return false;
  return true;
}

async function travel(part: Part, stack: LocalStack, camera: Camera, folder: string): Promise<boolean> {
  const username = `tour-${Date.now().toString(36)}`;
  const devices: Device[] = [];
  const open = async (name: string, options?: DeviceOptions): Promise<Device> => {
    const device = await openDevice(stack, join(folder, `${name}.y4m`), options);
    devices.push(device);
    return device;
  };
  try {
    const first = await open('first', part.options);
    const second = await open('second', part.options);
    const third = () => open('third');
    for (const step of part.steps({ first, second, third, stack, username })) {
      const started = Date.now();
      try {
        await show(step, devices);
      } catch (error) {
        line('✗', step.title, Date.now() - started, said(error));
        await takeFailures(camera, { first, second });
        return false;
      }
    }
    return true;
  } finally {
    for (const { browser } of devices) await browser.close();
  }
}

const { values } = parseArgs({
  options: {
    'same-origin': { type: 'boolean', default: false },
    'block-time': { type: 'string', default: BLOCK_TIME_MS },
  },
});
const camera = createCamera(await emptyScreenshots());
const isGood = await withStack(
  { framed: !values['same-origin'], blockTimeMs: Number(values['block-time']) },
  (stack, folder) => tour(stack, camera, folder),
);
console.log(`\n${isGood ? 'Every step held.' : 'A step failed. Pictures of it are in screenshots/.'}`);
process.exitCode = isGood ? 0 : 1;
