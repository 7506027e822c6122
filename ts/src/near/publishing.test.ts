import { expect, it } from 'vitest';
import { publishingYocto } from './publishing.js';

it('publishing burns 0.0001 NEAR for each byte of a global contract, and nothing else does', () => {
  const published = (bytes: number) =>
    ({ type: 'DeployGlobalContract', code: new Uint8Array(bytes), deployMode: 'CodeHash' }) as const;
  const own = { type: 'DeployContract', code: new Uint8Array(5) } as const;
  expect(publishingYocto([published(3), own, published(7)])).toBe(10n ** 21n);
  expect(publishingYocto([own])).toBe(0n);
  expect(publishingYocto([])).toBe(0n);
});
