/** A recovery in an empty browser, and what it stores. */
import { expect, vi } from 'vitest';
import { deleteDatabases } from '../../storage/testing/databases.js';
import type { RecoveryRequest } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { recoverAccountFlow } from '../recovery/recover.js';
import { type Recoverable, recoverable } from './recoverable.js';

export const ALICE = 'alice.w3a-v1.testnet';
export const BOB = 'bob.w3a-v1.testnet';

export let authenticator: VirtualAuthenticator;
export let wallet: Recoverable;

/** Gives the test an authenticator and an empty browser. */
export async function begin(): Promise<void> {
  authenticator = await addVirtualAuthenticator();
  wallet = recoverable();
}

export async function end(): Promise<void> {
  vi.restoreAllMocks();
  await wallet.close();
  await deleteDatabases();
  await authenticator.remove();
}

export const prompts = () => vi.spyOn(CredentialsContainer.prototype, 'get');
export const recover = (request: RecoveryRequest = {}) => recoverAccountFlow(wallet.context, request);

export async function stored() {
  const { store } = wallet.context;
  const [users, authenticators, key, last] = await Promise.all([
    store.users(),
    store.authenticators(ALICE),
    store.encryptedKey(ALICE, 1),
    store.lastUser(),
  ]);
  return { users, authenticators, key, last };
}

export async function expectNothingStored() {
  expect(await stored()).toEqual({ users: [], authenticators: [], key: undefined, last: undefined });
  expect(await wallet.context.vrf.call('status', [])).toMatchObject({ active: false });
}
