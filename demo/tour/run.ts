// Shared by the tour and the pictures: a stack that ends with them, and their output.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../../dev/services/services.js';
import { type LocalStack, type LocalStackOptions, startLocalStack } from '../../tests/support/local-stack.js';
import { said } from '../../tests/support/report.js';
import type { Wallet } from '../../tests/support/wallet.js';
import type { Camera } from './camera.js';

/** The longest time to the next frame of a painting page on a busy machine. */
const FRAME_LIMIT_MS = 10_000;

/** Empties the folder for pictures and returns it. */
export async function emptyScreenshots(): Promise<string> {
  const folder = join(ROOT, 'screenshots');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Runs work with a stack and a folder that end with it. A signal ends them, and this process. */
export async function withStack<T>(
  options: LocalStackOptions,
  work: (stack: LocalStack, folder: string) => Promise<T>,
): Promise<T> {
  let stack: LocalStack | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, async () => {
      await stack?.stop();
      process.exit(1);
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-tour-'));
  const started = Date.now();
  stack = await startLocalStack(options);
  const services = options.framed ? 'Chain, relay, wallet and app' : 'Chain, relay and app';
  console.log(`${services} were up after ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
  try {
    return await work(stack, folder);
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the page paints, and whether the browser counts it as visible: a page that does not paint takes no press. */
const drawing = (page: Page): Promise<string> =>
  page
    .evaluate(
      (limitMs) =>
        new Promise<string>((resolve) => {
          // Contains no named function: tsx would wrap it in a helper that the page lacks.
          requestAnimationFrame(() =>
            resolve(`draws frames (${document.visibilityState}, ${document.readyState})`),
          );
          setTimeout(resolve, limitMs, `drew no frame in ${limitMs} ms`);
        }),
      FRAME_LIMIT_MS,
    )
    .catch(said);

/** After a failure, takes a picture of each device, and reports whether each page still paints. */
export async function takeFailures(camera: Camera, wallets: Record<string, Wallet>): Promise<void> {
  for (const [name, { page }] of Object.entries(wallets)) {
    console.log(`  ${name}: ${await drawing(page)}`);
    await camera
      .takeFailure(page, `failed-${name}`)
      .catch((error: unknown) => console.log(`  No picture of ${name}: ${said(error)}`));
  }
}
