/** Authorizations by access keys (NEP-641), as a wallet makes them from near-api-js's own NEP-413. */
import { base58 } from '@scure/base';
import { Account, JsonRpcProvider, type KeyPair, KeyPairSigner } from 'near-api-js';
import { signMessage } from 'near-api-js/nep413';
import {
  nep413RecipientOf,
  type OffchainMessage,
  offchainMessageHash,
  secondsText,
} from '../../nep641/message.js';

/** The chain id of `latchkey-devnet`. */
export const CHAIN_ID = 'testnet';

export interface ToAuthorize extends Partial<Omit<OffchainMessage, 'signer_id'>> {
  readonly callbackUrl?: string;
}

/** What a wallet answers: the account, and the authorization as text. */
export async function authorize(
  accountId: string,
  key: KeyPair,
  { callbackUrl, ...changes }: ToAuthorize & { readonly payload: string },
): Promise<{ accountId: string; authorization: string }> {
  const timestamp = secondsText(Math.floor(Date.now() / 1000) - 60);
  const msg = { chain_id: CHAIN_ID, signer_id: accountId, timestamp, ...changes };
  const signerAccount = new Account(
    accountId,
    new JsonRpcProvider({ url: 'http://127.0.0.1:9' }),
    new KeyPairSigner(key),
  );
  const payload = {
    message: msg.payload,
    nonce: offchainMessageHash(msg),
    recipient: nep413RecipientOf(msg),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
  const { signature } = await signMessage({ signerAccount, payload });
  const access_key = key.getPublicKey().toString();
  const [curve] = access_key.split(':');
  const blob = {
    msg,
    via: { schema: 'nep413', extra: callbackUrl === undefined ? {} : { callback_url: callbackUrl } },
    access_key,
    signature: `${curve}:${base58.encode(Uint8Array.from(signature))}`,
  };
  return { accountId, authorization: JSON.stringify(blob) };
}
