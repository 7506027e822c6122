import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WalletStore } from '../../storage/store.js';
import { deleteDatabases, entry } from '../../storage/testing/databases.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { getAppKeys } from '../app-keys/index.js';
import type { FlowContext } from '../context.js';
import { ALICE, BLOCK_HASH, type SignedIn, signIn } from '../testing/signed-in.js';
import { loginPasskey } from './login.js';
import { getLoginState, getRecentLogins, hasPasskeyCredential, requireSession } from './session.js';
import { confirmationSettings } from './settings.js';
import { getUserPreferences, setUserPreferences } from './stored-settings.js';

const BOB = 'bob.w3a-v1.testnet';
const HERE = 'https://app.example';
const THERE = 'https://other.example';

const stores: WalletStore[] = [];

function through(host: string | undefined): WalletStore {
  const store = new WalletStore(undefined, host);
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await deleteDatabases();
});

describe('the accounts of a host (frame 10)', () => {
  it('are those whose registration began through that host, and visible to it alone', async () => {
    const [here, there, unframed] = [through(HERE), through(THERE), through(undefined)];
    const made = entry(ALICE);
    await here.journal.open(made);
    await here.commitEntry(made);
    expect(await here.user(ALICE)).toMatchObject({ nearAccountId: ALICE });
    expect(await here.lastUser()).toEqual({ accountId: ALICE, deviceNumber: 1 });
    expect(await unframed.user(ALICE)).toMatchObject({ nearAccountId: ALICE });
    expect(await there.user(ALICE)).toBeUndefined();
    expect(await there.users()).toEqual([]);
    expect(await there.authenticators(ALICE)).toEqual([]);
    expect(await there.lastUser()).toBeUndefined();
    expect(await there.userOnDevice(ALICE)).toMatchObject({ nearAccountId: ALICE });
  });

  it('have their own last-used account for each host', async () => {
    const [here, there] = [through(HERE), through(THERE)];
    await here.storeDevice(entry(ALICE).records);
    await there.storeDevice(entry(BOB).records);
    await here.setLastUser({ accountId: BOB, deviceNumber: 1 });
    await here.setLastUser({ accountId: ALICE, deviceNumber: 1 });
    expect((await here.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([ALICE, BOB]);
    expect(await there.lastUser()).toEqual({ accountId: BOB, deviceNumber: 1 });
    expect((await there.users()).map(({ nearAccountId }) => nearAccountId)).toEqual([BOB]);
  });

  it('stay with the host that began the registration when another one settles it', async () => {
    const [here, there] = [through(HERE), through(THERE)];
    const made = entry(ALICE);
    await here.journal.open(made);
    expect(await there.journal.entries('registration')).toEqual([]);
    const found = await there.journal.entry('registration', ALICE);
    if (found) await there.commitEntry(found);
    expect(await there.user(ALICE)).toBeUndefined();
    expect(await here.user(ALICE)).toMatchObject({ nearAccountId: ALICE });
  });

  it('keep the host of an entry when the entry changes', async () => {
    const [here, there] = [through(HERE), through(THERE)];
    const made = entry(ALICE);
    await here.journal.open(made);
    await here.journal.update(made, { challengeHeight: 7 });
    expect(await here.journal.entries('registration')).toMatchObject([{ challengeHeight: 7 }]);
    expect(await there.journal.entries('registration')).toEqual([]);
  });

  it("show no host the user's choices for another one", async () => {
    const [here, there, unframed] = [through(HERE), through(THERE), through(undefined)];
    await unframed.storeDevice(entry(ALICE).records);
    await unframed.updateUser(ALICE, 1, ({ preferences }) => ({
      preferences: { ...preferences, confirmationConfig: { uiMode: 'skip' } },
    }));
    for (const store of [here, there]) await store.setLastUser({ accountId: ALICE, deviceNumber: 1 });
    await here.updateChosen(ALICE, { behavior: 'autoProceed' });
    expect((await here.user(ALICE))?.preferences.confirmationConfig).toEqual({ behavior: 'autoProceed' });
    expect((await there.user(ALICE))?.preferences.confirmationConfig).toBeUndefined();
    expect((await unframed.user(ALICE))?.preferences.confirmationConfig).toEqual({ uiMode: 'skip' });
  });
});

describe('a host that has not used the account (frame 8, frame 10)', () => {
  let authenticator: VirtualAuthenticator;
  let wallet: SignedIn;
  let framed: FlowContext;

  beforeEach(async () => {
    authenticator = await addVirtualAuthenticator();
    wallet = await signIn();
    framed = { ...wallet.context, page: HERE, store: through(HERE) };
  });
  afterEach(async () => {
    await wallet.close();
    await authenticator.remove();
  });

  it('learns of no login, earlier or current, and of no passkey [S18]', async () => {
    expect(await getLoginState(framed, ALICE)).toMatchObject({ isLoggedIn: false, nearAccountId: null });
    expect(await getLoginState(framed)).toMatchObject({ isLoggedIn: false, userData: null });
    expect(await getRecentLogins(framed)).toEqual({ accountIds: [], lastUsedAccountId: null });
    expect(await hasPasskeyCredential(framed, ALICE)).toBe(false);
    await expect(requireSession(framed, ALICE)).rejects.toMatchObject({ code: 'NO_USER_DATA' });
    await expect(setUserPreferences(framed, { theme: 'light' }, ALICE)).rejects.toMatchObject({
      code: 'NO_USER_DATA',
    });
  });

  it('learns of no app key that this device is to remove', async () => {
    const { store, rpc } = wallet.context;
    const publicKey = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
    const appKey = { receiverId: 'game.testnet', name: 'app-key', deviceNumber: 1 };
    const addKey = { id: 't', signerKey: publicKey, nonce: '1', blockHeight: '1' };
    const dueAt = Date.now() + 3_600_000;
    const ending = { kind: 'deletion', accountId: ALICE, publicKey, addKey, appKey, dueAt } as const;
    await store.journal.open({ ...ending, createdAt: 1, token: 't' });
    const permission = { FunctionCall: { allowance: '1', receiver_id: 'game.testnet', method_names: [] } };
    rpc.viewAccessKeyList = async () => ({
      keys: [{ public_key: publicKey, access_key: { nonce: 1, permission } }],
      block_height: 1,
      block_hash: BLOCK_HASH,
    });
    expect(await getAppKeys(wallet.context, ALICE)).toMatchObject([{ publicKey, expiresAt: dueAt }]);
    expect(await getAppKeys(framed, ALICE)).toMatchObject([{ publicKey, expiresAt: null }]);
  });

  it('gets it by a login, which asks for the passkey even where the server lock would open [S18]', async () => {
    const { nearAccountId, deviceNumber } = (await wallet.context.store.user(ALICE)) ?? {};
    const locked = { ciphertextVrfB64u: 'c', kek_s_b64u: 'k', serverKeyId: 'id', updatedAt: 0 };
    await framed.store.updateUser(ALICE, 1, { serverEncryptedVrfKeypair: locked });
    const lock = { p: 'p', relayServerUrl: '', applyServerLockRoute: '', removeServerLockRoute: '' };
    const keyInfo = vi.fn(async () => ({ currentKeyId: null, p_b64u: 'p' }));
    const locking = {
      ...framed,
      config: { ...framed.config, shamir3pass: lock },
      relay: { ...framed.relay, keyInfo },
    } as unknown as FlowContext;
    const phases: string[] = [];
    const result = await loginPasskey(locking, ALICE, {
      onEvent: ({ phase, status }) => void phases.push(`${phase} ${status}`),
    });
    expect(result).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(phases.slice(0, 2)).toEqual(['preparation progress', 'webauthn-assertion progress']);
    expect(await getRecentLogins(framed)).toEqual({
      accountIds: [ALICE],
      lastUsedAccountId: { nearAccountId, deviceNumber },
    });
    expect(await requireSession(framed, ALICE)).toMatchObject({ nearAccountId: ALICE });
  });

  it("gets the specification's error for an account that is not on this device at all", async () => {
    expect(await loginPasskey(framed, BOB, {})).toMatchObject({
      success: false,
      errorCode: 'NO_LOCAL_ACCOUNT',
      error: `User data not found for ${BOB} in IndexedDB. Please register an account.`,
    });
  });

  it('gets the confirmation that the user chose for it, and for no other host', async () => {
    await framed.store.setLastUser({ accountId: ALICE, deviceNumber: 1 });
    await setUserPreferences(wallet.context, { confirmationConfig: { uiMode: 'skip' } }, ALICE);
    await setUserPreferences(framed, { confirmationConfig: { behavior: 'autoProceed' } }, ALICE);
    const user = await framed.store.user(ALICE);
    expect((await confirmationSettings(framed, user, undefined)).user).toEqual({ behavior: 'autoProceed' });
    expect((await getUserPreferences(wallet.context, ALICE)).confirmationConfig).toEqual({ uiMode: 'skip' });
  });
});
