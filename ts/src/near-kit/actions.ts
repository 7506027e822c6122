import { base58 } from '@scure/base';
import type { WalletConnection } from 'near-kit';
import { type ClientAction, type ClientWords, toActionInput } from '../client-actions.js';
import { carriedBytes, notCarried } from '../client-errors.js';
import type { ActionInput } from '../types.js';

export type NearKitAction = Parameters<WalletConnection['signAndSendTransaction']>[0]['actions'][number];
type PublicKey = Extract<NearKitAction, { deleteKey: unknown }>['deleteKey']['publicKey'];

const WORDS: ClientWords<PublicKey> = {
  // An ML-DSA key is longer than a key of a transaction that the wallet shows.
  keyText(key) {
    if ('ed25519Key' in key) return `ed25519:${base58.encode(carriedBytes('a key', key.ed25519Key.data))}`;
    if ('secp256k1Key' in key)
      return `secp256k1:${base58.encode(carriedBytes('a key', key.secp256k1Key.data))}`;
    throw notCarried(`a key of the kind ${Object.keys(key)[0] ?? 'without a name'}`);
  },
  otherPermission: 'an AddKey of a gas key',
};

/** near-kit's actions of one transaction as the wallet shows and signs them. */
export function toActionInputs(actions: readonly NearKitAction[]): ActionInput[] {
  return actions.map((action) => toActionInput(action as ClientAction<PublicKey>, WORDS));
}
