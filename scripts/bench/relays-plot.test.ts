import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MEASURED, plotOf, THEMES } from './lib/relays-plot.mjs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the plot of several relays', () => {
  it.each(['light', 'dark'] as const)('is drawn from the measured figures: %s', (theme) => {
    const figures = JSON.parse(readFileSync(MEASURED, 'utf8'));
    expect(read(`../../docs/pictures/relays.${theme}.svg`)).toBe(plotOf(figures, THEMES[theme]));
  });

  it('puts a larger figure above a smaller one, and every figure between the axes', () => {
    const rows = [1, 16].map((keys) => ({ relays: 1, share: 'keys', keys, perSecond: keys * 10 }));
    const unlocks = {
      rows: [4, 64].map((connections) => ({ relays: 2, connections, perSecond: connections })),
    };
    const svg = plotOf({ registrations: { rows }, unlocks }, THEMES.light);
    const lines = [...svg.matchAll(/polyline points="([^"]+)"/g)].map(([, points = '']) => points.split(' '));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const [first, last] = line.map((point) => Number(point.split(',')[1]));
      expect(first).toBeGreaterThan(last!);
      expect(last).toBeGreaterThanOrEqual(52);
      expect(first).toBeLessThanOrEqual(256);
    }
    expect(svg).toContain('>2 relays</text>');
  });
});
