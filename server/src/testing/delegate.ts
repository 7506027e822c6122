/** Signed delegates for tests, from near-api-js. */
import { base58, base64 } from '@scure/base';
import {
  Account,
  type Action,
  actions,
  buildDelegateAction,
  encodeSignedDelegate,
  type JsonRpcProvider,
  KeyPair,
  KeyPairSigner,
} from 'near-api-js';
import { developmentKey } from '../../../tests/support/relay/devnet.js';

export interface DelegateParts {
  readonly senderId: string;
  readonly receiverId: string;
  readonly actions: Action[];
  readonly nonce: bigint;
  readonly maxBlockHeight: bigint;
  readonly key: KeyPair;
}

/** A signed delegate with its NEP-461 hash; missing parts get defaults. */
export async function makeDelegate(parts: Partial<DelegateParts> = {}) {
  const {
    senderId = 'alice.testnet',
    receiverId = 'w3a-v1.testnet',
    actions: inner = [greet('hello')],
    nonce = 7n,
    maxBlockHeight = 1000n,
    key = KeyPair.fromRandom('ed25519'),
  } = parts;
  const publicKey = key.getPublicKey();
  const made = { senderId, receiverId, actions: inner, nonce, maxBlockHeight, publicKey };
  const { delegateHash, signedDelegate } = await new KeyPairSigner(key).signDelegateAction(
    buildDelegateAction(made),
  );
  return { bytes: encodeSignedDelegate(signedDelegate), hash: base58.encode(delegateHash), signedDelegate };
}

export type MadeDelegate = Awaited<ReturnType<typeof makeDelegate>>;

/** Signs as a wallet would: near-api-js reads nonce and height from the chain. */
export function createDelegateSigner(provider: JsonRpcProvider, defaultSenderId: string) {
  return async (
    inner: Action[],
    {
      senderId = defaultSenderId,
      receiverId = 'w3a-v1.testnet',
      blockHeightTtl = 5000,
      key = KeyPair.fromString(developmentKey(senderId)),
    }: { senderId?: string; receiverId?: string; blockHeightTtl?: number; key?: KeyPair } = {},
  ): Promise<MadeDelegate> => {
    const account = new Account(senderId, provider, new KeyPairSigner(key));
    const { signedDelegate, delegateHash } = await account.createSignedMetaTransaction({
      receiverId,
      actions: inner,
      blockHeightTtl,
    });
    const { nonce, maxBlockHeight } = signedDelegate.delegateAction;
    const made = await makeDelegate({ senderId, receiverId, actions: inner, nonce, maxBlockHeight, key });
    if (made.hash !== base58.encode(delegateHash))
      throw new Error('near-api-js has two hashes of one delegate');
    return made;
  };
}

/** The request body that a client posts. */
export function toRequest({ bytes, hash }: Pick<MadeDelegate, 'bytes' | 'hash'>) {
  return { hash, signedDelegate: base64.encode(Uint8Array.from(bytes)) };
}

export function greet(greeting: string, gas = 20_000_000_000_000n, deposit = 0n): Action {
  return actions.functionCall('set_greeting', { greeting }, gas, deposit);
}
