// Specification: core 5
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE, withTable } from './authenticators.mjs';

describe(PAGE, () => {
  it('has the table that the tests found (if not: node scripts/authenticators.mjs)', () => {
    const page = readFileSync(new URL(`../${PAGE}`, import.meta.url), 'utf8');
    expect(page).toBe(withTable(page));
  });

  it('lists every authenticator, and none as tried on real hardware', () => {
    const rows = withTable()
      .split('\n')
      .filter((row) => row.startsWith('| ') && row.endsWith(' never |'));
    expect(rows.length).toBeGreaterThan(30);
  });
});
