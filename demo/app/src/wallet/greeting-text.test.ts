import { describe, expect, it } from 'vitest';
import { excessBytes, stampedGreeting } from './greeting-text.js';

describe('the stored greeting (demo 7)', () => {
  it('says when it was set', () => {
    const setAt = new Date(2026, 0, 2, 3, 4, 5);
    expect(stampedGreeting('  hi ', setAt)).toBe(`hi [updated: ${setAt.toLocaleTimeString()}]`);
  });

  it("counts its bytes, with the stamp, against the registry's limit", () => {
    const stamp = new TextEncoder().encode(stampedGreeting('', new Date())).length;
    expect(excessBytes(stampedGreeting('a'.repeat(280 - stamp), new Date()))).toBe(0);
    expect(excessBytes(stampedGreeting('a'.repeat(280), new Date()))).toBeGreaterThan(15);
    expect(excessBytes('ü'.repeat(141))).toBe(2);
  });
});
