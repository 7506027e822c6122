import { base58 } from '@scure/base';
import type { WalletConnection } from 'near-kit';
import { type ClientAction, type ClientWords, toActionInput } from '../client-actions.js';
import { carriedBytes, notCarried } from '../client-errors.js';
import type { ActionInput } from '../types.js';

export type NearKitAction = Parameters<WalletConnection['signAndSendTransaction']>[0]['actions'][number];
type PublicKey = Extract<NearKitAction, { deleteKey: unknown }>['deleteKey']['publicKey'];

const WORDS: ClientWords<PublicKey> = {
  keyText(key) {
    if ('ed25519Key' in key) return `ed25519:${base58.encode(carriedBytes('a key', key.ed25519Key.data))}`;
    if ('secp256k1Key' in key)
      return `secp256k1:${base58.encode(carriedBytes('a key', key.secp256k1Key.data))}`;
    if ('mlDsa65Key' in key) return `ml-dsa-65:${base58.encode(carriedBytes('a key', key.mlDsa65Key.data))}`;
    throw notCarried(`a key of the kind ${Object.keys(key)[0] ?? 'without a name'}`);
  },
};

/** near-kit's actions of one transaction as the wallet shows and signs them. */
export function toActionInputs(actions: readonly NearKitAction[]): ActionInput[] {
  return actions.map((action) => toActionInput(action as ClientAction<PublicKey>, WORDS));
}
