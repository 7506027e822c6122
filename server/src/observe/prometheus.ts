/** The relay's metrics for Prometheus, on Node. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsPage, RelayMetrics } from './metrics.js';
import { createRelayMetrics, PREFIX } from './relay-metrics.js';

export interface PrometheusOptions {
  readonly spendCapYocto: bigint | null;
  /** Creation time of the lock's current key, in milliseconds since 1970, and the number of keys in grace. */
  readonly lockKeys?: () => { readonly madeAtMs: number | undefined; readonly inGrace: number } | null;
}

export function createPrometheusMetrics({
  spendCapYocto,
  lockKeys,
}: PrometheusOptions): RelayMetrics & MetricsPage {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const metrics = createRelayMetrics(
    {
      counter(name, help, labelNames = []) {
        const counter = new Counter({ name, help, labelNames, registers });
        return { inc: (labels = {}, amount = 1) => counter.inc(labels, amount) };
      },
      gauge: (name, help) => new Gauge({ name, help, registers }),
      histogram: (name, help, labelNames, buckets) =>
        new Histogram({ name, help, labelNames, buckets, registers }),
    },
    spendCapYocto,
  );
  if (lockKeys) {
    const gauge = (name: string, help: string, collect: (this: Gauge) => void) =>
      new Gauge({ name: PREFIX + name, help, registers, collect });
    gauge('lock_key_age_seconds', 'Age of the lock’s current key.', function () {
      const madeAtMs = lockKeys()?.madeAtMs;
      if (madeAtMs === undefined) this.remove();
      else this.set((Date.now() - madeAtMs) / 1000);
    });
    gauge('lock_grace_keys', 'Former lock keys that still open.', function () {
      this.set(lockKeys()?.inGrace ?? 0);
    });
  }
  return { ...metrics, contentType: registry.contentType, read: () => registry.metrics() };
}
