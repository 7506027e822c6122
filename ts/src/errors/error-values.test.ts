import { describe, expect, it } from 'vitest';
import { errorValues } from './error-values.js';
import { LatchkeyError } from './linking.js';

describe('the values of an error', () => {
  it.each([
    ['LAST_DEVICE', {}],
    ['ACCESS_KEY_NOT_FOUND', { key: 'ed25519:a+b', account: 'alice.testnet' }],
    ['INSUFFICIENT_BALANCE', { account: 'a.testnet', balance: '0.1', needed: '2 (two)', reason: '' }],
    ['NEAR_RPC_FAILED', { reason: 'two\nlines' }],
  ] as const)('are read from the message of %s', (code, values) => {
    expect(errorValues(code, new LatchkeyError(code, { values }).message)).toEqual(values);
  });

  it('are unknown for a message that came from elsewhere, and for a code of another package', () => {
    expect(errorValues('LAST_DEVICE', 'relay: no')).toBeUndefined();
    expect(errorValues('ENOENT', 'no such file')).toBeUndefined();
    expect(errorValues(undefined, 'no such file')).toBeUndefined();
  });
});
