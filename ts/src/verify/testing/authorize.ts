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
export interface Authorized {
  readonly accountId: string;
  readonly authorization: string;
}

/** Authorizes through a message that near-api-js signs with this key. */
export function authorize(
  accountId: string,
  key: KeyPair,
  asked: ToAuthorize & { readonly payload: string },
): Promise<Authorized> {
  const provider = new JsonRpcProvider({ url: 'http://127.0.0.1:9' });
  const signerAccount = new Account(accountId, provider, new KeyPairSigner(key));
  return authorizeBy(accountId, asked, async (payload) => {
    const { publicKey, signature } = await signMessage({ signerAccount, payload });
    return { publicKey: publicKey.toString(), signature: Uint8Array.from(signature) };
  });
}

/** Authorizes through a message that `sign` signs. */
export async function authorizeBy(
  accountId: string,
  { callbackUrl, ...changes }: ToAuthorize & { readonly payload: string },
  sign: (message: {
    message: string;
    nonce: Uint8Array;
    recipient: string;
    callbackUrl?: string;
  }) => Promise<{ publicKey: string; signature: Uint8Array }>,
): Promise<Authorized> {
  const timestamp = secondsText(Math.floor(Date.now() / 1000) - 60);
  const msg = { chain_id: CHAIN_ID, signer_id: accountId, timestamp, ...changes };
  const { publicKey, signature } = await sign({
    message: msg.payload,
    nonce: offchainMessageHash(msg),
    recipient: nep413RecipientOf(msg),
    ...(callbackUrl !== undefined && { callbackUrl }),
  });
  const [curve] = publicKey.split(':');
  const blob = {
    msg,
    via: { schema: 'nep413', extra: callbackUrl === undefined ? {} : { callback_url: callbackUrl } },
    access_key: publicKey,
    signature: `${curve}:${base58.encode(signature)}`,
  };
  return { accountId, authorization: JSON.stringify(blob) };
}
