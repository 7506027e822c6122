// @hot-labs/near-connect from npm, unmodified, over the local chain: with the wallet in the connector's sandbox.
import { createRpcClient, resolveAuthorization, verifySignedMessage } from 'latchkey/verify';
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { decodeSignedDelegateAction, Near } from 'near-kit';
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import { addVirtualPasskey } from '../support/browser.js';
import { AGREE, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import {
  ADDRESS,
  addSandboxed,
  agreeIn,
  answerOf,
  chooser,
  clickAndOpen,
  closed,
  type Dapp,
  openDapp,
  press,
  signedIn,
  test,
} from './connect-page/fixture.js';
import { expect, test as withPlainBrowser } from './fixtures.js';

test.describe.configure({ timeout: 240_000 });

const nonce = { bytes: [...new Uint8Array(32).fill(9)] };
const newKey = (): string => KeyPair.fromRandom('ed25519').getPublicKey().toString();

/** Runs in the sandbox. */
async function whatIsHere() {
  const failing = async (run: () => unknown): Promise<string> => {
    try {
      await run();
      return 'works';
    } catch (error) {
      return (error as DOMException).name;
    }
  };
  return {
    origin: self.origin,
    storage: await failing(() => localStorage),
    databases: await failing(() => indexedDB.open('probe')),
    passkeys: await failing(() =>
      navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32) } }),
    ),
  };
}

/** What the connector's page keeps for the wallet. */
const keptBy = ({ page }: Dapp, walletId: string): Promise<unknown[]> =>
  page.evaluate(
    (id) =>
      Object.entries({ ...localStorage }).flatMap(([key, value]) =>
        key.startsWith(`${id}:`) ? [JSON.parse(value)] : [],
      ),
    walletId,
  );

/** Every access key of the account on the chain. */
async function keysOf(chainUrl: string, accountId: string) {
  const { keys } = await new JsonRpcProvider({ url: chainUrl }).viewAccessKeyList({ accountId });
  return new Map(keys.map((key) => [String(key.public_key), key.access_key.permission]));
}

test('two dapps sign in with one account by the manifest, and the second gets message and key for one prompt [S23]', async ({
  dapps,
  stack,
  username,
}) => {
  const accountId = accountOf(username);
  const shop = await signedIn(dapps, 'shop.localhost', username);
  expect(await keptBy(shop, shop.walletId)).toEqual([
    { accountId, publicKey: expect.stringMatching(/^ed25519:/) },
  ]);

  const game = await dapps.open('game.localhost');
  const publicKey = newKey();
  const window = await clickAndOpen(game, 'connect', {
    walletId: await addSandboxed(game),
    signMessageParams: { message: 'Hello', recipient: 'game.localhost', nonce },
    addFunctionCallKey: {
      contractId: 'game.testnet',
      publicKey,
      allowMethods: { anyMethod: false, methodNames: ['play'] },
    },
  });
  await expect(chooser(window)).toContainText(game.origin);
  await agreeIn(window, 'Connect an account', 'Connect');
  await expect(window.getByRole('dialog', { name: /both|Sign a message and/ })).toContainText(game.origin);
  await agreeIn(window, 'Sign a message and a transaction', 'Sign both');
  expect(await answerOf(game)).toMatchObject({ value: [{ accountId }] });
  expect((await keysOf(stack.chainUrl, accountId)).get(publicKey)).toMatchObject({
    FunctionCall: {
      receiver_id: 'game.testnet',
      method_names: ['play'],
      allowance: '250000000000000000000000',
    },
  });
  expect(dapps.ceremonies.map(({ kind, origin, isFramed }) => [kind, origin, isFramed])).toEqual([
    ['create', stack.walletOrigin, false],
    ['get', stack.walletOrigin, false],
  ]);
});

test('the connector sends what every action builder makes, signs a message and a delegate, refuses without a window what the wallet cannot sign, deletes the account and signs out', async ({
  dapps,
  context,
  stack,
  username,
}) => {
  const accountId = accountOf(username);
  const dapp = await signedIn(dapps, 'shop.localhost', username);

  const batch = await clickAndOpen(dapp, 'builders:signAndSendTransactions', {
    signer: accountId,
    registry: REGISTRY,
  });
  await agreeIn(batch, TRANSACTION, AGREE);
  const sent = await answerOf(dapp);
  expect(sent).toMatchObject({
    value: [REGISTRY, `child.${accountId}`, accountId].map((receiver_id) => ({
      transaction: { receiver_id },
    })),
  });
  expect(await stack.oracle.greeting()).toContain(`by ${accountId}`);
  expect(await stack.oracle.accountExists(`child.${accountId}`)).toBe(true);
  expect((await keysOf(stack.chainUrl, accountId)).size).toBe(1);

  const message = { message: 'I am here', recipient: 'shop.localhost', nonce };
  const signing = await clickAndOpen(dapp, 'signMessage', message);
  await expect(signing.getByRole('dialog', { name: 'Sign a message' })).toContainText('I am here');
  await agreeIn(signing, 'Sign a message', AGREE);
  const { value: signed } = (await answerOf(dapp)) as unknown as {
    value: { accountId: string; publicKey: string; signature: string };
  };
  expect(signed.accountId).toBe(accountId);
  const verdict = await verifySignedMessage(signed, {
    rpc: createRpcClient({ urls: [stack.chainUrl] }),
    message: message.message,
    recipient: message.recipient,
    nonce: Uint8Array.from(nonce.bytes),
  });
  expect(verdict).toMatchObject({ verified: true, accountId });

  const delegating = await clickAndOpen(dapp, 'signDelegateActions', {
    delegateActions: ['later', 'later still'].map((greeting) => ({
      receiverId: REGISTRY,
      actions: [
        {
          type: 'FunctionCall',
          params: { methodName: 'set_greeting', args: { greeting }, gas: '30000000000000', deposit: '0' },
        },
      ],
    })),
  });
  await agreeIn(delegating, TRANSACTION, AGREE);
  const { value: delegated } = (await answerOf(dapp)) as unknown as {
    value: { signedDelegateActions: [string, string] };
  };
  const carrier = new Near({
    network: { rpcUrl: new URL('/admin/rpc', stack.chainUrl).href, networkId: 'testnet' },
    privateKey: developmentKey('testnet'),
    defaultSignerId: 'testnet',
  });
  expect(delegated.signedDelegateActions).toHaveLength(2);
  for (const [index, greeting] of ['later', 'later still'].entries()) {
    const delegate = decodeSignedDelegateAction(delegated.signedDelegateActions[index] ?? '');
    await carrier.transaction('testnet').signedDelegateAction(delegate).send();
    await expect.poll(() => stack.oracle.greeting()).toBe(greeting);
  }

  const payload = JSON.stringify({ domain: 'shop.localhost', action: 'Approve the order', msg: '4f1c' });
  const authorizing = await clickAndOpen(dapp, 'resolveAuth', { payload });
  const dialog = authorizing.getByRole('dialog', { name: 'Sign a message' });
  await expect(dialog).toContainText('Approve the order');
  await expect(dialog).toContainText(`testnet: ${accountId} @ `);
  await agreeIn(authorizing, 'Sign a message', AGREE);
  const { value: authorized } = (await answerOf(dapp)) as { value: unknown };
  const expected = { rpc: createRpcClient({ urls: [stack.chainUrl] }), chainId: 'testnet', payload };
  expect(await resolveAuthorization(authorized, expected)).toMatchObject({ verified: true, accountId });
  await closed(authorizing);

  const windows = context.pages().length;
  const send = (action: object, more: object = {}) =>
    press(dapp, 'signAndSendTransaction', { receiverId: 'a.testnet', actions: [action], ...more });
  const transfer = { type: 'Transfer', params: { deposit: '1' } };
  expect(await send(transfer, { network: 'mainnet' })).toEqual({
    error: 'This is for the network mainnet, and the wallet is on testnet. Nothing was signed.',
  });
  expect(await send(transfer, { signerId: 'other.testnet' })).toMatchObject({
    error: expect.stringContaining('This is for other.testnet'),
  });
  expect(await send({ type: 'DelegateV2', params: {} })).toMatchObject({
    error: expect.stringContaining('DelegateV2'),
  });
  expect(await press(dapp, 'signDelegateActions', { delegateActions: [] })).toMatchObject({
    error: expect.stringContaining('no delegate action'),
  });
  expect(context.pages()).toHaveLength(windows);

  const beneficiaryId = `child.${accountId}`;
  const had = await stack.oracle.balance(beneficiaryId);
  const ending = await clickAndOpen(dapp, 'signAndSendTransaction', {
    receiverId: accountId,
    actions: [{ type: 'DeleteAccount', params: { beneficiaryId } }],
  });
  await expect(ending.getByRole('dialog', { name: TRANSACTION })).toContainText(beneficiaryId);
  await agreeIn(ending, TRANSACTION, AGREE);
  await expect.poll(() => stack.oracle.accountExists(accountId)).toBe(false);
  await expect.poll(() => stack.oracle.balance(beneficiaryId)).toBeGreaterThan(had);
  await answerOf(dapp);

  await press(dapp, 'signOut', {});
  expect(await keptBy(dapp, dapp.walletId)).toEqual([]);
  expect(await press(dapp, 'getAccounts', {})).toMatchObject({ error: 'No accounts found' });
});

test("near-kit's own adapter pays, calls, sends a batch, and signs a message and a delegate over the connector", async ({
  dapps,
  stack,
  username,
}) => {
  const accountId = accountOf(username);
  const dapp = await signedIn(dapps, 'kit.localhost', username);
  const to = 'd'.repeat(64);
  const confirmed = async (call: string, given: object, title: string | RegExp = TRANSACTION) => {
    await agreeIn(await clickAndOpen(dapp, `nearKit:${call}`, given), title, AGREE);
    return answerOf(dapp);
  };
  expect(await confirmed('send', { to })).toMatchObject({ value: { transaction: { receiver_id: to } } });
  await expect.poll(() => stack.oracle.balance(to)).toBe(7n);
  expect(await confirmed('call', { to: REGISTRY })).toMatchObject({
    value: { transaction: { signer_id: accountId } },
  });
  await expect.poll(() => stack.oracle.greeting()).toBe('by near-kit');
  await confirmed('batch', { to: REGISTRY });
  await expect.poll(() => stack.oracle.greeting()).toBe('by a batch');
  expect(await confirmed('signMessage', {}, 'Sign a message')).toMatchObject({ value: { accountId } });
  expect(await confirmed('delegate', { to: REGISTRY })).toEqual({
    value: expect.stringMatching(/^[\w+/]+=*$/),
  });

  // Its adapter loses the key and the permission; latchkey/near-kit keeps both.
  expect(await press(dapp, 'nearKit:addKey', { publicKey: newKey() })).toEqual({
    error: expect.stringContaining('an AddKey with an unknown permission'),
  });
  const declined = await clickAndOpen(dapp, 'nearKit:send', { to });
  await declined.getByRole('dialog', { name: TRANSACTION }).getByRole('button', { name: 'Cancel' }).click();
  expect(await answerOf(dapp)).toEqual({ error: 'User rejected' });
  await press(dapp, 'signOut', {});
  expect(await press(dapp, 'nearKit:send', { to })).toEqual({ error: 'No accounts found' });
});

withPlainBrowser(
  "the executor's sandbox has an opaque origin, no storage and no passkeys; a blocked window opens by a click in its dialog, and a closed one is a rejection [S23]",
  async ({ context, stack }) => {
    await stack.addPage(ADDRESS, 'dapp');
    const dapp = await openDapp(context, stack, 'shop.localhost');
    await addVirtualPasskey(dapp.page);
    const walletId = await addSandboxed(dapp);
    const window = await clickAndOpen(dapp, 'connect', { walletId });
    await expect(chooser(window)).toContainText(dapp.origin);
    const sandbox = dapp.page.frames().find((frame) => frame !== dapp.page.mainFrame());
    expect(await sandbox?.evaluate(whatIsHere)).toEqual({
      origin: 'null',
      storage: 'SecurityError',
      databases: 'SecurityError',
      passkeys: 'NotAllowedError',
    });
    await window.close();
    expect(await answerOf(dapp)).toEqual({ error: 'User rejected' });
    expect(await keptBy(dapp, walletId)).toEqual([]);

    await dapp.page.evaluate(() => {
      const open = globalThis.open.bind(globalThis);
      let isBlocked = true;
      globalThis.open = (...args) => {
        if (!isBlocked) return open(...args);
        isBlocked = false;
        return null;
      };
    });
    const signingIn = press(dapp, 'connect', { walletId });
    const coming = context.waitForEvent('page');
    // The sandbox of the first try is still there.
    const asking = dapp.page.locator('iframe[sandbox]').last().contentFrame();
    await asking.getByRole('button', { name: 'Open the wallet' }).click();
    await chooser(await coming)
      .getByRole('button', { name: 'Cancel' })
      .click();
    expect(await signingIn).toEqual({ error: 'User rejected' });
  },
);
