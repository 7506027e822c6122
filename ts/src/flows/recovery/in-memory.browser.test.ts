import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IN_MEMORY_TEXT, nothingKeptText } from '../../errors/in-memory.js';
import { WalletStore } from '../../storage/store.js';
import { deleteDatabases } from '../../storage/testing/databases.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { loginPasskey } from '../session/login.js';
import { loggedInAccount } from '../signing/approve.js';
import { type Recoverable, recoverable } from '../testing/recoverable.js';
import { recoverAccountFlow } from './recover.js';

const ALICE = 'alice.w3a-v1.testnet';

let authenticator: VirtualAuthenticator;
let wallet: Recoverable;
const onRefused = vi.fn();

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('The user denied permission to access the database.', 'UnknownError');
    },
  });
  wallet = recoverable(new WalletStore(undefined, 'https://app.example', onRefused));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await wallet.close();
  await deleteDatabases();
  await authenticator.remove();
});

it('a framed wallet without storage points to recovery, recovers, and can sign and log in again', async () => {
  const { context } = wallet;
  const { publicKey } = await wallet.register(ALICE);
  expect(await loginPasskey(context, ALICE, {})).toMatchObject({
    errorCode: 'NO_LOCAL_ACCOUNT',
    error: nothingKeptText(ALICE),
  });
  expect(onRefused).toHaveBeenCalledTimes(1);
  const said: (string | undefined)[] = [];
  const result = await recoverAccountFlow(context, {
    accountId: ALICE,
    options: { onEvent: ({ message }) => said.push(message) },
  });
  expect(result).toMatchObject({ success: true, publicKey, loginState: { isLoggedIn: true } });
  expect(said).toContain(IN_MEMORY_TEXT);
  const account = await loggedInAccount(context, ALICE);
  expect(account.encryptedKey).toMatchObject({ nearAccountId: ALICE });
  await context.vrf.call('logout', []);
  expect(await loginPasskey(context, ALICE, {})).toMatchObject({ success: true, unlockedBy: 'passkey' });
});
