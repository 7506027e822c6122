/** A made project: its settings, the scripts of its package.json, and its user. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Service, startService } from '../../../dev/services/service.js';
import { REGISTRY } from '../../../dev/services/services.js';
import type { Oracle } from '../../support/oracle.js';
import { approveUntil, startRegistration } from '../../support/steps.js';
import { accountOf, openWallet, type Wallet } from '../../support/wallet.js';

/** The addresses in the examples of settings and in the scripts. */
export const EXAMPLE = {
  app: 'http://localhost:5180',
  wallet: 'http://wallet.localhost:5174',
  relay: 'http://localhost:3000',
  chain: 'http://127.0.0.1:3030',
} as const;
const EXAMPLE_PORT = new URL(EXAMPLE.app).port;
const RECEIVER = REGISTRY;

/** What vite and next print of the address at which they serve the app. */
export const SERVES = /Local:\s+(http:\/\/\S+)/;

/** Writes the folder's .env from its example, with these values in place of the example's. */
export async function fillIn(folder: string, values: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(join(folder, '.env.example'), 'utf8');
  for (const [value, ours] of Object.entries(values)) text = text.replaceAll(value, ours);
  await writeFile(join(folder, '.env'), text);
}

/** Starts what a script of the project's package.json does, at this port, without npm between, so that a stop reaches it. */
export async function startScript(
  project: string,
  name: string,
  port: number,
  ready: RegExp,
): Promise<Service> {
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const [program, ...args] = (scripts[name] as string).replace(EXAMPLE_PORT, String(port)).split(' ');
  const command =
    program === 'node' ? process.execPath : join(project, 'node_modules/.bin', program as string);
  const env = { PORT: String(port), NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' };
  return startService({ name, command, args, cwd: project, env, ready });
}

/** Registers a user who has the template's name, and pays. Returns the payment's transaction. */
export async function registerAndPay(
  browser: Browser,
  template: string,
  url: string,
  walletOrigin: string,
): Promise<Payment> {
  const context = await browser.newContext();
  const wallet = await openWallet(context, url, 'always', walletOrigin);
  const { page } = wallet;
  await (template === 'plain' ? registerByForm(wallet, template) : startRegistration(wallet, template));
  const accountId = accountOf(template);
  await approveUntil(page, page.getByRole('heading', { name: `Hello, ${accountId}` }));
  await page.getByLabel('Receiver').fill(RECEIVER);
  await page.getByRole('button', { name: 'Send 0.001 NEAR' }).click();
  const sent = page.getByText(/^Sent in \w+$/);
  await approveUntil(page, sent);
  const transaction = (await sent.innerText()).replace('Sent in ', '');
  await context.close();
  return { transaction, accountId };
}

interface Payment {
  readonly transaction: string;
  readonly accountId: string;
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
