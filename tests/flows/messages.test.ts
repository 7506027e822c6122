// Off-chain messages (NEP-413): the result, its verifiers, and the text of every failure.
// Specification: core 3, core 4, core 5, core 8
import type { FlowEvent, SignNep413Params, SignNep413Result } from 'latchkey';
import { verifyMessage } from 'near-api-js/nep413';
import { createRpcClient, verifySignedMessage } from '../../ts/src/verify/index.js';
import { openDatabase } from './storage.js';
import { expect, test, type Wallet } from './wallet.js';

const MESSAGE = 'Log in to app.example\nümläut 🦊';
const RECIPIENT = 'app.example';

interface Signed {
  readonly result: SignNep413Result;
  readonly events: readonly FlowEvent<'action'>[];
  readonly errors: readonly string[];
  readonly ended: readonly boolean[];
}

async function signMessage(
  { manager, accountId }: Wallet,
  params: SignNep413Params,
  nearAccountId = accountId,
): Promise<Signed> {
  const [events, errors, ended]: [FlowEvent<'action'>[], string[], boolean[]] = [[], [], []];
  const result = await manager.signNEP413Message({
    nearAccountId,
    params,
    options: {
      onEvent: (event) => events.push(event),
      onError: ({ code }) => errors.push(code),
      afterCall: (success) => void ended.push(success),
    },
  });
  return { result, events, errors, ended };
}

test('a message with state, nonce and callback URL is accepted by latchkey/verify and by near-api-js', async ({
  wallet,
  stack,
}) => {
  const { accountId } = wallet;
  const nonce = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
  const callbackUrl = 'https://app.example/back?x=1';
  const state = 'opaque to the wallet';
  const params = { message: MESSAGE, recipient: RECIPIENT, nonce, state, callbackUrl };
  const { result, events, ended } = await signMessage(wallet, params);
  expect(result).toMatchObject({
    success: true,
    accountId,
    state,
    nonce: Buffer.from(nonce).toString('base64'),
  });
  expect(events.at(-1)).toMatchObject({ phase: 'action-complete', step: 9, status: 'success' });
  expect(ended).toEqual([true]);

  const expected = {
    rpc: createRpcClient({ urls: wallet.chain.url }),
    message: MESSAGE,
    recipient: RECIPIENT,
    nonce,
  };
  expect(await verifySignedMessage(result, { ...expected, callbackUrl })).toEqual({
    verified: true,
    accountId,
    publicKey: result.publicKey,
  });
  // The signature covers the callback URL, not the state.
  expect(await verifySignedMessage(result, expected)).toMatchObject({ reason: 'SIGNATURE_INVALID' });
  expect(
    await verifySignedMessage({ ...result, state: 'another' }, { ...expected, callbackUrl }),
  ).toMatchObject({ verified: true });
  await verifyMessage({
    signerAccountId: accountId,
    signerPublicKey: result.publicKey ?? '',
    signature: Buffer.from(result.signature ?? '', 'base64'),
    payload: { message: MESSAGE, recipient: RECIPIENT, nonce, callbackUrl },
    provider: stack.oracle.provider,
  });
});

test('a message without nonce gets a random one, which is returned', async ({ wallet, stack }) => {
  const params = { message: MESSAGE, recipient: RECIPIENT };
  const [first, second] = [await signMessage(wallet, params), await signMessage(wallet, params)];
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
  wallet,
}) => {
  const { manager, accountId } = wallet;
  const params = { message: MESSAGE, recipient: RECIPIENT, state: 'kept' };
  const prompts = wallet.prompts.length;
  expectFailure(
    await signMessage(wallet, { ...params, nonce: Uint8Array.of(1, 2, 3) }),
    'NEP-413 signing failed: the nonce must be 32 bytes',
    'SIGNING_FAILED',
  );
  expectFailure(
    await signMessage(wallet, { ...params, recipient: '' }),
    'NEP-413 signing failed: a recipient is needed',
    'SIGNING_FAILED',
  );
  expectFailure(
    await signMessage(wallet, params, 'somebody.w3a-v1.testnet'),
    'NEP-413 signing failed: User not authenticated. Please login first.',
    'NOT_LOGGED_IN',
  );
  wallet.decision = 'cancel';
  expectFailure(
    await signMessage(wallet, params),
    "Operation was cancelled. Please try again when you're ready.",
    'CANCELLED',
  );
  const database = await openDatabase(wallet, 'PasskeyClientDB');
  await database.delete('users', [accountId, 1]);
  database.close();
  expectFailure(
    await signMessage(wallet, params),
    `NEP-413 signing failed: User data not found for ${accountId}`,
    'NO_USER_DATA',
  );
  await manager.logoutAndClearVrfSession();
  expectFailure(
    await signMessage(wallet, params),
    'NEP-413 signing failed: User not authenticated. Please login first.',
    'NOT_LOGGED_IN',
  );
  expect(wallet.prompts.length).toBe(prompts);
});
