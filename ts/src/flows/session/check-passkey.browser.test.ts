/** A check of the passkey, with the workers as shipped and the browser's authenticator. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { checkPasskey } from './check-passkey.js';
import { loginPasskey } from './login.js';
import { getLoginState } from './session.js';

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await authenticator.remove();
});

const isProven = async () => (await getLoginState(wallet.context, ALICE)).userData?.passkeyProven;

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

describe('a check of the passkey (core 5)', () => {
  it('proves it with one prompt, without chain or relay', async () => {
    await wallet.context.store.updateUser(ALICE, 1, { passkeyProven: false });
    expect(await isProven()).toBe(false);
    const asked = vi.spyOn(CredentialsContainer.prototype, 'get');
    const calls = wallet.chain.calls.length;
    expect(await checkPasskey(wallet.context, ALICE, {})).toEqual({
      success: true,
      nearAccountId: ALICE,
      passkeyProven: true,
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.chain.calls).toHaveLength(calls);
    expect(await isProven()).toBe(true);
  });

  it.each(['first', 'second'] as const)(
    'that gives another %s output says so, and what to do',
    async (name) => {
      await checkPasskey(wallet.context, ALICE, {});
      giveOther(name);
      expect(await checkPasskey(wallet.context, ALICE, {})).toMatchObject({
        success: false,
        errorCode: 'PASSKEY_DIFFERS',
        error: expect.stringContaining('Send no money there while this stays so.'),
        passkeyProven: false,
      });
      expect(await isProven()).toBe(false);
    },
  );

  it('of an account that this device does not know is refused before any prompt', async () => {
    const asked = vi.spyOn(CredentialsContainer.prototype, 'get');
    expect(await checkPasskey(wallet.context, 'bob.w3a-v1.testnet', {})).toMatchObject({
      errorCode: 'NO_LOCAL_ACCOUNT',
    });
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('a login by a proven passkey (core 5)', () => {
  it.each<[how: string, said: object, proven: boolean]>([
    ['believes the proof where the passkey is as it was', {}, true],
    ['proves it again where its backup state has changed', { passkeyBackup: 'backed-up' }, false],
    ['proves it again where its attachment has changed', { passkeyAttachment: 'cross-platform' }, false],
  ])('%s', async (_, said, proven) => {
    await checkPasskey(wallet.context, ALICE, {});
    await wallet.context.store.updateUser(ALICE, 1, said);
    giveOther('second');
    expect(await loginPasskey(wallet.context, ALICE, {})).toMatchObject({
      success: true,
      unlockedBy: 'passkey',
    });
    expect(await isProven()).toBe(proven);
  });
});
