/** Dashboard and alerts name only metrics, labels and pages that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../server/src/observe/prometheus.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Panel {
  readonly title: string;
  readonly targets: { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as { panels: Panel[] };
const { groups } = load(read('deploy/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const expressions = [...panels.flatMap(({ targets }) => targets), ...rules].map(({ expr }) => expr);

/** The labels of each sample that a relay shows once everything has happened in it. */
const labelsOf = new Map<string, Set<string>>();
beforeAll(async () => {
  const metrics = createPrometheusMetrics({
    spendCapYocto: 1n,
    lockKeys: () => ({ madeAtMs: 1, inGrace: 0 }),
  });
  metrics.request('/healthz', 'GET', 200, 1);
  metrics.refused('internal');
  metrics.registrationStarted();
  metrics.registrationEnded('registered', 1);
  metrics.lock('apply', 'current');
  metrics.rpc('send_tx');
  for (const line of (await metrics.read())
    .split('\n')
    .filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?/.exec(line) ?? [];
    const known = labelsOf.get(name) ?? new Set(['instance', 'job']);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    labelsOf.set(name, known);
  }
  // Prometheus makes it for each relay that it asks.
  labelsOf.set('up', new Set(['instance', 'job']));
});

/** The metrics of an expression, each with the labels by which it is chosen. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b(up|(?:latchkey|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', by = '']) => ({
      name,
      labels: [...by.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
    }),
  );

describe('dashboard and alerts (core 9)', () => {
  it.each(expressions)('name metrics and labels that a relay has: %s', (expression) => {
    const used = metricsIn(expression);
    expect(used).not.toEqual([]);
    for (const { name, labels } of used) {
      expect([...labelsOf.keys()]).toContain(name);
      expect([...(labelsOf.get(name) ?? [])]).toEqual(expect.arrayContaining(labels));
    }
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
    const known = used.flatMap(({ name }) => [...(labelsOf.get(name) ?? [])]);
    expect(known).toEqual(expect.arrayContaining(grouped));
  });

  it('show every metric of the relay', () => {
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
    const names = new Set(shown.map(({ name }) => name.replace(/_bucket$/, '')));
    const own = [...labelsOf.keys()]
      .filter((name) => name.startsWith('latchkey_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    const hidden = new Set(own.filter((name) => !names.has(name)));
    // Alarms are events: they have log lines, a webhook and an alert.
    expect([...hidden]).toEqual(['latchkey_relay_budget_alarms_total']);
  });

  it('give each panel a title and legend, and each alert a sentence and a section of the runbook that exists', () => {
    for (const { title, targets } of panels) {
      expect(title).not.toBe('');
      for (const { legendFormat } of targets) expect(legendFormat).not.toBe('');
    }
    const headings = [...read('docs/guides/operations.mdx').matchAll(/^## (.+)$/gm)].map(([, text = '']) =>
      text.toLowerCase().replaceAll(' ', '-'),
    );
    for (const { alert, annotations } of rules) {
      const [page, section = ''] = annotations.runbook.split('#');
      expect([alert, page]).toEqual([alert, 'docs/guides/operations.mdx']);
      expect(headings).toContain(section);
      expect(annotations.summary).toMatch(/\.$/);
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});
