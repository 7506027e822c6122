// near-connect-hooks from npm, unmodified, with the release of the connector that it asks for, over the local chain.
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { createRpcClient, verifySignedMessage } from 'latchkey/verify';
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { installPasskeys } from '../../dev/playwright/passkeys.js';
import { REGISTRY } from '../../dev/services/services.js';
import { AGREE, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { agreeIn, chooser, makeAccount } from './connect-page/fixture.js';
import { test as base, expect } from './fixtures.js';

/** The node that the package has in its code. */
const ITS_NODE = 'https://test.rpc.fastnear.com/**';
const PAGE = fileURLToPath(new URL('./hooks-page', import.meta.url));

const test = base.extend<{ dapp: Page }>({
  dapp: async ({ context, stack }, use) => {
    await installPasskeys(context);
    const url = new URL(await stack.addPage(PAGE, 'hooks'));
    url.hostname = 'shop.localhost';
    const page = await context.newPage();
    await page.route(ITS_NODE, async (route) => {
      const answer = await fetch(stack.chainUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: route.request().postData(),
      });
      await route.fulfill({ status: answer.status, json: await answer.json() });
    });
    await page.goto(url.href);
    await use(page);
  },
});
test.describe.configure({ timeout: 240_000 });

/** Clicks a button of the dapp, which opens a window of the wallet. */
async function opened(page: Page, button: string): Promise<Page> {
  const coming = page.context().waitForEvent('page');
  await page.getByRole('button', { name: button, exact: true }).click();
  return coming;
}

/** What the dapp got for its last click. */
async function answerOf(page: Page): Promise<{ value?: never; error?: string }> {
  const output = page.locator('output');
  await expect(output).not.toBeEmpty();
  return JSON.parse(await output.innerText());
}

/** Chooses the wallet in the connector's list, and makes an account in its window. */
async function connect(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect Wallet' }).click();
  const coming = page.context().waitForEvent('page');
  await page.locator('.connect-item', { hasText: 'Latchkey' }).click();
  const window = await coming;
  await expect(chooser(window)).toContainText(new URL(page.url()).origin);
  await makeAccount(window, username);
  await expect(page.getByText(`Connected as: ${accountOf(username)}`)).toBeVisible();
}

/** Clicks a button of the dapp and confirms in the wallet's window. */
async function confirmed(page: Page, button: string, title: RegExp | string = TRANSACTION) {
  await agreeIn(await opened(page, button), title, AGREE);
  return answerOf(page);
}

test('near-connect-hooks signs in, pays, calls, sends a batch, adds and deletes a key, signs a message, hears of a user who declines, and signs out', async ({
  dapp,
  stack,
  username,
}) => {
  const accountId = accountOf(username);
  await connect(dapp, username);
  const receiverId = 'f'.repeat(64);
  const publicKey = KeyPair.fromRandom('ed25519').getPublicKey().toString();
  await dapp.getByLabel('Input').fill(JSON.stringify({ contractId: REGISTRY, publicKey, receiverId }));

  expect(await confirmed(dapp, 'transfer')).toMatchObject({
    value: { transaction: { receiver_id: receiverId } },
  });
  await expect.poll(() => stack.oracle.balance(receiverId)).toBe(7n);

  expect(await confirmed(dapp, 'callFunction')).toMatchObject({
    value: { transaction: { signer_id: accountId } },
  });
  await expect.poll(() => stack.oracle.greeting()).toBe('by hooks');
  await dapp.getByRole('button', { name: 'viewFunction' }).click();
  expect(await answerOf(dapp)).toEqual({ value: 'by hooks' });

  expect(await confirmed(dapp, 'batch')).toMatchObject({ value: [{}, {}] });
  await expect.poll(() => stack.oracle.balance(receiverId)).toBe(9n);

  const keys = async () => {
    const { keys } = await new JsonRpcProvider({ url: stack.chainUrl }).viewAccessKeyList({ accountId });
    return keys.map(({ public_key, access_key }) => [String(public_key), access_key.permission]);
  };
  await confirmed(dapp, 'addFunctionCallKey');
  const permission = {
    FunctionCall: { receiver_id: REGISTRY, method_names: ['set_greeting'], allowance: '5000000' },
  };
  await expect.poll(keys).toContainEqual([publicKey, permission]);
  await confirmed(dapp, 'deleteKey');
  await expect.poll(keys).toHaveLength(1);

  const signed = (await confirmed(dapp, 'signNEP413Message', 'Sign a message')).value as never;
  const verdict = await verifySignedMessage(signed, {
    rpc: createRpcClient({ urls: [stack.chainUrl] }),
    message: 'Hello',
    recipient: 'shop.example',
    nonce: new Uint8Array(32).fill(7),
  });
  expect(verdict).toMatchObject({ verified: true, accountId });

  const rejected = { error: 'User rejected' };
  const asked = await opened(dapp, 'transfer');
  await asked.getByRole('dialog', { name: TRANSACTION }).getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(dapp)).toEqual(rejected);
  const closing = await opened(dapp, 'signNEP413Message');
  await closing.getByRole('dialog', { name: 'Sign a message' }).waitFor();
  await closing.close();
  expect(await answerOf(dapp)).toEqual(rejected);

  await dapp.reload();
  await expect(dapp.getByText(`Connected as: ${accountId}`)).toBeVisible();
  await dapp.getByRole('button', { name: 'Disconnect' }).click();
  await expect(dapp.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  await dapp.reload();
  await expect(dapp.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
});
