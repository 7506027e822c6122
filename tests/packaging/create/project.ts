/** A made project: its settings, the scripts of its package.json, and its user. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Service, startService } from '../../../dev/services/service.js';
import { REGISTRY } from '../../../dev/services/services.js';
import type { Oracle } from '../../support/oracle.js';
import { approveUntil, startRegistration } from '../../support/steps.js';
import { accountOf, openWallet, type Wallet } from '../../support/wallet.js';
import { good } from '../tools.mjs';

/** The app's port in the scripts of every template. */
const EXAMPLE_PORT = '5180';
const RECEIVER = REGISTRY;

/** What vite and next print of the address at which they serve the app. */
export const SERVES = /Local:\s+(http:\/\/\S+)/;
/** What servers of Latchkey and of the template `hono` print. */
export const LISTENS = /listening on (http:\/\/\S+)/;

/** Writes a file of variables from its example, with these values in place of the example's. */
export async function fillIn(
  example: string,
  file: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  let text = await readFile(example, 'utf8');
  for (const [name, value] of Object.entries(values))
    text = text.replace(new RegExp(`^${name}=.*`, 'm'), () => `${name}=${value}`);
  await writeFile(file, text);
}

interface Script {
  readonly project: string;
  readonly name: string;
  readonly appPort: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly ready: RegExp;
}

/** Starts what a script of the project's package.json does, with this port for the app, without npm between, so that a stop reaches it. */
export async function startScript({ project, name, appPort, env, ready }: Script): Promise<Service> {
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const [program = '', ...args] = (scripts[name] as string)
    .replaceAll(EXAMPLE_PORT, String(appPort))
    .split(' ');
  return startService({
    name,
    command: program === 'node' ? process.execPath : join(project, 'node_modules/.bin', program),
    args,
    cwd: project,
    env: { NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', ...env },
    ready,
    readyTimeoutMs: 120_000,
  });
}

/** Registers a user who has the template's name, sees a payment fail, and pays. */
export async function registerAndPay(
  browser: Browser,
  template: string,
  url: string,
  walletOrigin: string,
): Promise<Wallet & Payment> {
  // Next compiles a page at its first request, which takes longer than a browser's test waits on a busy machine.
  await (await fetch(url)).text();
  good(`  ${template}: the page answers`);
  const context = await browser.newContext();
  const asked = new Set<string>();
  context.on('request', (request) => asked.add(new URL(request.url()).hostname));
  const wallet = await openWallet(context, url, 'always', walletOrigin);
  const { page } = wallet;
  await (template === 'plain' ? registerByForm(wallet, template) : startRegistration(wallet, template));
  const accountId = accountOf(template);
  await approveUntil(page, page.getByRole('heading', { name: `Hello, ${accountId}` }));
  good(`  ${template}: the user has registered`);

  const send = async (receiverId: string) => {
    await page.getByLabel('Receiver').fill(receiverId);
    await page.getByRole('button', { name: 'Send 0.001 NEAR' }).click();
  };
  await send('No Account');
  await approveUntil(page, page.getByRole('alert').getByText(/account ID|No account can have this name/));
  await send(RECEIVER);
  const sent = page.getByText(/^Sent in \w+$/);
  await approveUntil(page, sent);
  const transaction = (await sent.innerText()).replace('Sent in ', '');
  good(`  ${template}: the user has seen a payment fail, and has paid`);
  requireQuiet(wallet);
  requireLocal(asked);
  return { ...wallet, transaction, accountId };
}

interface Payment {
  readonly transaction: string;
  readonly accountId: string;
}

/** Throws if the page, its workers or its wallet wrote an error to the console. */
export function requireQuiet({ consoleLines }: Wallet): void {
  const errors = consoleLines.filter((line) => line.startsWith('error:'));
  if (errors.length > 0) throw new Error(`The console says:\n${errors.join('\n')}`);
}

/** Throws if a page, a frame or a worker asked another machine: a project works unplugged. */
function requireLocal(hostnames: ReadonlySet<string>): void {
  const others = [...hostnames].filter((name) => !/^(127\.0\.0\.1|(.*\.)?localhost|)$/.test(name));
  if (others.length > 0) throw new Error(`The app asked ${others.join(', ')}`);
}

/** Throws unless the chain says that the payment arrived. */
export async function requirePaid(oracle: Oracle, { transaction, accountId }: Payment): Promise<void> {
  const { receiverId, succeeded } = await oracle.transaction(transaction, accountId);
  if (!succeeded || receiverId !== RECEIVER) throw new Error(`${transaction} did not pay ${RECEIVER}`);
}

async function registerByForm({ page }: Wallet, username: string): Promise<void> {
  await page.getByLabel('Name').fill(username);
  await page.getByRole('button', { name: 'Register' }).click();
}
