import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { frameProtocol, PATH } from './frame-protocol.mjs';

describe('docs/api/messages.md (frame 7)', () => {
  it('matches the message table (if not: node --import tsx scripts/frame-protocol.mjs)', () => {
    expect(readFileSync(new URL(`../${PATH}`, import.meta.url), 'utf8')).toBe(frameProtocol());
  });
});
