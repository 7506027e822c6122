// Measures the wallet frame in headless Chromium: the time until it is ready, until a confirmation shows, and from the last touch
// of a flow to its answer; the tasks that block a main thread of page or wallet; and the downloads of both. Uses a deployed wallet page and a bare host, on two local origins.
// `scripts/bench.sh frame` runs it with `node --import tsx`.
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { RELAYER } from '../../dev/services/services.ts';
import { addVirtualPasskey, launchChromium } from '../../tests/support/browser.ts';
import { startLocalStack } from '../../tests/support/local-stack.ts';
import { AGREE, agree, confirmDialog } from '../../tests/support/steps.ts';
import { accountOf, openWallet } from '../../tests/support/wallet.ts';
import { percentile, printTable } from './lib/load.mjs';
import { withLongTasks } from './lib/tasks.mjs';

const ROUNDS = 10;
/** Rounds of whole flows, which wait for blocks. */
const FLOW_ROUNDS = 5;
/** Rounds of the same flows that are traced, and not timed. */
const TASK_ROUNDS = 3;
const BLOCK_MS = 600;

const stack = await startLocalStack({ blockTimeMs: BLOCK_MS, framed: true, linkCodeHosts: ['localhost'] });
const browser = await launchChromium();
try {
  await stack.addPage(fileURLToPath(new URL('frame-page/', import.meta.url)), 'bench');
  const cold = [];
  const warm = [];
  const shown = [];
  const shownIdle = [];
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
    await connect(page);
    await page.waitForLoadState('networkidle');
    shownIdle.push(await askAndWait(page, accountOf(`bench-${round}`)));
    await context.close();
  }
  printTable(
    ['milliseconds', 'median', 'p90'],
    [
      ['ready, nothing cached', ...spread(cold)],
      ['ready, files cached', ...spread(warm)],
      ['confirmation visible after a request right after READY', ...spread(shown)],
      ['confirmation visible after a request on an idle page', ...spread(shownIdle)],
    ],
  );
  console.log();
  const flows = noTimes();
  for (let round = 0; round < FLOW_ROUNDS; round += 1) await runFlows(flows, `flow-${round}`);
  printTable(
    ['from the last touch to the answer, milliseconds', 'median', 'p90', 'median, in blocks'],
    Object.entries(flows).map(([name, times]) => {
      const [median, p90] = spread(times);
      return [name, median, p90, (median / BLOCK_MS).toFixed(1)];
    }),
  );
  console.log();
  const tasks = {};
  const traced = async (name, work) => {
    const found = await withLongTasks(browser, work);
    tasks[name] ??= [];
    tasks[name].push(...found.tasks);
    return found.result;
  };
  for (let round = 0; round < TASK_ROUNDS; round += 1) await runFlows(noTimes(), `task-${round}`, traced);
  printTable(
    ['tasks over 50 ms on a main thread', 'by the clock', 'by the processor', 'the longest of those, ms'],
    Object.entries(tasks).map(([name, found]) => {
      const own = found.map(({ processorMs }) => processorMs).filter((ms) => ms > 50);
      return [name, found.length, own.length, Math.max(0, ...own).toFixed(0)];
    }),
  );
  for (const [name, found] of Object.entries(tasks))
    for (const { clockMs, processorMs, longest } of found)
      console.log(
        `  ${name}: ${clockMs.toFixed(0)} ms (${processorMs.toFixed(0)} of the processor), ${longest}`,
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

function noTimes() {
  return { register: [], pay: [], 'link, the device that scans': [], 'link, the new device': [] };
}

/**
 * Registers, pays, logs out and in again, signs a message and links a second device; each flow by one press in the wallet on
 * each device. `around` runs each of them.
 */
async function runFlows(flows, name, around = (_, work) => work()) {
  const accountId = accountOf(`bench-${name}`);
  const [first, second] = [await openDevice(), await openDevice()];
  const press = async (flow, call, argument) => {
    const ms = await around(flow, () => timed(first, call, argument));
    flows[flow]?.push(ms);
  };
  await press('register', (id) => globalThis.bench.register(id), accountId);
  await press('pay', ([id, to]) => globalThis.bench.pay(id, to), [accountId, RELAYER]);
  await around('log out and in', () => first.evaluate((id) => globalThis.bench.logOutAndIn(id), accountId));
  await press('sign a message', (id) => globalThis.bench.signMessage(id), accountId);
  const code = await around('show the code', () => second.evaluate(() => globalThis.bench.showCode()));
  await around('link', async () => {
    flows['link, the device that scans'].push(
      await timed(first, (text) => globalThis.bench.link(text), code),
    );
    flows['link, the new device'].push(await timed(second, () => globalThis.bench.joinedAt()));
  });
  for (const page of [first, second]) await page.context().close();
}

async function openDevice() {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addInitScript(noteTouches);
  const url = `${stack.appUrl}/bench/index.html`;
  const { page } = await openWallet(context, url, 'always', stack.walletOrigin);
  await connect(page);
  await page.waitForLoadState('networkidle');
  return page;
}

/** The time from the press of the confirmation's button until the host has its answer. */
async function timed(page, call, argument) {
  const answer = page.evaluate(call, argument);
  answer.catch(() => undefined);
  await agree(confirmDialog(page), AGREE);
  const answeredAt = await answer;
  const touches = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => globalThis.touchedAt ?? 0)),
  );
  return answeredAt - Math.max(...touches);
}

/** Runs in every document: keeps when it was pressed last. */
function noteTouches() {
  addEventListener(
    'click',
    ({ timeStamp }) => {
      globalThis.touchedAt = performance.timeOrigin + timeStamp;
    },
    true,
  );
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

/** Runs in every document: records when the confirmation has been painted. */
function noteConfirmation() {
  const look = () => {
    const root = document.querySelector('latchkey-confirm')?.shadowRoot;
    if (!root) return;
    observer.observe(root, { childList: true, subtree: true });
    if (!root.querySelector('.popup')) return;
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
