import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountRecoveryFlow } from '../../account-recovery-flow.js';
import { STEPS } from '../../events.js';
import type { EncryptedKeyRecord } from '../../storage/records.js';
import { entry } from '../../storage/testing/databases.js';
import { prfSalts } from '../../webauthn/prf.js';
import { logout } from '../session/session.js';
import type { RegisteredPasskey } from '../testing/recoverable.js';
import {
  ALICE,
  authenticator,
  BOB,
  begin,
  end,
  expectNothingStored,
  prompts,
  recover,
  stored,
  wallet,
} from '../testing/recovering.js';
import { discoverRecoverableAccounts, recoverAccountFlow } from './recover.js';

beforeEach(begin);
afterEach(end);

describe('recovery from a passkey (core 3, core 4, core 7)', () => {
  it('by name takes one prompt, and ends with the records stored and the session unlocked', async () => {
    const { registration, publicKey, vrfPublicKey, record } = await wallet.register(ALICE);
    const asked = prompts();
    const steps: string[] = [];
    const result = await recover({
      accountId: ALICE,
      options: { onEvent: ({ step, phase, status }) => steps.push(`${step} ${phase} ${status}`) },
    });
    expect(result).toEqual({
      success: true,
      accountId: ALICE,
      publicKey,
      message: `Account ${ALICE} recovered successfully!`,
      loginState: expect.objectContaining({
        isLoggedIn: true,
        nearAccountId: ALICE,
        publicKey,
        vrfActive: true,
        userData: expect.objectContaining({ deviceNumber: 1, registeredAt: 1700000000000 }),
      }),
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(asked.mock.calls[0]?.[0]?.publicKey).toMatchObject({
      userVerification: 'required',
      allowCredentials: [{ transports: ['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card'] }],
    });
    const { users, authenticators, key, last } = await stored();
    expect(users).toEqual([
      expect.objectContaining({
        nearAccountId: ALICE,
        deviceNumber: 1,
        clientNearPublicKey: publicKey,
        passkeyCredential: { id: registration.id, rawId: registration.rawId },
        lastLogin: expect.any(Number),
      }),
    ]);
    expect(authenticators).toEqual([
      expect.objectContaining({
        credentialId: registration.id,
        credentialPublicKey: Uint8Array.from(record.credential_public_key),
        transports: [],
        name: 'Passkey',
        registered: '2023-11-14T22:13:20.000Z',
        vrfPublicKey,
      }),
    ]);
    expect(key).toMatchObject({ nearAccountId: ALICE, deviceNumber: 1 });
    expect(last).toEqual({ accountId: ALICE, deviceNumber: 1 });
    expect(steps).toEqual([
      '1 preparation progress',
      '1 preparation success',
      '2 webauthn-authentication progress',
      '2 webauthn-authentication success',
      '3 sync-authenticators-onchain progress',
      '3 sync-authenticators-onchain success',
      '4 authenticator-saved success',
      '5 account-recovery-complete success',
    ]);
    expect(wallet.chain.calls).toEqual(['get_authenticators_by_user', 'view_access_key']);
  });

  it.each([undefined, '', '  '])(
    'with a blank name (%j) takes two prompts: one to choose, one for the keys',
    async (accountId) => {
      const { publicKey } = await wallet.register(ALICE);
      const asked = prompts();
      expect(await recover({ accountId })).toMatchObject({ success: true, accountId: ALICE, publicKey });
      const [choose, ask] = asked.mock.calls.map(([options]) => options?.publicKey);
      expect(asked).toHaveBeenCalledTimes(2);
      expect(choose).toMatchObject({ userVerification: 'required' });
      expect(choose).not.toHaveProperty('allowCredentials');
      // Those of an account without a name: the outputs open nothing of this one.
      expect(choose?.extensions).toEqual({ prf: { eval: prfSalts('') } });
      expect(ask?.extensions).toEqual({ prf: { eval: prfSalts(ALICE) } });
      expect(ask?.allowCredentials).toHaveLength(1);
      expect(new Uint8Array(choose?.challenge as ArrayBuffer)).toHaveLength(32);
      expect(choose?.challenge).not.toEqual(ask?.challenge);
    },
  );

  it("with device 2's passkey gives device 2 back, with its own key", async () => {
    await wallet.register(ALICE);
    await authenticator.replace({});
    const second = await wallet.register(ALICE, 2);
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true, publicKey: second.publicKey });
    const { users, authenticators, key } = await stored();
    expect(users.map(({ deviceNumber }) => deviceNumber)).toEqual([2]);
    expect(authenticators).toEqual([expect.objectContaining({ deviceNumber: 2, name: 'device 2' })]);
    expect(key).toBeUndefined();
    expect(await wallet.context.store.encryptedKey(ALICE, 2)).toBeDefined();
  });

  it('keeps the transports that the registry records, known to the browser or not; internal alone says nothing', async () => {
    const { record } = await wallet.register(ALICE);
    record.transports = ['smoke-signals', 'usb', 'internal', 'nfc'];
    await recover({ accountId: ALICE });
    expect((await stored()).authenticators).toMatchObject([
      { transports: ['smoke-signals', 'usb', 'internal', 'nfc'] },
    ]);
    record.transports = ['internal'];
    await recover({ accountId: ALICE });
    expect((await stored()).authenticators).toMatchObject([{ transports: [] }]);
  });

  it("replaces damaged and outdated keys with the derived ones, and keeps the user's preferences", async () => {
    await wallet.register(ALICE);
    const { store } = wallet.context;
    const stale = entry(ALICE, 1, 'gone', 'gone').records;
    await store.storeDevice(stale, {
      preferences: { useRelayer: true, useNetwork: 'testnet', theme: 'light' },
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true });
    const first = await stored();
    expect(first.authenticators).toHaveLength(1);
    expect(first.users).toMatchObject([{ preferences: { useRelayer: true, theme: 'light' } }]);
    expect(first.key?.encryptedData).not.toBe('cipher');

    // The same passkey again: it replaces what was damaged since.
    await store.updateUser(ALICE, 1, { clientNearPublicKey: '', encryptedVrfKeypair: undefined as never });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true });
    const second = await stored();
    expect(second.users).toMatchObject([{ clientNearPublicKey: first.users[0]?.clientNearPublicKey }]);
    expect(second.users[0]?.encryptedVrfKeypair.encryptedVrfDataB64u).toMatch(/^[\w-]+$/);
  });

  it("leaves the account's records on this browser unchanged when it fails", async () => {
    await wallet.register(ALICE);
    await recover({ accountId: ALICE });
    const before = await stored();
    wallet.chain.keys.clear();
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    expect(await stored()).toEqual(before);
  });

  it('removes both keys again when the second database refuses', async () => {
    await wallet.register(ALICE);
    const { store } = wallet.context;
    const put = IDBObjectStore.prototype.put;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...of
    ) {
      if (this.name === 'users') throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, of);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false, errorCode: 'STORAGE_FULL' });
    full.mockRestore();
    await expectNothingStored();

    const older: EncryptedKeyRecord = entry(ALICE).records.encryptedKey;
    await store.storeDevice(entry(ALICE).records);
    full.mockRestore();
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...of) {
      if (this.name === 'users') throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, of);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false, errorCode: 'STORAGE_FULL' });
    expect(await store.encryptedKey(ALICE, 1)).toEqual(older);
  });

  it('leaves no secret behind: it wipes the outputs or hands them over', async () => {
    await wallet.register(ALICE);
    const outputs: Uint8Array[] = [];
    const { getClientExtensionResults } = PublicKeyCredential.prototype;
    vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockImplementation(function (
      this: PublicKeyCredential,
    ) {
      const results = getClientExtensionResults.call(this);
      const { first, second } = results.prf?.results ?? {};
      outputs.push(new Uint8Array(first as ArrayBuffer), new Uint8Array(second as ArrayBuffer));
      return results;
    });
    await recover({ accountId: ALICE });
    wallet.chain.authenticators.get(ALICE)?.forEach(([, record]) => {
      record.device_number = 3;
    });
    await recover({ accountId: ALICE });
    expect(outputs).toHaveLength(4);
    // A transferred buffer is empty here.
    expect(outputs.every((bytes) => bytes.length === 0 || bytes.every((byte) => byte === 0))).toBe(true);
  });
});

describe('a session of another account (core 4)', () => {
  it('survives every failed recovery', async () => {
    await wallet.register(BOB);
    await recover({ accountId: BOB });
    const { record } = await wallet.register(ALICE);
    const asked = prompts().mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    asked.mockRestore();
    record.device_number = 2;
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    record.device_number = 1;
    record.near_public_key = 'ed25519:other';
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false });
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: true, accountId: BOB });
  });

  it('is replaced by a successful recovery', async () => {
    await wallet.register(BOB);
    await recover({ accountId: BOB });
    const { vrfPublicKey } = await wallet.register(ALICE);
    const changed = vi.fn();
    wallet.context.vrf.onSessionChange = changed;
    expect(await recover({ accountId: ALICE })).toMatchObject({ loginState: { isLoggedIn: true } });
    expect(await wallet.context.vrf.call('status', [])).toMatchObject({ accountId: ALICE, vrfPublicKey });
    expect(changed).toHaveBeenCalled();
  });
});

describe('a logout while a recovery runs', () => {
  it.each(['view_access_key', 'get_authenticators_by_user'])(
    'ends it, and nothing is stored (at %s)',
    async (name) => {
      await wallet.register(ALICE);
      const { context, chain } = wallet;
      const push = chain.calls.push.bind(chain.calls);
      vi.spyOn(chain.calls, 'push').mockImplementation((...calls) => {
        if (calls.includes(name)) void logout(context);
        return push(...calls);
      });
      expect(await recover({ accountId: ALICE })).toMatchObject({
        success: false,
        errorCode: 'CANCELLED',
        error: 'Authentication was cancelled.',
      });
      await expectNothingStored();
    },
  );
});

describe('the session of a login that follows a logout while a recovery runs', () => {
  it("survives the recovery's end", async () => {
    await wallet.register(ALICE);
    const { context, chain } = wallet;
    let opened: Promise<unknown> | undefined;
    const push = chain.calls.push.bind(chain.calls);
    vi.spyOn(chain.calls, 'push').mockImplementation((...calls) => {
      if (calls.includes('view_access_key')) {
        void logout(context);
        opened = context.vrf.call('deriveKeypairFromPrf', [BOB, new Uint8Array(32).fill(7), true]);
      }
      return push(...calls);
    });
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    await opened;
    expect(await context.vrf.call('status', [])).toMatchObject({ active: true, accountId: BOB });
  });
});

describe('a registration that this browser began', () => {
  const begun = ({ registration, publicKey, vrfPublicKey }: RegisteredPasskey) => ({
    ...entry(ALICE, 1, registration.id, registration.id),
    nearPublicKey: publicKey,
    vrfPublicKeys: { bootstrap: 'A'.repeat(43), deterministic: vrfPublicKey },
    challengeHeight: 1000,
  });

  it('is settled first when its account exists by now, and the account is recovered', async () => {
    const { store } = wallet.context;
    await store.journal.open(begun(await wallet.register(ALICE)));
    expect(await recover({ accountId: ALICE })).toMatchObject({ success: true });
    expect(await store.journal.entries('registration')).toEqual([]);
    expect((await stored()).key?.encryptedData).not.toBe('cipher');
  });

  it('stays pending while the registry has no record of it', async () => {
    const { store } = wallet.context;
    await store.journal.open(begun(await wallet.register(ALICE)));
    wallet.chain.authenticators.clear();
    const asked = prompts();
    expect(await recover({ accountId: ALICE })).toMatchObject({
      success: false,
      errorCode: 'REGISTRATION_PENDING',
    });
    expect(asked).not.toHaveBeenCalled();
    expect(await store.journal.entries('registration')).toHaveLength(1);
  });
});

describe('AccountRecoveryFlow over a wallet', () => {
  it.each([
    [ALICE, 1],
    [undefined, 2],
  ])('asked for %s takes %i prompts, in the calls that promise them', async (accountId, count) => {
    const { publicKey } = await wallet.register(ALICE);
    const { context } = wallet;
    const flow = new AccountRecoveryFlow({
      discoverRecoverableAccounts: (typed, options = {}) =>
        discoverRecoverableAccounts(context, typed, options),
      recoverAccountFlow: (request) => recoverAccountFlow(context, request ?? {}),
    });
    const asked = prompts();
    const [found] = await flow.discover(accountId);
    expect(found).toMatchObject({ accountId: ALICE, publicKey });
    expect(asked).toHaveBeenCalledTimes(count - 1);
    expect(flow.getState().phase).toBe('ready');

    asked.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    expect(await flow.recover()).toMatchObject({ success: false });
    expect(flow.getState()).toMatchObject({
      phase: 'error',
      error: { code: 'CANCELLED', message: 'Touch ID was cancelled or timed out.' },
    });
    expect(await flow.recover(found)).toMatchObject({ success: true, publicKey });
    expect(flow.getState().phase).toBe('complete');
    expect(asked).toHaveBeenCalledTimes(count + 1);
    flow.reset();
    expect(flow.getState()).toEqual({ phase: 'idle', accounts: [] });
  });
});

describe('discovery (core 3)', () => {
  it("lists an account's passkeys without a prompt", async () => {
    const first = await wallet.register(ALICE);
    await authenticator.replace({});
    const second = await wallet.register(ALICE, 2);
    const asked = prompts();
    expect(await discoverRecoverableAccounts(wallet.context, ALICE, {})).toEqual([
      {
        credentialId: first.registration.id,
        accountId: ALICE,
        publicKey: first.publicKey,
        displayName: 'alice',
      },
      {
        credentialId: second.registration.id,
        accountId: ALICE,
        publicKey: second.publicKey,
        displayName: 'alice (device 2)',
      },
    ]);
    expect(asked).not.toHaveBeenCalled();
  });

  it('is refused before its prompt when the page may not ask for a passkey', async () => {
    const { featurePolicy } = document as unknown as {
      featurePolicy: { allowsFeature(name: string): boolean };
    };
    const allows = vi.spyOn(featurePolicy, 'allowsFeature').mockReturnValue(false);
    const asked = prompts();
    for (const typed of [undefined, ALICE]) {
      await expect(discoverRecoverableAccounts(wallet.context, typed, {})).rejects.toMatchObject({
        code: 'PASSKEYS_FORBIDDEN_HERE',
      });
    }
    expect(asked).not.toHaveBeenCalled();
    allows.mockRestore();
  });

  it("returns the chosen passkey, and rejects in recovery's words", async () => {
    const { registration } = await wallet.register(ALICE);
    const asked = prompts();
    const phases: string[] = [];
    const onEvent = ({ phase }: { phase: string }) => phases.push(phase);
    expect(await discoverRecoverableAccounts(wallet.context, undefined, { onEvent })).toMatchObject([
      { credentialId: registration.id, accountId: ALICE },
    ]);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
    await expect(discoverRecoverableAccounts(wallet.context, '', { onEvent })).rejects.toMatchObject({
      code: 'CANCELLED',
      message: 'Touch ID was cancelled or timed out.',
    });
    expect(phases.at(-1)).toBe('account-recovery-error');
    expect(phases.every((phase) => phase in STEPS.recovery)).toBe(true);
  });
});
