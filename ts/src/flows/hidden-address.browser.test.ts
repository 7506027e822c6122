/** What an app gets of an account without a name before its proof: the wallet as shipped, and the browser's authenticator. */
import { base58, hex } from '@scure/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Confirmer, ConnectModel } from '../confirm/port.js';
import { PasskeyManager } from '../passkey-manager.js';
import { sameOriginWallet } from '../same-origin.js';
import { WalletStore } from '../storage/store.js';
import { deleteDatabases } from '../storage/testing/databases.js';
import type { LoginState } from '../types.js';
import { PLATFORM } from '../webauthn/authenticator-models.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../webauthn/testing/virtual-authenticator.js';

/** The model that Chromium's virtual authenticator says it is. */
const VIRTUAL = '01020304-0506-0708-0102-030405060708';
const PLACEHOLDER = /^wallet-[\da-f]{12}\.unproven$/;
// Nothing listens there: an account without a name needs no node.
const CONFIG = { relayer: { url: 'http://127.0.0.1:9' }, rpcUrl: 'http://127.0.0.1:9' };

let authenticator: VirtualAuthenticator;
let manager: PasskeyManager;
/** All that the app was given or shown. */
let given: unknown[];
const confirmer: Confirmer = {
  show: async (model) => {
    given.push(model);
    return 'confirm';
  },
  choose: async (model: ConnectModel) => {
    given.push(model);
    return { kind: 'account', accountId: model.accountIds[0] ?? '' };
  },
};

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  // As a platform's own, it is asked only once.
  Object.assign(PLATFORM, { [VIRTUAL]: 'Virtual' });
  given = [];
  manager = opened();
});
afterEach(async () => {
  Reflect.deleteProperty(PLATFORM, VIRTUAL);
  vi.restoreAllMocks();
  await manager.destroy();
  await deleteDatabases();
  await authenticator.remove();
});

function opened(): PasskeyManager {
  const made = new PasskeyManager(CONFIG, { wallet: sameOriginWallet, confirmer });
  made.onLoginStateChange((state: LoginState) => void given.push(state));
  return made;
}

const hear = {
  onEvent: (event: unknown) => void given.push(event),
  onError: (error: unknown) => void given.push(error),
  afterCall: (...ended: unknown[]) => void given.push(...ended),
};

async function create(): Promise<string> {
  const made = await manager.createAccount({ options: hear });
  given.push(made);
  if (made.nearAccountId === null) throw new Error(made.error);
  expect(made.passkeyProven).toBe(false);
  return made.nearAccountId;
}

/** The address, read where no app can. */
async function stored(): Promise<{ address: string; publicKey: string }> {
  const store = new WalletStore();
  const [user] = await store.usersOnDevice();
  await store.close();
  if (!user) throw new Error('Nothing is stored');
  const { nearAccountId: address, clientNearPublicKey: publicKey } = user;
  expect(hex.encode(base58.decode(publicKey.slice('ed25519:'.length)))).toBe(address);
  return { address, publicKey };
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each instanceof Error ? { ...each, message: each.message, stack: each.stack, cause: each.cause } : each,
  );

async function expectNowhere(): Promise<void> {
  const { address, publicKey } = await stored();
  const text = textOf(given);
  expect(text).not.toContain(address);
  expect(text).not.toContain(publicKey);
}

describe('the address of an account without a name', () => {
  it('is given to an app nowhere before its proof', async () => {
    const placeholder = await create();
    expect(placeholder).toMatch(PLACEHOLDER);
    given.push(await manager.getLoginState(), await manager.getLoginState(placeholder));
    given.push(await manager.getRecentLogins(), await manager.resume());
    expect(await manager.hasPasskeyCredential(placeholder)).toBe(true);
    given.push(
      await manager.executeAction({
        nearAccountId: placeholder,
        receiverId: 'a.testnet',
        actionArgs: { type: 'Transfer', amount: '1' },
        options: hear,
      }),
    );
    given.push(await manager.discoverRecoverableAccounts());
    await expectNowhere();
  });

  it('is given after the proof, and its placeholder still opens the account', async () => {
    const placeholder = await create();
    const { address, publicKey } = await stored();
    expect(await manager.checkPasskey(placeholder)).toMatchObject({ success: true, nearAccountId: address });
    for (const id of [placeholder, address])
      expect(await manager.getLoginState(id)).toMatchObject({
        isLoggedIn: true,
        nearAccountId: address,
        publicKey,
      });
    expect((await manager.getRecentLogins()).accountIds).toEqual([address]);
  });

  it('is given after a login by the passkey, which is a proof', async () => {
    const placeholder = await create();
    const { address } = await stored();
    await manager.logout();
    expect(await manager.loginPasskey(placeholder)).toMatchObject({ success: true, nearAccountId: address });
  });

  it('is not given where the proof fails', async () => {
    const placeholder = await create();
    vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockReturnValue({
      prf: { results: { first: new Uint8Array(32).fill(8), second: new Uint8Array(32).fill(9) } },
    } as never);
    const checked = await manager.checkPasskey(placeholder, hear);
    expect(checked).toMatchObject({
      success: false,
      errorCode: 'PASSKEY_DIFFERS',
      nearAccountId: placeholder,
    });
    given.push(checked);
    await expectNowhere();
  });

  it('is not given to an app that starts later, nor in a recovery that no chain confirms', async () => {
    const placeholder = await create();
    await manager.destroy();
    manager = opened();
    given.push(await manager.getLoginState());
    const recovered = await manager.recoverAccount({ options: hear });
    expect(recovered).toMatchObject({ success: true, accountId: placeholder });
    given.push(recovered);
    const other = await manager.recoverAccount({ accountId: 'a1'.repeat(32), options: hear });
    expect(other).toMatchObject({ errorCode: 'PASSKEY_OF_ANOTHER_ACCOUNT' });
    given.push(other);
    await expectNowhere();
  });

  it('is proven before a page is connected to it', async () => {
    const placeholder = await create();
    await expectNowhere();
    const { address, publicKey } = await stored();
    const asked = vi.spyOn(CredentialsContainer.prototype, 'get');
    expect(await manager.connect()).toMatchObject({ success: true, accountId: address, publicKey });
    expect(given).toContainEqual(expect.objectContaining({ accountIds: [placeholder] }));
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
