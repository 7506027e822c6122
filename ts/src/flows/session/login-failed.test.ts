import { beforeEach, describe, expect, it } from 'vitest';
import { CANCELLED, CRYPTO_FAILED, LatchkeyError, STORAGE_FULL } from '../../errors/wallet.js';
import { verifiedAnswer } from '../testing/answers.js';
import { ALICE, assertPasskey, authenticator, make, prepare } from '../testing/logging-in.js';
import { loginPasskey } from './login.js';

beforeEach(prepare);

describe('a failed login (core 4, core 5, core 8)', () => {
  it.each([
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['alice..testnet', 'Domain part cannot be empty'],
    ['Alice.tg', 'Username can only contain lowercase letters, numbers, underscores, and hyphens'],
  ])('says what is wrong with the name %j', async (accountId, reason) => {
    const { context, workerCalls, viewAccessKey } = make();
    expect(await loginPasskey(context, accountId, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACCOUNT_ID',
      error: `Invalid NEAR account ID: ${reason}`,
    });
    expect([workerCalls, viewAccessKey.mock.calls]).toEqual([[], []]);
  });

  it('names a cancelled prompt, prompts once, and leaves no session', async () => {
    const { context, session } = make({ user: { serverEncryptedVrfKeypair: null } });
    assertPasskey.mockRejectedValue(new LatchkeyError(CANCELLED));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'LOGIN_CANCELLED',
      error: "Login was cancelled. Please try again when you're ready to authenticate.",
    });
    expect(assertPasskey).toHaveBeenCalledTimes(1);
    expect(session.of).toBeUndefined();
  });

  it('names an authenticator without PRF', async () => {
    const { context } = make({ user: { serverEncryptedVrfKeypair: null } });
    assertPasskey.mockResolvedValue({
      authentication: verifiedAnswer(authenticator.credentialId),
      prf: { kind: 'none' },
    });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'PRF_MISSING',
      error: expect.stringMatching(
        /^Login failed because the browser did not return the required passkey PRF/,
      ),
    });
  });

  it('ends with one clear sentence when the chain does not know the account', async () => {
    const { context, viewAccessKey, session } = make();
    viewAccessKey.mockResolvedValue(null);
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'ACCOUNT_NOT_ON_CHAIN',
      error: expect.stringContaining(ALICE),
    });
    expect(session.of).toBeUndefined();
  });

  it('says that the key of this device was removed, and opens no session, when the account is there', async () => {
    const { context, viewAccessKey, viewAccount, session } = make();
    viewAccessKey.mockResolvedValue(null);
    viewAccount.mockResolvedValue({ amount: '1' });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'DEVICE_KEY_REMOVED',
      error: `The key of this device was removed from ${ALICE}. The account is safe. Link this device again from another one.`,
    });
    expect(session.of).toBeUndefined();
  });

  it('leaves no session behind when the device cannot record it', async () => {
    const { context, store, session } = make();
    store.updateUser.mockRejectedValueOnce(new LatchkeyError(STORAGE_FULL));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'STORAGE_FULL',
    });
    expect(session.of).toBeUndefined();
  });

  it.each([
    [null, 'NO_LOCAL_ACCOUNT'],
    [{ clientNearPublicKey: '' }, 'NO_PUBLIC_KEY'],
    [{ encryptedVrfKeypair: undefined }, 'NO_VRF_CREDENTIALS'],
  ])('fails when a stored record is incomplete (%o)', async (user, errorCode) => {
    expect(await loginPasskey(make({ user }).context, ALICE, {})).toMatchObject({
      success: false,
      errorCode,
    });
  });

  it.each([
    [null, `User data not found for ${ALICE} in IndexedDB. Please register an account.`],
    [{ clientNearPublicKey: '' }, `No NEAR public key found for ${ALICE}. Please register an account.`],
    [
      { encryptedVrfKeypair: undefined },
      `No VRF credentials found for ${ALICE}. Please register an account.`,
    ],
  ])('says which record is missing (%o)', async (user, error) => {
    expect(await loginPasskey(make({ user }).context, ALICE, {})).toMatchObject({ error });
  });

  it('says that this device has no passkey of the account', async () => {
    const { context, store } = make();
    store.authenticatorsOnDevice.mockResolvedValue([]);
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'NO_AUTHENTICATORS',
      error: `No authenticators found for account ${ALICE}. Please register.`,
    });
  });

  it('says so when the keypair does not open', async () => {
    const { context, failing } = make({ user: { serverEncryptedVrfKeypair: null } });
    failing.set('unlock', new LatchkeyError(CRYPTO_FAILED, { message: 'malformed' }));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'VRF_UNLOCK_FAILED',
      error: 'Failed to unlock VRF keypair',
    });
  });

  it('says that the passkey answered differently when its outputs open nothing', async () => {
    const user = { serverEncryptedVrfKeypair: null, passkeyProven: true };
    const { context, failing, store } = make({ user });
    const details = { workerCode: 'DECRYPTION_FAILED' };
    failing.set('unlock', new LatchkeyError(CRYPTO_FAILED, { message: 'decryption failed', details }));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'PASSKEY_DIFFERS',
      error: expect.stringContaining(`This time the passkey of ${ALICE} answered in another way than before`),
    });
    expect(store.updateUser).toHaveBeenCalledWith(
      ALICE,
      1,
      expect.objectContaining({ passkeyProven: false }),
    );
  });

  it('reports an unexpected error in one sentence', async () => {
    const { context, store } = make();
    store.setLastUser.mockRejectedValueOnce(new TypeError('a bug'));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      errorCode: 'UNKNOWN',
      error: 'Login failed due to an unknown error. Please check your connection and try again.',
    });
  });
});
