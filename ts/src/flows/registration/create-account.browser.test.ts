/** Accounts without a name: made and recovered with the workers as shipped and the browser's authenticator. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Confirmer, ConfirmModel } from '../../confirm/port.js';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import { WalletStore } from '../../storage/store.js';
import { deleteDatabases } from '../../storage/testing/databases.js';
import type { CreateAccountArgs } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { discoverRecoverableAccounts, recoverAccountFlow } from '../recovery/recover.js';
import { checkPasskey } from '../session/check-passkey.js';
import { loginPasskey } from '../session/login.js';
import { getLoginState, logout } from '../session/session.js';
import { type Recoverable, recoverable } from '../testing/recoverable.js';
import { createAccount } from './create-account.js';

const ALICE = 'alice.w3a-v1.testnet';

let authenticator: VirtualAuthenticator;
let wallet: Recoverable;
beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = recoverable();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await deleteDatabases();
  await authenticator.remove();
});

const shown: ConfirmModel[] = [];
const clicking: Confirmer = {
  show: async (model) => {
    shown.push(model);
    return 'confirm';
  },
};
const create = (args: CreateAccountArgs = {}) =>
  createAccount({ ...wallet.context, confirmer: () => clicking }, args);
const get = () => vi.spyOn(CredentialsContainer.prototype, 'get');
const put = () => vi.spyOn(CredentialsContainer.prototype, 'create');
const offline = () => new LatchkeyError(NEAR_RPC_FAILED, { values: { reason: 'no network' } });

/** Another browser, with the same passkeys and nothing else. */
async function inAnotherBrowser(): Promise<void> {
  const { chain } = wallet;
  await wallet.close();
  await deleteDatabases();
  wallet = recoverable(new WalletStore());
  for (const [key, permission] of chain.keys) wallet.chain.keys.set(key, permission);
  for (const [id, records] of chain.authenticators) wallet.chain.authenticators.set(id, records);
}

async function made() {
  const { nearAccountId, publicKey, success, error } = await create();
  if (!success || !nearAccountId || !publicKey) throw new Error(error);
  return { accountId: nearAccountId, publicKey };
}

/** From now on the authenticator gives this in the place of one of its outputs. */
function giveOther(name: 'first' | 'second'): void {
  const { getClientExtensionResults } = PublicKeyCredential.prototype;
  vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockImplementation(function (
    this: PublicKeyCredential,
  ) {
    const told = getClientExtensionResults.call(this);
    return { prf: { results: { ...told.prf?.results, [name]: new Uint8Array(32).fill(9) } } } as never;
  });
}

describe('an account without a name', () => {
  it('is made without a node and without a relay, and is logged in', async () => {
    wallet.chain.failure = offline();
    const fetched = vi.spyOn(globalThis, 'fetch');
    const [asked, created] = [get(), put()];
    const phases: string[] = [];
    const result = await create({
      label: 'Savings',
      options: { onEvent: ({ phase, status }) => phases.push(`${phase} ${status}`) },
    });
    expect(result).toMatchObject({
      success: true,
      nearAccountId: expect.stringMatching(/^[\da-f]{64}$/),
      publicKey: expect.stringMatching(/^ed25519:/),
      loginState: { isLoggedIn: true, vrfActive: true, nearAccountId: result.nearAccountId },
    });
    expect(wallet.chain.calls).toEqual([]);
    expect(fetched.mock.calls.filter(([url]) => !String(url).endsWith('.wasm'))).toEqual([]);
    expect(created).toHaveBeenCalledTimes(1);
    const user = created.mock.calls[0]?.[0]?.publicKey?.user;
    expect(user).toMatchObject({ name: 'Savings', displayName: 'Savings' });
    expect(user?.id.byteLength).toBe(17);
    expect(shown.at(-1)).toMatchObject({ kind: 'registration', label: 'Savings', accountId: '', digest: '' });
    expect(phases.at(-1)).toBe('registration-complete success');
    expect(asked.mock.calls.length).toBe(result.passkeyProven ? 1 : 0);
  });

  it('is another one at each call', async () => {
    expect((await made()).accountId).not.toBe((await made()).accountId);
  });

  it('is proven by one more touch, without a node', async () => {
    wallet.chain.failure = offline();
    const { accountId } = await made();
    await wallet.context.store.updateUser(accountId, 1, { passkeyProven: false });
    const asked = get();
    expect(await checkPasskey(wallet.context, accountId, {})).toMatchObject({
      success: true,
      passkeyProven: true,
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.chain.calls).toEqual([]);
    expect((await getLoginState(wallet.context, accountId)).userData?.passkeyProven).toBe(true);
  });

  it.each(['first', 'second'] as const)('is not proven by another %s output', async (name) => {
    const { accountId } = await made();
    giveOther(name);
    expect(await checkPasskey(wallet.context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'PASSKEY_DIFFERS',
    });
  });

  it('is not made where the passkey gives no outputs, and nothing is stored', async () => {
    vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockReturnValue({});
    expect(await create()).toMatchObject({ success: false, errorCode: 'PRF_MISSING', nearAccountId: null });
    expect(await wallet.context.store.users()).toEqual([]);
    expect((await getLoginState(wallet.context)).isLoggedIn).toBe(false);
  });

  it('leaves the session of another account where it is cancelled', async () => {
    const { accountId } = await made();
    const cancelled = AbortSignal.abort();
    expect(await create({ options: { signal: cancelled } })).toMatchObject({ success: false });
    expect((await getLoginState(wallet.context, accountId)).isLoggedIn).toBe(true);
  });

  it('is logged in again while it is not on the chain yet', async () => {
    const { accountId } = await made();
    await logout(wallet.context);
    expect(await loginPasskey(wallet.context, accountId, {})).toMatchObject({
      success: true,
      unlockedBy: 'passkey',
    });
  });

  it('is not logged in once its key was removed from it', async () => {
    const { accountId } = await made();
    wallet.chain.keys.set(`${accountId}|ed25519:another`, 'FullAccess');
    await logout(wallet.context);
    expect(await loginPasskey(wallet.context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'DEVICE_KEY_REMOVED',
    });
  });
});

describe('the recovery of an account without a name', () => {
  it('takes one prompt, and is unproven while the chain holds nothing', async () => {
    const { accountId, publicKey } = await made();
    await inAnotherBrowser();
    const asked = get();
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      success: true,
      accountId,
      publicKey,
      loginState: { isLoggedIn: true, userData: { passkeyProven: false } },
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls[0]?.[0]?.publicKey?.allowCredentials).toBeUndefined();
    expect(wallet.chain.calls).not.toContain('get_authenticators_by_user');
  });

  it('is proven where the chain holds the key', async () => {
    const { accountId, publicKey } = await made();
    wallet.chain.keys.set(`${accountId}|${publicKey}`, 'FullAccess');
    await inAnotherBrowser();
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      accountId,
      loginState: { userData: { passkeyProven: true } },
    });
  });

  it('works without the chain, unproven', async () => {
    const { accountId, publicKey } = await made();
    wallet.chain.keys.set(`${accountId}|${publicKey}`, 'FullAccess');
    await inAnotherBrowser();
    wallet.chain.failure = offline();
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      success: true,
      accountId,
      loginState: { userData: { passkeyProven: false } },
    });
  });

  it('stores nothing where the account has turned to other keys', async () => {
    const { accountId } = await made();
    wallet.chain.keys.set(`${accountId}|ed25519:another`, 'FullAccess');
    await inAnotherBrowser();
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      success: false,
      errorCode: 'DEVICE_KEY_REMOVED',
    });
    expect(await wallet.context.store.users()).toEqual([]);
  });

  it('by its id takes one prompt too, and refuses the passkey of another account', async () => {
    const { accountId } = await made();
    await inAnotherBrowser();
    const asked = get();
    expect(await recoverAccountFlow(wallet.context, { accountId })).toMatchObject({
      success: true,
      accountId,
    });
    expect(asked).toHaveBeenCalledTimes(1);
    const wrongDigit = `${accountId.slice(0, -1)}${accountId.endsWith('0') ? '1' : '0'}`;
    expect(await recoverAccountFlow(wallet.context, { accountId: wrongDigit })).toMatchObject({
      success: false,
      errorCode: 'PASSKEY_OF_ANOTHER_ACCOUNT',
    });
    const prompts = asked.mock.calls.length;
    expect(await recoverAccountFlow(wallet.context, { accountId: 'AB'.repeat(32) })).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
    });
    expect(asked).toHaveBeenCalledTimes(prompts);
  });

  it('never offers an account for the passkey of a named one: it asks once more with its salts [S98]', async () => {
    const { publicKey } = await wallet.register(ALICE);
    const asked = get();
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      success: true,
      accountId: ALICE,
      publicKey,
    });
    expect(asked).toHaveBeenCalledTimes(2);
    expect((await wallet.context.store.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([ALICE]);
  });

  it('offers no account where this browser knows the passkey and its outputs have changed [S98]', async () => {
    const { accountId } = await made();
    giveOther('second');
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      success: false,
      errorCode: 'PASSKEY_DIFFERS',
    });
    expect((await wallet.context.store.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([
      accountId,
    ]);
  });

  it('keeps the proof where this browser knows the passkey', async () => {
    const { accountId } = await made();
    await checkPasskey(wallet.context, accountId, {});
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      loginState: { userData: { passkeyProven: true } },
    });
  });

  it('of a further device takes one prompt, and its record in the registry is known from then on', async () => {
    const accountId = 'e1'.repeat(32);
    const { publicKey, record } = await wallet.register(accountId, 2);
    const asked = get();
    expect(await recoverAccountFlow(wallet.context, {})).toMatchObject({
      success: true,
      accountId,
      publicKey,
      loginState: { userData: { deviceNumber: 2, passkeyProven: true } },
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await wallet.context.store.user(accountId)).toMatchObject({ hasRegistryRecord: true });
    const [known] = await wallet.context.store.authenticators(accountId);
    expect(known?.credentialPublicKey).toEqual(Uint8Array.from(record.credential_public_key));
  });

  it('lists what the passkey opens, with one prompt', async () => {
    const { accountId, publicKey } = await made();
    await inAnotherBrowser();
    const asked = get();
    expect(await discoverRecoverableAccounts(wallet.context, undefined, {})).toEqual([
      { accountId, publicKey, credentialId: expect.any(String), displayName: accountId },
    ]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(await wallet.context.store.users()).toEqual([]);
  });
});

describe('two tabs at once', () => {
  let other: Recoverable;
  afterEach(() => other.close());

  it('recover one account from the same passkey, stored once', async () => {
    const { accountId } = await made();
    await inAnotherBrowser();
    other = recoverable(new WalletStore());
    const results = await Promise.all([wallet, other].map(({ context }) => recoverAccountFlow(context, {})));
    for (const result of results) expect(result).toMatchObject({ success: true, accountId });
    expect(await wallet.context.store.usersOnDevice()).toHaveLength(1);
    expect(await wallet.context.store.authenticators(accountId)).toHaveLength(1);
    const proofs = await Promise.all(
      [wallet, other].map(({ context }) => checkPasskey(context, accountId, {})),
    );
    for (const proof of proofs) expect(proof).toMatchObject({ success: true, passkeyProven: true });
  });

  it('make two accounts, each with its own passkey and a key that opens', async () => {
    other = recoverable(new WalletStore());
    const results = await Promise.all(
      [wallet, other].map(({ context }) => createAccount({ ...context, confirmer: () => clicking }, {})),
    );
    const ids = results.map(({ nearAccountId }) => nearAccountId ?? '');
    expect(new Set(ids).size).toBe(2);
    const users = await wallet.context.store.usersOnDevice();
    expect(users.map(({ nearAccountId }) => nearAccountId).sort()).toEqual([...ids].sort());
    expect(new Set(users.map(({ passkeyCredential }) => passkeyCredential.id)).size).toBe(2);
    for (const id of ids) expect(await checkPasskey(other.context, id, {})).toMatchObject({ success: true });
  });
});
