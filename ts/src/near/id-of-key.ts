/** Accounts whose id is their key. Apart from the other checks of ids, which load everywhere and decode nothing. */
import { base58, hex } from '@scure/base';
import { isNearImplicitAccountId } from './account-id.js';

/** Whether the id is that of this public key (`ed25519:` and base58), so that a signature by it proves the account. */
export function isIdOf(accountId: string, publicKey: string): boolean {
  const [, digits = ''] = publicKey.split('ed25519:');
  return isNearImplicitAccountId(accountId) && hex.encode(base58.decode(digits)) === accountId;
}
