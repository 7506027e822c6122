/** The relay's metrics for its operator. They never contain an account, key or address. */

import type { RefusalCode } from '../http/refusal.js';
import type { KeyLease, LeaseStore } from '../relayer/lease-store.js';
import type { SpendMeter, SpendReservation } from '../relayer/spend.js';

/** The counted kinds of requests. */
export type Limited =
  /** Registration requests with any content. */
  | 'registration_requests'
  /** Registrations that this relay does not know yet. */
  | 'registrations'
  /** Applying and removing the lock. */
  | 'lock'
  | 'delegate'
  /** Payments into app keys. */
  | 'app_key'
  /** The list of origins at /.well-known/webauthn. */
  | 'origins';

/** The parts of the day's budget that raise an alarm, in percent. */
export type BudgetPercent = 50 | 80;

export interface RelayMetrics {
  /** A request was answered. `route` is the route's pattern, not the requested path. */
  request(route: string, method: string, status: number, seconds: number): void;
  /** A request was answered with a refusal. */
  refused(code: RefusalCode): void;
  /** A limit refused a request: that of its address, or the total. */
  limited(limit: Limited, scope: 'address' | 'total'): void;
  registrationStarted(): void;
  /** A registration ended in this relay: with `registered`, or with its refusal's code. */
  registrationEnded(outcome: 'registered' | RefusalCode, seconds: number): void;
  /** The lock was applied, or removed with the current key or one in grace. */
  lock(operation: 'apply' | 'remove', key: 'current' | 'grace'): void;
  /** A lease on one of the relayer's keys was taken (1) or returned (-1). */
  keyLeases(change: 1 | -1): void;
  /** The money reserved for unsettled transactions changed by this amount. */
  reserved(changeYocto: bigint): void;
  /** The chain reported this much as spent. */
  spent(yocto: bigint): void;
  /** This much of the day's budget was reached. */
  budgetAlarm(percent: BudgetPercent): void;
  /** One HTTP request to a chain node. */
  rpc(method: string): void;
}

const nothing = () => undefined;

/** For runtimes without metrics. */
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
  budgetAlarm: nothing,
  rpc: nothing,
};

/** The content of `GET /metrics`: a text and its media type. */
export interface MetricsPage {
  readonly contentType: string;
  read(): Promise<string>;
}

/** Counts the leases held. */
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

/** Counts reserved and spent money. */
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
        tickets: reservation.tickets ?? [],
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
