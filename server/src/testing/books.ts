/** Checks the relayer's books against the chain, to the yocto. */
import { base64 } from '@scure/base';
import { expect, vi } from 'vitest';
import type { FaultProxy } from '../../../tests/support/fault-proxy.js';
import { type RpcClient, readSignedTransaction, rpcFailure } from '../../../ts/src/near/index.js';
import { burntYocto } from '../relayer/spend.js';
import type { MadeRegistration } from './registration.js';

/** How long a transaction takes to become final on a busy machine. */
const FINAL_MS = 30_000;
const RELAYER = 'relayer.testnet';
const REGISTRY = 'w3a-v1.testnet';

/** Opens the books, which contain every transaction that passes the proxy from now on. */
export async function openBooks(rpc: RpcClient, proxy: FaultProxy) {
  const balance = async (account: string) => {
    const view = await rpc.viewAccount(account);
    if (!view) throw new Error(`there is no account ${account}`);
    return BigInt(view.amount);
  };
  proxy.calls.length = 0;
  const before = { relayer: await balance(RELAYER), registry: await balance(REGISTRY) };

  /** Each transaction once, however often its bytes were sent. */
  const signed = () => {
    const calls = proxy.calls.filter(({ name }) => name === 'send_tx');
    const encoded = new Set(calls.map(({ body }) => JSON.parse(body).params.signed_tx_base64 as string));
    return Promise.all([...encoded].map((text) => readSignedTransaction(base64.decode(text))));
  };

  /** The outcome, once its gas is refunded; null for a transaction in no block. */
  const finalOutcome = (transactionId: string) =>
    vi.waitFor(
      async () => {
        const outcome = await rpc.transactionStatus(transactionId, RELAYER).catch((error: unknown) => {
          // Of one with a lost nonce, a node reports that, or does not know it.
          expect(rpcFailure(error)).toMatchObject({ kind: 'invalid_transaction', reason: 'InvalidNonce' });
          return null;
        });
        if (outcome) expect(outcome.final_execution_status).toBe('FINAL');
        return outcome;
      },
      { timeout: FINAL_MS, interval: 50 },
    );

  return {
    signed,
    /**
     * Asserts that the accounts of these requests exist, and that the relayer's account lost exactly their balances,
     * the registry's share and the gas. Returns how many transactions the chain accepted.
     */
    async balance(requests: readonly MadeRegistration[]): Promise<number> {
      const outcomes = await Promise.all(
        (await signed()).map(({ transactionId }) => finalOutcome(transactionId)),
      );
      const taken = outcomes.filter((outcome) => outcome !== null);
      const burnt = taken.reduce((sum, outcome) => sum + (burntYocto(outcome) ?? 0n), 0n);
      const accounts = await Promise.all(requests.map(({ new_account_id }) => balance(new_account_id)));
      const created = accounts.reduce((sum, amount) => sum + amount, 0n);
      const kept = (await balance(REGISTRY)) - before.registry;
      expect(before.relayer - (await balance(RELAYER))).toBe(created + kept + burnt);
      return taken.length;
    },
  };
}
