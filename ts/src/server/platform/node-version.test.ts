import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assertNodeVersion } from './node-version.js';

describe('an old Node', () => {
  it.each(['18.20.4', '20.0.0', '20.18.3'])('%s is named, with the version that is needed', (version) => {
    expect(() => assertNodeVersion(version)).toThrow(`need Node 20.19 or later, and this is ${version}`);
  });

  it.each(['20.19.0', '22.0.0', '26.1.0', process.versions.node])('is not %s', (version) => {
    expect(() => assertNodeVersion(version)).not.toThrow();
  });

  it('is what package.json says', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(engines.node).toBe('>=20.19');
  });
});
