import { describe, expect, it } from 'vitest';
import { createExposition } from './exposition.js';
import type { RelayMetrics } from './metrics.js';
import { createPrometheusMetrics } from './prometheus.js';
import { createRelayMetrics } from './relay-metrics.js';

const CAP = 25n * 10n ** 23n;

/** Something of everything. */
function count(metrics: RelayMetrics): void {
  for (const seconds of [0.0004, 0.25, 0.3, 99]) metrics.request('/healthz', 'GET', 200, seconds);
  metrics.request('other', 'BREW', 404, 0.001);
  metrics.refused('spend_cap');
  metrics.refused('not_ready');
  metrics.limited('lock', 'total');
  metrics.registrationStarted();
  metrics.registrationStarted();
  metrics.registrationEnded('registered', 2.5);
  metrics.lock('remove', 'grace');
  metrics.keyLeases(1);
  metrics.keyLeases(-1);
  metrics.reserved(10n ** 23n);
  metrics.spent(64n * 10n ** 21n);
  metrics.budgetAlarm(50);
  metrics.rpc('send_tx');
}

/** The samples and the types of the relay's metrics, in one order of names and labels. */
function samplesOf(page: string): string[] {
  const lines = page.split('\n').filter((line) => line.includes('latchkey_relay_'));
  return lines
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`))
    .sort();
}

describe('the page of metrics without prom-client (core 9)', () => {
  it('has the samples, types and texts of prom-client’s', async () => {
    const onNode = createPrometheusMetrics({ spendCapYocto: CAP });
    const page = createExposition();
    count(onNode);
    count(createRelayMetrics(page, CAP));
    const samples = samplesOf(await page.read());
    expect(samples).toEqual(samplesOf(await onNode.read()));
    expect(samples).toContain('latchkey_relay_request_duration_seconds_bucket{le="0.25",route="/healthz"} 2');
    expect(samples).toContain('latchkey_relay_spend_cap_near 2.5');
    expect(page.contentType).toBe(onNode.contentType);
  });

  it('escapes what a label may not contain', async () => {
    const page = createExposition();
    page.counter('c', 'Help.', ['a']).inc({ a: 'x"y\\z\n' });
    expect(await page.read()).toBe('# HELP c Help.\n# TYPE c counter\nc{a="x\\"y\\\\z\\n"} 1\n');
  });
});
