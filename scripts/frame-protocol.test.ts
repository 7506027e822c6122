import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { frameProtocol, PATH } from './frame-protocol.mjs';

describe('docs/frame-protocol.md', () => {
  it('is what the table of the messages says now (if not: node --import tsx scripts/frame-protocol.mjs)', () => {
    expect(readFileSync(new URL(`../${PATH}`, import.meta.url), 'utf8')).toBe(frameProtocol());
  });
});
