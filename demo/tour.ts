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

/** Runs one step and prints its cost on both devices together. */
async function show(step: Step, first: Device, second: Device): Promise<void> {
  const before = second.prompts.length;
  let proof = '';
  const { ms, prompts, rpc, relay } = await first.during(async () => {
    proof = await step.run();
  });
  line('✓', step.title, ms, proof);
  const asked = [...prompts, ...second.prompts.slice(before)].map(({ kind }) => kind);
  console.log(`  ${[list('prompt', asked), list('RPC call', rpc), list('relay call', relay)].join(' · ')}`);
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
  const first = await openDevice(stack, join(folder, 'first.y4m'), part.options);
  const second = await openDevice(stack, join(folder, 'second.y4m'), part.options);
  try {
    for (const step of part.steps({ first, second, stack, username })) {
      const started = Date.now();
      try {
        await show(step, first, second);
      } catch (error) {
        line('✗', step.title, Date.now() - started, said(error));
        await takeFailures(camera, { first, second });
        return false;
      }
    }
    return true;
  } finally {
    await first.browser.close();
    await second.browser.close();
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
