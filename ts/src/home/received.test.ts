import { describe, expect, it } from 'vitest';
import { receivedOf, withReceived } from './received.js';

describe('what came in', () => {
  const came = (aboveBlock: number, more: object = {}) => ({
    amount: '5',
    at: aboveBlock,
    aboveBlock,
    upToBlock: aboveBlock + 1,
    ...more,
  });

  it('is kept, the newest first, and not without end', () => {
    let stored: unknown;
    for (let at = 0; at < 70; at += 1) stored = withReceived(stored, came(at));
    expect(receivedOf(stored)).toHaveLength(60);
    expect(receivedOf(stored)[0]).toMatchObject({ at: 69 });
    expect(receivedOf({ version: 1, entries: [came(1, { amount: '-5' }), came(2)] })).toEqual([came(2)]);
    const newer = { version: 2, entries: [came(1)] };
    expect([receivedOf(newer), withReceived(newer, came(2))]).toEqual([[], newer]);
  });

  it('is one entry where two tabs notice it, whichever looks first and however long after', () => {
    const stored = withReceived(withReceived(undefined, came(10)), came(12, { amount: '7' }));
    expect(receivedOf(withReceived(stored, came(8, { amount: '12', upToBlock: 20 })))).toHaveLength(2);
    expect(receivedOf(withReceived(stored, came(13)))).toHaveLength(3);
    expect(receivedOf(withReceived(stored, came(10, { contractId: 'coin.near' })))).toHaveLength(3);
  });
});
