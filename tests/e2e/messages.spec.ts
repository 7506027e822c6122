// Off-chain messages (NEP-413): the result, its verifiers, and the text of every failure.
import type { FlowEvent, SignNep413Params, SignNep413Result } from 'latchkey';
import { verifyMessage } from 'near-api-js/nep413';
import { createRpcClient, verifySignedMessage } from '../../ts/src/verify/index.js';
import { type Facade, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

const MESSAGE = 'Log in to app.example\nümläut 🦊';
const RECIPIENT = 'app.example';

/** Parameters in the form that the page receives: the nonce as numbers. */
type Sendable = Omit<SignNep413Params, 'nonce'> & { readonly nonce?: number[] };

interface Signed {
  readonly result: SignNep413Result;
  readonly events: readonly FlowEvent<'action'>[];
  readonly errors: readonly string[];
  readonly ended: readonly boolean[];
}

function signMessage({ page }: Facade, nearAccountId: string, params: Sendable): Promise<Signed> {
  return page.evaluate(
    async ({ accountId, sent: { nonce, ...rest } }) => {
      const [events, errors, ended]: [FlowEvent<'action'>[], string[], boolean[]] = [[], [], []];
      const result = await facade.manager.signNEP413Message({
        nearAccountId: accountId,
        params: { ...rest, ...(nonce && { nonce: Uint8Array.from(nonce) }) },
        options: {
          onEvent: (event) => events.push(event),
          onError: ({ code }) => errors.push(code),
          afterCall: (success) => void ended.push(success),
        },
      });
      return { result, events, errors, ended };
    },
    { accountId: nearAccountId, sent: params },
  );
}

test('a message with state, nonce and callback URL is accepted by latchkey/verify and by near-api-js', async ({
  facade: wallet,
  stack,
}) => {
  const nonce = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
  const callbackUrl = 'https://app.example/back?x=1';
  const { result, events, ended } = await signMessage(wallet, wallet.accountId, {
    message: MESSAGE,
    recipient: RECIPIENT,
    nonce: [...nonce],
    state: 'opaque to the wallet',
    callbackUrl,
  });
  expect(result).toMatchObject({
    success: true,
    accountId: wallet.accountId,
    state: 'opaque to the wallet',
    nonce: Buffer.from(nonce).toString('base64'),
  });
  expect(events.at(-1)).toMatchObject({ phase: 'action-complete', step: 9, status: 'success' });
  expect(ended).toEqual([true]);

  const expected = {
    rpc: createRpcClient({ urls: stack.chain.url }),
    message: MESSAGE,
    recipient: RECIPIENT,
    nonce,
  };
  expect(await verifySignedMessage(result, { ...expected, callbackUrl })).toEqual({
    verified: true,
    accountId: wallet.accountId,
    publicKey: result.publicKey,
  });
  // The signature covers the callback URL, not the state.
  expect(await verifySignedMessage(result, expected)).toMatchObject({ reason: 'SIGNATURE_INVALID' });
  expect(
    await verifySignedMessage({ ...result, state: 'another' }, { ...expected, callbackUrl }),
  ).toMatchObject({
    verified: true,
  });
  await verifyMessage({
    signerAccountId: wallet.accountId,
    signerPublicKey: result.publicKey ?? '',
    signature: Buffer.from(result.signature ?? '', 'base64'),
    payload: { message: MESSAGE, recipient: RECIPIENT, nonce, callbackUrl },
    provider: stack.oracle.provider,
  });
});

test('a message without nonce gets a random one, which is returned', async ({ facade: wallet, stack }) => {
  const [first, second] = [
    await signMessage(wallet, wallet.accountId, { message: MESSAGE, recipient: RECIPIENT }),
    await signMessage(wallet, wallet.accountId, { message: MESSAGE, recipient: RECIPIENT }),
  ];
  expect(first.result.nonce).not.toBe(second.result.nonce);
  expect(first.result).not.toHaveProperty('state');
  const { accountId, publicKey, signature, nonce } = second.result;
  await stack.oracle.verifyMessage({
    accountId,
    publicKey: publicKey ?? '',
    signature: signature ?? '',
    nonce: nonce ?? '',
    message: MESSAGE,
    recipient: RECIPIENT,
  });
});

/** The failure that a host sees: its result, one action-error event, one onError, one afterCall. */
function expectFailure(signed: Signed, error: string, code: string): void {
  expect(signed.result).toMatchObject({
    success: false,
    error,
    errorCode: code,
    publicKey: null,
    signature: null,
    nonce: null,
    state: 'kept',
  });
  expect(signed.events.at(-1)).toMatchObject({ phase: 'action-error', status: 'error', error: { code } });
  expect(signed.events.filter(({ status }) => status === 'error')).toHaveLength(1);
  expect([signed.errors, signed.ended]).toEqual([[code], [false]]);
}

test('a message that cannot be signed fails with a clear text and the action-error event', async ({
  facade: wallet,
}) => {
  const { page, accountId } = wallet;
  const params = { message: MESSAGE, recipient: RECIPIENT, state: 'kept' };
  const prompts = wallet.prompts.length;
  expectFailure(
    await signMessage(wallet, accountId, { ...params, nonce: [1, 2, 3] }),
    'NEP-413 signing failed: the nonce must be 32 bytes',
    'SIGNING_FAILED',
  );
  expectFailure(
    await signMessage(wallet, accountId, { ...params, recipient: '' }),
    'NEP-413 signing failed: a recipient is needed',
    'SIGNING_FAILED',
  );
  expectFailure(
    await signMessage(wallet, 'somebody.w3a-v1.testnet', params),
    'NEP-413 signing failed: User not authenticated. Please login first.',
    'NOT_LOGGED_IN',
  );
  await page.evaluate(() => {
    facade.decision = 'cancel';
  });
  expectFailure(
    await signMessage(wallet, accountId, params),
    "Operation was cancelled. Please try again when you're ready.",
    'CANCELLED',
  );
  await page.evaluate(async (id) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('PasskeyClientDB');
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error));
    });
    const transaction = database.transaction('users', 'readwrite');
    transaction.objectStore('users').delete([id, 1]);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    database.close();
  }, accountId);
  expectFailure(
    await signMessage(wallet, accountId, params),
    `NEP-413 signing failed: User data not found for ${accountId}`,
    'NO_USER_DATA',
  );
  await page.evaluate(() => facade.manager.logoutAndClearVrfSession());
  expectFailure(
    await signMessage(wallet, accountId, params),
    'NEP-413 signing failed: User not authenticated. Please login first.',
    'NOT_LOGGED_IN',
  );
  expect(wallet.prompts.length).toBe(prompts);
});

/** Parts of the package that a session loads in advance, by file name. */
const LOADED_AHEAD = [
  'preview',
  'batch-journal',
  'transaction-sending',
  'sign-nep413',
  'activity',
  'app-keys',
  'export-key',
  'device1',
  'delete-key',
  'sign-delegate',
];

test('a session loads its signing code before the click, which then loads only workers', async ({
  facade: wallet,
}) => {
  const { page, accountId } = wallet;
  // They load after the session opens, when the page is idle.
  await page.waitForFunction((parts) => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return parts.every((part) => names.some((name) => name.includes(`/${part}-`)));
  }, LOADED_AHEAD);
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.push(new URL(request.url()).pathname);
  });
  const { result } = await signMessage(wallet, accountId, { message: MESSAGE, recipient: RECIPIENT });
  expect(result).toMatchObject({ success: true });
  const sent = await page.evaluate(
    (nearAccountId) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: nearAccountId,
        actionArgs: { type: 'Transfer', amount: '1' },
      }),
    accountId,
  );
  expect(sent).toMatchObject({ success: true });
  expect(loaded.filter((path) => !path.includes('worker'))).toEqual([]);
});
