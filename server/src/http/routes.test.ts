import { describe, expect, it } from 'vitest';
import { ALL_ROUTES, moneyRouteOf, pathOf } from './routes.js';

const ask = (path: string, method = 'GET') => new Request(`https://relay.example${path}`, { method });

describe('the route of a request', () => {
  it('is never that of a path with an encoded character, an empty segment or a backslash [S59]', () => {
    for (const { path, method } of ALL_ROUTES) {
      const code = path.charCodeAt(1).toString(16);
      const spellings = [
        `/%${code}${path.slice(2)}`,
        `/${path}`,
        `${path}%`,
        `/\\${path.slice(1)}`,
        `${path}//`,
      ];
      for (const spelling of spellings) {
        expect([spelling, moneyRouteOf(ask(spelling, method))]).toEqual([spelling, null]);
        expect(ALL_ROUTES.map((route) => route.path)).not.toContain(pathOf(ask(spelling, method)));
      }
    }
  });

  it('does not depend on the query, which may hold any character', () => {
    expect(moneyRouteOf(ask('/status?a=%2F//\\'))?.path).toBe('/status');
    expect(pathOf(ask('/healthz#a%'))).toBe('/healthz');
    expect(pathOf(ask(''))).toBe('/');
  });

  it('is that of GET for a HEAD', () => {
    expect(moneyRouteOf(ask('/metrics', 'HEAD'))?.path).toBe('/metrics');
    expect(moneyRouteOf(ask('/metrics', 'POST'))).toBeNull();
  });
});
