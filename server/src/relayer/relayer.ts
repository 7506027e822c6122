/** The relayer's account: signs its function calls, each with its own nonce. */

import type { Action } from 'latchkey/internal/server';
import { highestNonce, type RpcClient, type RpcFailure } from 'latchkey/internal/server';
import type { SignedDelegate } from '../delegates/delegate-codec.js';
import type { KeyLease, LeaseStore } from './lease-store.js';
import type { SignedBytes, TransactionPlace, TransactionSigner } from './transaction-signer.js';

export interface FunctionCall {
  readonly receiverId: string;
  readonly methodName: string;
  /** JSON text. */
  readonly args: string;
  readonly gas: bigint;
  readonly depositYocto: bigint;
}

/** A signed call, not sent yet or with an unknown outcome. Sending it again executes it only once. */
export interface SignedCall {
  readonly borshBytes: Uint8Array;
  /** base58: the transaction's id. */
  readonly hash: string;
  readonly publicKey: string;
}

export interface Relayer {
  readonly accountId: string;
  /** Signs a call with the next nonce of one of the relayer's keys. */
  sign(call: FunctionCall): Promise<SignedCall>;
  /** Like {@link sign}, for one transaction of any actions, executed atomically. */
  signActions(receiverId: string, actions: readonly Action[]): Promise<SignedCall>;
  /** Like {@link sign}, for the transaction that carries a delegate to its sender. */
  signDelegate(delegate: Pick<SignedDelegate, 'bytes'>): Promise<SignedCall>;
  /**
   * Learns from a refusal. True if the same call may be signed again and sent: the refused transaction can never
   * execute, and the reason for it is gone.
   */
  learn(refused: SignedCall, failure: RpcFailure): Promise<boolean>;
}

/** Whether the chain refused a transaction because the relayer cannot pay for it. */
export function isUnfunded({ reason }: RpcFailure): boolean {
  return reason === 'NotEnoughBalance' || reason === 'LackBalanceForState';
}

/** A block hash is valid for about a day; one minute is far below that. */
const BLOCK_HASH_FRESH_MS = 60_000;

export function createRelayer(rpc: RpcClient, signer: TransactionSigner, leases: LeaseStore): Relayer {
  let block: { hash: Promise<string>; at: number } | undefined;

  const readBlockHash = async () => (await rpc.block({ finality: 'final' })).header.hash;

  const recentBlockHash = (): Promise<string> => {
    const now = performance.now();
    if (!block || now - block.at > BLOCK_HASH_FRESH_MS) {
      const reading = { hash: readBlockHash(), at: now };
      block = reading;
      reading.hash.catch(() => {
        if (block === reading) block = undefined;
      });
    }
    return block.hash;
  };

  const readKey = async (publicKey: string) => {
    const key = await rpc.viewAccessKey(signer.accountId, publicKey, { finality: 'optimistic' });
    if (!key) throw new Error(`the key ${publicKey} is not on ${signer.accountId}`);
    return key;
  };
  const readChainNonce = async (publicKey: string) => BigInt((await readKey(publicKey)).nonce);

  async function withLease<T>(
    publicKeys: readonly string[],
    use: (lease: KeyLease) => Promise<T>,
  ): Promise<T> {
    const lease = await leases.lease(publicKeys);
    try {
      return await use(lease);
    } finally {
      await lease.release();
    }
  }

  async function signWith(
    sign: (publicKey: string, place: TransactionPlace) => SignedBytes,
  ): Promise<SignedCall> {
    // Reads the block before it takes the nonce: the shorter the time from nonce to sending, the fewer nonces overtake
    // each other. The chain refuses an overtaken nonce, and the relay signs that call again.
    const blockHash = await recentBlockHash();
    return withLease(signer.publicKeys, async ({ publicKey, nextNonce }) => {
      const nonce = await nextNonce(() => readChainNonce(publicKey));
      return { ...sign(publicKey, { nonce: String(nonce), blockHash }), publicKey };
    });
  }

  const signActions: Relayer['signActions'] = (receiverId, actions) =>
    signWith((publicKey, place) => signer.sign(publicKey, place, { receiverId, actions: [...actions] }));

  return {
    accountId: signer.accountId,
    signActions,

    sign({ receiverId, methodName, args, gas, depositYocto }) {
      const call = { methodName, args, gas: String(gas), deposit: String(depositYocto) };
      return signActions(receiverId, [{ type: 'FunctionCall', ...call }]);
    },

    signDelegate: ({ bytes }) => signWith((publicKey, place) => signer.signDelegate(publicKey, place, bytes)),

    async learn({ publicKey }, failure) {
      switch (failure.reason) {
        case 'InvalidNonce': {
          const reached = highestNonce(await readKey(publicKey), failure);
          await withLease([publicKey], (lease) => lease.raise(reached));
          return true;
        }
        case 'NonceTooLarge':
          await withLease([publicKey], (lease) => lease.forget());
          return true;
        case 'Expired':
          block = undefined;
          return true;
        default:
          return false;
      }
    },
  };
}
