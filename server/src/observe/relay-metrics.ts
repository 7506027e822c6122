/** The relay's metrics in the terms of Prometheus: one table of names, for any implementation of its instruments. */
import { writeNear } from 'latchkey/internal/server';
import type { Limited, RelayMetrics } from './metrics.js';

export type Labels = Readonly<Record<string, string | number>>;

/** What makes counters, gauges and histograms: prom-client on Node, and {@link createExposition} elsewhere. */
export interface Instruments {
  counter(name: string, help: string, labelNames?: string[]): { inc(labels?: Labels, amount?: number): void };
  gauge(name: string, help: string): { inc(amount?: number): void; set(amount: number): void };
  histogram(
    name: string,
    help: string,
    labelNames: string[],
    buckets: number[],
  ): { observe(labels: Labels, value: number): void };
}

export const PREFIX = 'latchkey_relay_';

/** Answers come from memory, from a modular exponentiation or, for a registration, after the chain's finality. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5, 5, 10, 30];
const REGISTRATION_SECONDS = [0.1, 0.5, 1, 2, 3, 4, 5, 7.5, 10, 20, 30, 60];

const LIMITED: readonly Limited[] = [
  'registration_requests',
  'registrations',
  'lock',
  'delegate',
  'app_key',
  'origins',
];

/** Methods allowed as labels: a client can send any word. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

export function createRelayMetrics(instruments: Instruments, spendCapYocto: bigint | null): RelayMetrics {
  const counter: Instruments['counter'] = (name, ...more) => instruments.counter(PREFIX + name, ...more);
  const gauge: Instruments['gauge'] = (name, help) => instruments.gauge(PREFIX + name, help);
  const histogram: Instruments['histogram'] = (name, ...more) =>
    instruments.histogram(PREFIX + name, ...more);

  const requests = counter('requests_total', 'Requests answered.', ['route', 'method', 'status']);
  const requestSeconds = histogram(
    'request_duration_seconds',
    'From a request to its answer.',
    ['route'],
    REQUEST_SECONDS,
  );
  const refusals = counter('refusals_total', 'Requests answered with a refusal, by its code.', ['code']);
  const limited = counter('limited_total', 'Requests refused by a limit, of one address or of all.', [
    'limit',
    'scope',
  ]);
  const registrations = counter('registrations_total', 'Registrations that came to an end, by outcome.', [
    'outcome',
  ]);
  const registrationSeconds = histogram(
    'registration_duration_seconds',
    'From a registration to its end.',
    ['outcome'],
    REGISTRATION_SECONDS,
  );
  const registering = gauge('registrations_in_progress', 'Registrations under way.');
  const lockOperations = counter('lock_operations_total', 'Locks applied and taken off.', [
    'operation',
    'key',
  ]);
  const keyLeases = gauge('key_leases', 'Leases that are held on the relayer’s access keys.');
  const spent = counter('spent_near_total', 'NEAR that left the relayer: deposits, gas and charges.');
  const reserved = gauge('reserved_near', 'NEAR set aside for transactions that are not settled.');
  const budgetAlarms = counter('budget_alarms_total', 'Alarms of the day’s budget, by percent of the cap.', [
    'percent',
  ]);
  const rpcRequests = counter('rpc_requests_total', 'Requests made to nodes of the chain.', ['method']);
  if (spendCapYocto !== null) {
    gauge('spend_cap_near', 'NEAR that may be spent within 24 hours.').set(toNear(spendCapYocto));
  }
  // Starts counters at zero: `rate` misses the first failure if the counter appears with it.
  for (const limit of LIMITED) for (const scope of ['address', 'total']) limited.inc({ limit, scope }, 0);
  registrations.inc({ outcome: 'registered' }, 0);
  for (const code of ['spend_cap', 'address_cap']) refusals.inc({ code }, 0);
  for (const percent of [50, 80]) budgetAlarms.inc({ percent }, 0);

  // Kept exact: a sum of rounded numbers would not return to zero.
  let reservedYocto = 0n;

  return {
    request(route, method, status, seconds) {
      requests.inc({ route, method: METHODS.has(method) ? method : 'other', status });
      requestSeconds.observe({ route }, seconds);
    },
    refused: (code) => refusals.inc({ code }),
    limited: (limit, scope) => limited.inc({ limit, scope }),
    registrationStarted: () => registering.inc(),
    registrationEnded(outcome, seconds) {
      registering.inc(-1);
      registrations.inc({ outcome });
      registrationSeconds.observe({ outcome }, seconds);
    },
    lock: (operation, key) => lockOperations.inc({ operation, key }),
    keyLeases: (change) => keyLeases.inc(change),
    reserved(changeYocto) {
      reservedYocto += changeYocto;
      reserved.set(toNear(reservedYocto));
    },
    spent: (yocto) => spent.inc({}, toNear(yocto)),
    budgetAlarm: (percent) => budgetAlarms.inc({ percent }),
    rpc: (method) => rpcRequests.inc({ method }),
  };
}

function toNear(yocto: bigint): number {
  return Number(writeNear(yocto));
}
