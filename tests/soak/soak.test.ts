/** A short soak with every kind of fault and client. `just soak` runs a long one. */
import { expect, it } from 'vitest';
import { runSoak } from './soak.js';

const CLIENTS = 40;

it('relays lose no registration and pay none twice, to the yocto', { timeout: 600_000 }, async () => {
  const seed = Date.now() % 2 ** 32;
  const report = await runSoak({
    seed,
    goesOn: (index) => index < CLIENTS,
    atATime: 10,
    relays: 2,
    keys: 2,
    clientsPerEnding: 9,
    clientsPerWeather: 5,
  });
  expect(report.violations, `seed ${seed}`).toEqual([]);
  expect(report.granted).toBeGreaterThan(CLIENTS / 2);
  // A soak without any faults proves nothing.
  const counts = { ...report.clients, ...report.endings, ...report.faults };
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});
