import { beforeEach, describe, expect, it } from 'vitest';
import { CRYPTO_FAILED, LatchkeyError, RELAY_UNREACHABLE } from '../../errors/wallet.js';
import { ALICE, assertPasskey, BOB, make, prepare } from '../testing/logging-in.js';
import { loginPasskey } from './login.js';

beforeEach(prepare);

describe('a login through the server lock (core 1, core 3, core 8)', () => {
  it('is silent through the server lock, with one question to the chain', async () => {
    const { context, workerCalls, relay, viewAccessKey } = make();
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
    expect(assertPasskey).not.toHaveBeenCalled();
    expect(workerCalls).toEqual(['unlockWithServerLock']);
    expect([relay.keyInfo.mock.calls.length, viewAccessKey.mock.calls.length]).toEqual([1, 1]);
  });

  it("locks the keypair again when the relay's key has changed", async () => {
    const { context, workerCalls, store } = make({ keyId: 'second' });
    await loginPasskey(context, ALICE, {});
    expect(workerCalls).toEqual(['unlockWithServerLock', 'encryptCurrentWithServerLock']);
    expect(store.updateUser).toHaveBeenCalledWith(ALICE, 1, {
      serverEncryptedVrfKeypair: expect.objectContaining({ serverKeyId: 'second' }),
    });
  });

  it('asks for the passkey when the relay is down, and leaves the lock as it is', async () => {
    const { context, failing, relay, workerCalls } = make();
    failing.set('unlockWithServerLock', new LatchkeyError(RELAY_UNREACHABLE));
    relay.keyInfo.mockRejectedValue(new LatchkeyError(RELAY_UNREACHABLE));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(assertPasskey).toHaveBeenCalledTimes(1);
    expect(workerCalls).toEqual(['unlockWithServerLock', 'unlock']);
  });

  it('asks for the passkey when the lock does not open, and locks again so that the next login is silent', async () => {
    const { context, failing, store, workerCalls } = make();
    failing.set('unlockWithServerLock', new LatchkeyError(CRYPTO_FAILED));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(workerCalls).toEqual(['unlockWithServerLock', 'unlock', 'encryptCurrentWithServerLock']);
    expect(store.updateUser).toHaveBeenCalledWith(ALICE, 1, {
      serverEncryptedVrfKeypair: expect.objectContaining({ serverKeyId: 'first' }),
    });
  });

  it("asks for the passkey when the lock opens another account's key", async () => {
    const { context, answers } = make();
    answers.unlockWithServerLock = { vrfPublicKey: 'of another account' };
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
  });

  it('stores no lock of the key of another account that logged in meanwhile', async () => {
    const { context, answers, store } = make({ keyId: 'second' });
    answers.status = { active: true, accountId: BOB };
    await loginPasskey(context, ALICE, {});
    expect(store.updateUser).not.toHaveBeenCalledWith(
      ALICE,
      1,
      expect.objectContaining({ serverEncryptedVrfKeypair: expect.anything() }),
    );
  });

  it('does not accept the lock of a relay that works in another group', async () => {
    const { context, workerCalls } = make({ p: 'another', keyId: 'second' });
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
    expect(workerCalls).not.toContain('encryptCurrentWithServerLock');
  });

  it('continues without the key id when only key-info fails', async () => {
    const { context, relay } = make();
    relay.keyInfo.mockRejectedValue(new LatchkeyError(RELAY_UNREACHABLE));
    expect(await loginPasskey(context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
  });
});
