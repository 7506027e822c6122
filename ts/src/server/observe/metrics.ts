/** What the relay tells its operator in numbers. No account, key or address is ever among them. */

import type { Limited } from '../http/limits.js';
import type { RefusalCode } from '../http/refusal.js';
import type { KeyLease, LeaseStore } from '../relayer/lease-store.js';
import type { SpendMeter, SpendReservation } from '../relayer/spend.js';

export interface RelayMetrics {
  /** A request was answered. `route` is the route's pattern, not the path that was asked for. */
  request(route: string, method: string, status: number, seconds: number): void;
  /** A request was answered with a refusal. */
  refused(code: RefusalCode): void;
  /** A request was refused by a limit: of its address, or of all of them together. */
  limited(limit: Limited, scope: 'address' | 'total'): void;
  registrationStarted(): void;
  /** A registration came to its end in this relay: with `registered`, or the code of its refusal. */
  registrationEnded(outcome: 'registered' | RefusalCode, seconds: number): void;
  /** The lock was applied, or taken off with the current key or one in grace. */
  lock(operation: 'apply' | 'remove', key: 'current' | 'grace'): void;
  /** A lease on one of the relayer's keys was taken (1) or given back (-1). */
  keyLeases(change: 1 | -1): void;
  /** More (or less) money is reserved for transactions that are not settled. */
  reserved(changeYocto: bigint): void;
  /** The chain has told that so much was spent. */
  spent(yocto: bigint): void;
  /** One HTTP request to a node of the chain. */
  rpc(method: string): void;
}

const nothing = () => undefined;

/** For runtimes where nobody collects them. */
export const noMetrics: RelayMetrics = {
  request: nothing,
  refused: nothing,
  limited: nothing,
  registrationStarted: nothing,
  registrationEnded: nothing,
  lock: nothing,
  keyLeases: nothing,
  reserved: nothing,
  spent: nothing,
  rpc: nothing,
};

/** Where `GET /metrics` reads them: a text and its media type. */
export interface MetricsPage {
  readonly contentType: string;
  read(): Promise<string>;
}

/** Counts the leases that are held. */
export function measureLeases(leases: LeaseStore, metrics: RelayMetrics): LeaseStore {
  return {
    async lease(publicKeys) {
      const lease = await leases.lease(publicKeys);
      metrics.keyLeases(1);
      let isHeld = true;
      const measured: KeyLease = {
        publicKey: lease.publicKey,
        nextNonce: (readChainNonce) => lease.nextNonce(readChainNonce),
        raise: (chainNonce) => lease.raise(chainNonce),
        forget: () => lease.forget(),
        async release() {
          if (isHeld) metrics.keyLeases(-1);
          isHeld = false;
          await lease.release();
        },
      };
      return measured;
    },
  };
}

/** Sums up what is reserved and spent. */
export function measureSpend(spend: SpendMeter, metrics: RelayMetrics): SpendMeter {
  return {
    async reserve(yocto) {
      const reservation = await spend.reserve(yocto);
      metrics.reserved(yocto);
      let isOpen = true;
      const close = (spentYocto: bigint) => {
        if (!isOpen) return;
        isOpen = false;
        metrics.reserved(-yocto);
        metrics.spent(spentYocto);
      };
      const measured: SpendReservation = {
        commit(actualYocto) {
          close(actualYocto);
          return reservation.commit(actualYocto);
        },
        release() {
          close(0n);
          return reservation.release();
        },
      };
      return measured;
    },
  };
}
