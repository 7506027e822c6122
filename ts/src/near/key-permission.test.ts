import { describe, expect, it } from 'vitest';
import type { AccessKeyPermission } from '../types.js';
import { callBoundsOf, isFullAccess, lanesOf } from './key-permission.js';

const bounds = { receiverId: 'app.near', methodNames: ['vote'] };
const call = { FunctionCall: { ...bounds, allowance: null } };
const gasKey = { GasKeyFullAccess: { numNonces: 3 } };
const gasKeyForCalls = { GasKeyFunctionCall: { ...bounds, numNonces: 2 } };

describe("a key's permission (core 7)", () => {
  it.each<[string, AccessKeyPermission, boolean, number | undefined]>([
    ['FullAccess', 'FullAccess', true, undefined],
    ['FunctionCall', call, false, undefined],
    ['GasKeyFullAccess', gasKey, true, 3],
    ['GasKeyFunctionCall', gasKeyForCalls, false, 2],
  ])('says what the key may do, and how many lanes it has: %s', (_, permission, isFull, lanes) => {
    expect(isFullAccess(permission)).toBe(isFull);
    expect(lanesOf(permission)).toBe(lanes);
    if (isFull) expect(callBoundsOf(permission)).toBeUndefined();
    else expect(callBoundsOf(permission)).toMatchObject(bounds);
  });

  it('counts as full access where this version does not know its name', () => {
    expect(isFullAccess('Everything' as AccessKeyPermission)).toBe(true);
  });
});
