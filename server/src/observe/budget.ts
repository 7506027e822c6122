/** Tells the operator when most of the day's budget is spent or reserved. */
import { messageOf, writeNear } from 'latchkey/internal/server';
import type { Secret } from '../platform/secret.js';
import type { CountingSpendMeter, SpendMeter } from '../relayer/spend.js';
import type { RelayStore } from '../relayer/store.js';
import type { Log } from './log.js';
import type { BudgetPercent, RelayMetrics } from './metrics.js';

/** Percent of the spend cap, highest first, with the level of the log line. */
const ALARMS = [
  { percent: 80, level: 'error' },
  { percent: 50, level: 'warn' },
] as const satisfies readonly { percent: BudgetPercent; level: 'error' | 'warn' }[];

export interface BudgetAlarmOptions {
  readonly capYocto: bigint;
  readonly relayerAccountId: string;
  readonly isFirstWithin: RelayStore['isFirstWithin'];
  readonly log: Log;
  readonly metrics: Pick<RelayMetrics, 'budgetAlarm'>;
  /** Where each alarm is posted as JSON. Secret, because such an address often carries a token. Null: nowhere. */
  readonly webhook: Secret | null;
}

const DAY_MS = 24 * 3_600_000;
const WEBHOOK_TIMEOUT_MS = 10_000;

/** A meter that raises each alarm at most once in 24 hours. */
export function watchBudget(meter: CountingSpendMeter, options: BudgetAlarmOptions): SpendMeter {
  const { capYocto, relayerAccountId, isFirstWithin, log, metrics, webhook } = options;

  const look = async () => {
    const { countedYocto } = await meter.count();
    const reached = ALARMS.filter(({ percent }) => countedYocto * 100n >= capYocto * BigInt(percent));
    const [highest] = reached;
    if (!highest || !(await isFirstWithin(String(highest.percent), DAY_MS))) return;
    // A step over several levels is one alarm.
    for (const { percent } of reached.slice(1)) await isFirstWithin(String(percent), DAY_MS);
    const { percent, level } = highest;
    const alarm = {
      percent,
      relayerAccountId,
      countedNear: writeNear(countedYocto),
      capNear: writeNear(capYocto),
    };
    log[level]('budget_alarm', alarm);
    metrics.budgetAlarm(percent);
    if (webhook) {
      post(webhook, { event: 'budget_alarm', ...alarm }).catch((error: unknown) =>
        log.error('budget_webhook_failed', {
          percent,
          reason: messageOf(error).replaceAll(webhook.reveal(), '[url]'),
        }),
      );
    }
  };

  return {
    async reserve(yocto) {
      const reservation = await meter.reserve(yocto);
      await look().catch((error: unknown) => log.error('budget_unread', { reason: messageOf(error) }));
      return reservation;
    },
  };
}

async function post(webhook: Secret, alarm: object): Promise<void> {
  const response = await fetch(webhook.reveal(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alarm),
    redirect: 'manual',
    signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered with status ${response.status}`);
}
