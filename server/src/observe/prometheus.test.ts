import { describe, expect, it } from 'vitest';
import { scriptedRelay } from '../testing/scripted-relay.js';
import { createPrometheusMetrics } from './prometheus.js';

describe('the metrics', () => {
  it('contain no method or path that a client made up', async () => {
    const metrics = createPrometheusMetrics({ spendCapYocto: null });
    const { app } = scriptedRelay({ metrics });
    for (const method of ['BREW', 'DELETE', 'GET']) await app.request('/of/alice.testnet', { method });
    await app.request('/signed-delegate', { method: 'BREW' });
    const page = await metrics.read();
    expect(page).not.toMatch(/BREW|DELETE|alice/);
    expect(page).toContain('{route="other",method="other",status="404"} 3');
    expect(page).toContain('{route="other",method="GET",status="404"} 1');
  });
});
