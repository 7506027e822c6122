// A browser whose user has an account without a name.
import { ed25519 } from '@noble/curves/ed25519.js';
import { hex } from '@scure/base';
import type { ActionResult, ConfirmationWish } from 'latchkey';
import type { FaultStack } from '../faults/stack.js';
import { test as base, expect, pay, type Wallet } from './wallet.js';

/** The queries of the registry that an approval makes. */
export const RECORDS = 'query:get_authenticators_by_user';
export const VERDICT = 'query:verify_authentication_response';
export const YOCTO = '1';
export const ADDRESS = /^[\da-f]{64}$/;

/** `wallet` has an account without a name, which is logged in and not on the chain. */
export const test = base.extend<{ wallet: Wallet }>({
  wallet: async ({ open }, use) => {
    const wallet = await open();
    await createAccount(wallet);
    await use(wallet);
  },
});

/** Makes an account without a name, which is logged in. */
export async function createAccount(wallet: Wallet): Promise<void> {
  const { nearAccountId, error } = await wallet.manager.createAccount({ label: 'Savings' });
  if (!nearAccountId) throw new Error(error);
  wallet.accountId = nearAccountId;
}

export const send = (
  { manager, accountId: nearAccountId }: Wallet,
  receiverId: string,
  confirmationConfig: ConfirmationWish = {},
): Promise<ActionResult> =>
  manager.executeAction({
    nearAccountId,
    receiverId,
    actionArgs: { type: 'Transfer', amount: YOCTO },
    options: { waitUntil: 'FINAL', confirmationConfig },
  });

/** Asks for the address of the wallet's account by another prompt, where it does not know it yet. */
export async function prove(wallet: Wallet): Promise<void> {
  if (ADDRESS.test(wallet.accountId)) return;
  const proven = await wallet.manager.checkPasskey(wallet.accountId);
  if (!proven.success) throw new Error(proven.error);
  wallet.accountId = proven.nearAccountId;
}

/** Sends NEAR to the address of the wallet's account, and waits until its nodes show it. */
export async function fund(wallet: Wallet, stack: FaultStack, near = 2n): Promise<void> {
  await prove(wallet);
  const { manager, accountId } = wallet;
  await pay(stack, accountId, near);
  const keys = async () => (await manager.viewAccessKeyList(accountId).catch(() => ({ keys: [] }))).keys;
  await expect.poll(keys, { timeout: 30_000 }).toHaveLength(1);
}

/** An account that a transfer makes. */
export const someone = (): string =>
  hex.encode(ed25519.getPublicKey(crypto.getRandomValues(new Uint8Array(32))));

export { expect };
