/**
 * Counters, gauges and histograms as a Prometheus page (text format 0.0.4), for runtimes without prom-client: it needs the
 * modules of Node.
 */
import type { MetricsPage } from './metrics.js';
import type { Instruments, Labels } from './relay-metrics.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Family {
  readonly name: string;
  readonly head: string;
  readonly lines: () => string[];
}

export function createExposition(): Instruments & MetricsPage {
  const families: Family[] = [];

  /** A value for each combination of labels. */
  const series = (kind: 'counter' | 'gauge', name: string, help: string, isLabelled: boolean) => {
    const values = new Map<string, number>(isLabelled ? [] : [['', 0]]);
    const lines = () => [...values].map(([labels, value]) => `${name}${labels} ${value}`);
    families.push({ name, head: headOf(name, help, kind), lines });
    return {
      add(labels: Labels, amount: number) {
        const key = textOf(labels);
        values.set(key, (values.get(key) ?? 0) + amount);
      },
      set: (amount: number) => void values.set('', amount),
    };
  };

  return {
    counter(name, help, labelNames = []) {
      const { add } = series('counter', name, help, labelNames.length > 0);
      return { inc: (labels = {}, amount = 1) => add(labels, amount) };
    },

    gauge(name, help) {
      const { add, set } = series('gauge', name, help, false);
      return { inc: (amount = 1) => add({}, amount), set };
    },

    histogram(name, help, _labelNames, buckets) {
      const all = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();
      const lines = () =>
        [...all.values()].flatMap(({ labels, counts, sum, count }) => [
          ...buckets.map((le, index) => `${name}_bucket${textOf({ le, ...labels })} ${counts[index]}`),
          `${name}_bucket${textOf({ le: '+Inf', ...labels })} ${count}`,
          `${name}_sum${textOf(labels)} ${sum}`,
          `${name}_count${textOf(labels)} ${count}`,
        ]);
      families.push({ name, head: headOf(name, help, 'histogram'), lines });
      return {
        observe(labels, value) {
          const key = textOf(labels);
          const one = all.get(key) ?? { labels, counts: buckets.map(() => 0), sum: 0, count: 0 };
          all.set(key, one);
          one.sum += value;
          one.count += 1;
          buckets.forEach((le, index) => {
            if (value <= le) one.counts[index] = (one.counts[index] ?? 0) + 1;
          });
        },
      };
    },

    contentType: CONTENT_TYPE,
    read: async () => families.map(({ head, lines }) => `${[head, ...lines()].join('\n')}\n`).join('\n'),
  };
}

function headOf(name: string, help: string, kind: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}`;
}

/** Values of labels are the relay's own words and numbers; the escapes are those of the format. */
function textOf(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => {
    const escaped = String(value).replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
    return `${name}="${escaped}"`;
  });
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}
