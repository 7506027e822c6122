import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLAIMS, type Claim } from './claims.js';

const SECURITY = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8');
/** What follows is what does not hold. */
const [HOLDS = ''] = SECURITY.split('## What does not hold');
const claims: readonly Claim[] = Object.values(CLAIMS).flat();

it('every claim of the first page is one that SECURITY.md makes and tests', () => {
  expect(claims.map(({ id }) => id).filter((id) => !HOLDS.includes(`[${id}]`))).toEqual([]);
});
