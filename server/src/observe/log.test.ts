import { expect, it } from 'vitest';
import { createLog } from './log.js';

it('cuts a field that a chain node filled with megabytes', () => {
  const lines: string[] = [];
  createLog((line) => lines.push(line)).warn('refused', { cause: 'x'.repeat(1_000_000), code: 'y' });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.length).toBeLessThan(5000);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', event: 'refused', code: 'y' });
});
