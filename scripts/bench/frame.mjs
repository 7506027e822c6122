// Measures the wallet frame in headless Chromium: the time until it is ready, the time until a confirmation shows, and the
// downloads of host and wallet. Uses a deployed wallet page and a bare host, on two local origins.
// `scripts/bench.sh frame` runs it with `node --import tsx`.
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { addVirtualPasskey, launchChromium } from '../../demo/stack/browser.ts';
import { startLocalStack } from '../../demo/stack/local-stack.ts';
import { accountOf } from '../../demo/stack/wallet.ts';
import { percentile, printTable } from './lib/load.mjs';

const ROUNDS = 10;

const stack = await startLocalStack({ blockTimeMs: 600, framed: true });
const browser = await launchChromium();
try {
  await stack.addPage(fileURLToPath(new URL('frame-page/', import.meta.url)), 'bench');
  const cold = [];
  const warm = [];
  const shown = [];
  let downloads;
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await context.addInitScript(noteConfirmation);
    const page = await context.newPage();
    await addVirtualPasskey(page);
    const loaded = recordDownloads(page);
    cold.push(await connect(page));
    downloads ??= await loaded();
    warm.push(await connect(page));
    shown.push(await askAndWait(page, accountOf(`bench-${round}`)));
    await context.close();
  }
  printTable(
    ['milliseconds', 'median', 'p90'],
    [
      ['ready, nothing cached', ...spread(cold)],
      ['ready, files cached', ...spread(warm)],
      ['confirmation visible after a request', ...spread(shown)],
    ],
  );
  console.log();
  printTable(
    ['loaded until ready', 'files', 'KB raw', 'KB brotli'],
    Object.entries(downloads).map(([who, { files, raw, brotli }]) => [who, files, kilo(raw), kilo(brotli)]),
  );
} finally {
  await browser.close();
  await stack.stop();
}

async function connect(page) {
  await page.goto(`${stack.appUrl}/bench/index.html`);
  return page.evaluate(() => globalThis.bench.connect());
}

/** The time from the host's call until the wallet page paints its confirmation; both use this machine's clock. */
async function askAndWait(page, accountId) {
  const asked = await page.evaluate((id) => globalThis.bench.ask(id), accountId);
  const frame = page.frames().find((one) => one.url().startsWith(`${stack.walletOrigin}/`));
  const at = await frame.waitForFunction(() => globalThis.confirmationAt);
  return (await at.jsonValue()) - asked;
}

/** Runs in every document: records when the confirmation's element has been painted. */
function noteConfirmation() {
  const look = () => {
    if (!document.querySelector('latchkey-confirm')?.isConnected) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      globalThis.confirmationAt ??= performance.timeOrigin + performance.now();
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

/** Sums each origin's responses from now on (scripts, styles, WASM, documents), raw and compressed here with brotli. */
function recordDownloads(page) {
  const responses = [];
  page.on('response', (response) => void responses.push(response));
  return async () => {
    const sums = { host: none(), wallet: none() };
    for (const response of responses) {
      const { origin } = new URL(response.url());
      const whose =
        origin === new URL(stack.appUrl).origin ? 'host' : origin === stack.walletOrigin && 'wallet';
      if (!whose || !response.ok()) continue;
      const body = await response.body();
      sums[whose].files += 1;
      sums[whose].raw += body.length;
      sums[whose].brotli += brotliCompressSync(body).length;
    }
    return sums;
  };
}

function none() {
  return { files: 0, raw: 0, brotli: 0 };
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return [percentile(sorted, 0.5), percentile(sorted, 0.9)].map((ms) => ms.toFixed(0));
}

function kilo(bytes) {
  return (bytes / 1000).toFixed(1);
}
