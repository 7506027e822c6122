// The kit for an app's tests, latchkey-dev/test and latchkey-dev/playwright, as an integrator uses it: its stack, its `test`
// and its steps drive a template, and a dapp that signs by near-connect.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { createProject } from '../../create/create.js';
import { approveUntil, cancel, chooseNewAccount, expect, test as kit } from '../../dev/playwright/index.js';
import { freePort } from '../../dev/services/ports.js';
import { ROOT } from '../../dev/services/services.js';
import { type Stack, startStack } from '../../dev/test/index.js';
import { localOracle, type Oracle } from '../support/oracle.js';
import { addSandboxed, answerOf, ADDRESS as DAPP, setClick } from './connect-page/fixture.js';

/** In the repository, so that the template finds the packages. */
const BUILD = join(ROOT, 'build');
const RECEIVER = 'e'.repeat(64);
const MILLI_NEAR = 10n ** 21n;

interface Served {
  readonly stack: Stack;
  readonly oracle: Oracle;
  readonly templateUrl: string;
  readonly dappUrl: string;
}

const test = kit.extend<object, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      await mkdir(BUILD, { recursive: true });
      const folder = await mkdtemp(join(BUILD, 'test-kit-'));
      createProject(join(folder, 'template'), 'plain');
      const [templatePort, dappPort] = [await freePort(), await freePort()];
      const [templateUrl, dappUrl] = [
        `http://localhost:${templatePort}`,
        `http://shop.localhost:${dappPort}`,
      ];
      const stack = await startStack({ hosts: [templateUrl, dappUrl] });
      Object.assign(process.env, stack.env);
      const closeTemplate = await serve(join(folder, 'template'), join(folder, 'built'), templatePort);
      const closeDapp = await serve(DAPP, join(folder, 'dapp'), dappPort);
      const oracle = localOracle(stack.addresses.rpcUrls[0] ?? '');
      await use({ stack, oracle, templateUrl, dappUrl });
      await closeTemplate();
      await closeDapp();
      await stack.stop();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

async function serve(root: string, outDir: string, port: number): Promise<() => Promise<void>> {
  await build({ root, configFile: false, logLevel: 'error', build: { outDir, target: 'es2022' } });
  const server = await preview({
    configFile: false,
    build: { outDir },
    preview: { port, strictPort: true, host: 'localhost' },
  });
  return () => server.close();
}

// One worker for both: each would start a stack of its own.
test.describe.configure({ mode: 'default' });

const accountOf = (name: string, { addresses }: Stack): string => `${name}.${addresses.registry}`;

test('a user of a template registers, refuses a prompt, cancels, pays, and keeps one passkey in every window', async ({
  page,
  passkeys,
  served: { stack, oracle, templateUrl },
}) => {
  await page.goto(templateUrl);
  const accountId = accountOf('kit', stack);
  const failure = page.getByRole('alert');
  await page.getByLabel('Name').fill('kit');

  passkeys.refuseNext();
  await page.getByRole('button', { name: 'Register' }).click();
  const [registered] = await approveUntil(page, page.getByRole('heading', { name: `Hello, ${accountId}` }));
  expect(registered).toContain(accountId);
  // After the refusal in its frame, the wallet asks in a window of its own.
  expect(passkeys.ceremonies.map(({ kind, isFramed }) => [kind, isFramed])).toEqual([
    ['create', true],
    ['create', false],
  ]);
  expect(passkeys.list()).toMatchObject([{ rpId: 'wallet.localhost', userName: accountId }]);

  await page.getByLabel('Receiver').fill(RECEIVER);
  const send = page.getByRole('button', { name: 'Send 0.001 NEAR' });
  await send.click();
  await cancel(page);
  await expect(failure).toContainText(/cancel/i);
  await send.click();
  const [paid] = await approveUntil(page, page.getByText(/^Sent in \w+$/));
  expect(paid).toContain('0.001 NEAR');
  expect(paid).toContain(RECEIVER);
  expect(await oracle.balance(RECEIVER)).toBe(MILLI_NEAR);
});

test('a user of a near-connect dapp makes an account and pays in windows of the wallet', async ({
  page,
  passkeys,
  served: { stack, oracle, dappUrl },
}) => {
  await page.goto(dappUrl);
  const dapp = { page, origin: dappUrl };
  const accountId = accountOf('shopper', stack);
  const ask = async (name: string, params: unknown) => {
    await setClick(dapp, name, params);
    await page.getByRole('button', { name: 'Ask' }).click();
  };
  const done = page.getByText('Done', { exact: true });

  await ask('connect', { walletId: await addSandboxed(dapp) });
  await chooseNewAccount(page, 'shopper');
  await approveUntil(page, done);
  expect(await answerOf(dapp)).toMatchObject({ value: [{ accountId }] });

  const receiverId = 'd'.repeat(64);
  const actions = [{ type: 'Transfer', params: { deposit: String(MILLI_NEAR) } }];
  await ask('signAndSendTransaction', { receiverId, actions });
  expect((await approveUntil(page, done)).join()).toContain(receiverId);
  expect(await answerOf(dapp)).toMatchObject({ value: { transaction: { signer_id: accountId } } });
  expect(await oracle.balance(receiverId)).toBe(MILLI_NEAR);
  const seen = { origin: stack.addresses.walletOrigin, isFramed: false };
  expect(passkeys.ceremonies).toMatchObject(['create', 'get'].map((kind) => ({ kind, ...seen })));
});
