import { describe, expect, it } from 'vitest';
import { tapResults } from './slowest.mjs';

const REPORT = `TAP version 13
# Subtest: the demo
    # Subtest: registers
    ok 1 - registers
      ---
      duration_ms: 1200.5
      type: 'test'
      ...
    # Subtest: in a frame
        # Subtest: signs
        not ok 1 - signs
          ---
          duration_ms: 300
          ...
        1..1
    ok 2 - in a frame
      ---
      duration_ms: 310
      ...
    1..2
ok 1 - the demo
  ---
  duration_ms: 1600
  ...
1..1
# tests 2
`;

describe('the times of a TAP report', () => {
  it('are those of the tests, each named with its suites, and not of the suites', () => {
    expect(tapResults(REPORT)).toEqual([
      { name: 'the demo › registers', state: 'ok', ms: 1200.5 },
      { name: 'the demo › in a frame › signs', state: 'not ok', ms: 300 },
    ]);
  });
});
