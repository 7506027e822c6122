/**
 * A made project on a chain of its own: builds it, starts its relay, its wallet origin and its app by its own files, and drives
 * it in Chromium from a registration to a payment. Usage: node --import tsx run.ts <project> <template>
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../../../demo/stack/browser.js';
import { developmentKey } from '../../../demo/stack/keys.js';
import { localOracle } from '../../../demo/stack/oracle.js';
import { freePort } from '../../../demo/stack/ports.js';
import { type Service, startService } from '../../../demo/stack/service.js';
import { REGISTRY, RELAYER, startChain } from '../../../demo/stack/services.js';
import { approveUntil, startRegistration } from '../../../demo/stack/steps.js';
import { accountOf, openWallet, type Wallet } from '../../../demo/stack/wallet.js';
import { walletOriginAt } from '../../../demo/stack/wallet-origin.js';
import { run } from '../tools.mjs';

const USERNAME = 'first';
const RECEIVER = REGISTRY;

const [project = '', template = ''] = process.argv.slice(2);
const stops: (() => Promise<void>)[] = [];
const kept = (service: Service): Service => {
  stops.push(service.stop);
  return service;
};

try {
  const chain = kept(await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200 }));
  const [appPort, walletPort, relayPort] = [await freePort(), await freePort(), await freePort()];
  const addresses = {
    'http://localhost:5180': `http://localhost:${appPort}`,
    'http://wallet.localhost:5174': walletOriginAt(walletPort),
    'http://localhost:3000': `http://localhost:${relayPort}`,
    'http://127.0.0.1:3030': chain.url,
    'RELAYER_PRIVATE_KEY=': `RELAYER_PRIVATE_KEY=${developmentKey(RELAYER)}`,
  };
  for (const folder of [project, join(project, 'server')]) await fillIn(folder, addresses);

  run('npm', ['run', 'build'], project, { ...process.env, NEXT_TELEMETRY_DISABLED: '1' });
  await startScript('relay', { PORT: String(relayPort) }, /listening on (http:\/\/\S+)/);
  await startScript('wallet', { PORT: String(walletPort) }, /listening on port (\d+)/);
  await startApp(appPort);
  const transaction = await registerAndPay(`http://localhost:${appPort}/`, walletOriginAt(walletPort));
  const { receiverId, succeeded } = await localOracle(chain.url).transaction(
    transaction,
    accountOf(USERNAME),
  );
  if (!succeeded || receiverId !== RECEIVER) throw new Error(`${transaction} did not pay ${RECEIVER}`);
} finally {
  for (const stop of stops.reverse()) await stop();
}

/** Writes the folder's .env from its example, with the addresses of this run. */
async function fillIn(folder: string, values: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(join(folder, '.env.example'), 'utf8');
  for (const [value, ours] of Object.entries(values)) text = text.replaceAll(value, ours);
  await writeFile(join(folder, '.env'), text);
}

/** Starts what a script of the project's package.json does, without npm between, so that a stop reaches it. */
async function startScript(name: string, env: Record<string, string>, ready: RegExp): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const [program, ...args] = scripts[name].split(' ');
  if (program !== 'node') throw new Error(`The script ${name} starts ${program}`);
  kept(await startService({ name, command: process.execPath, args, cwd: project, env, ready }));
}

/** Serves the build by the template's own server. */
async function startApp(port: number): Promise<void> {
  const command =
    template === 'next'
      ? ['node_modules/next/dist/bin/next', 'start']
      : ['node_modules/vite/bin/vite.js', 'preview', '--strictPort'];
  const args = [...command, '--port', String(port)];
  const env = { NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' };
  const ready = /Local:\s+(http:\/\/\S+)/;
  kept(await startService({ name: 'app', command: process.execPath, args, cwd: project, env, ready }));
}

/** Registers, pays, and returns the id of the payment's transaction. */
async function registerAndPay(url: string, walletOrigin: string): Promise<string> {
  const browser = await launchChromium();
  stops.push(() => browser.close());
  const wallet = await openWallet(await browser.newContext(), url, 'always', walletOrigin);
  const { page } = wallet;
  await (template === 'plain' ? registerByForm(wallet) : startRegistration(wallet, USERNAME));
  await approveUntil(page, page.getByRole('heading', { name: `Hello, ${accountOf(USERNAME)}` }));
  await page.getByLabel('Receiver').fill(RECEIVER);
  await page.getByRole('button', { name: 'Send 0.001 NEAR' }).click();
  const sent = page.getByText(/^Sent in \w+$/);
  await approveUntil(page, sent);
  return (await sent.innerText()).replace('Sent in ', '');
}

async function registerByForm({ page }: Wallet): Promise<void> {
  await page.getByLabel('Name').fill(USERNAME);
  await page.getByRole('button', { name: 'Register' }).click();
}
