import { describe, expect, it } from 'vitest';
import {
  ACCOUNT_EXISTS,
  CRYPTO_FAILED,
  errorFrom,
  failedAs,
  isCancellation,
  LatchkeyError,
  NOT_LOGGED_IN,
  RELAY_REFUSED,
  toLatchkeyError,
  UNKNOWN,
  VRF_CHALLENGE_FAILED,
  WORKER_FAILED,
} from './account.js';

describe('errors (core 2)', () => {
  it('fills the placeholders of a text', () => {
    const values = { account: 'a.testnet' };
    const error = new LatchkeyError(ACCOUNT_EXISTS, { values });
    expect(error.message).toBe('Account a.testnet already exists. Please choose a different account ID.');
    expect(error).toMatchObject({ code: 'ACCOUNT_EXISTS', values });
  });

  it('leaves a dollar pattern in a value as it is', () => {
    const values = { reason: 'costs $& more' };
    expect(new LatchkeyError(RELAY_REFUSED, { values }).message).toBe('costs $& more');
  });

  it('keeps a LatchkeyError and wraps any other error with its cause', () => {
    const ours = new LatchkeyError(NOT_LOGGED_IN);
    expect(toLatchkeyError(ours)).toBe(ours);
    const other = new TypeError('odd');
    const wrapped = toLatchkeyError(other, 'Login');
    expect([wrapped.code, wrapped.cause]).toEqual(['UNKNOWN', other]);
    expect(wrapped.message).toBe(
      'Login failed due to an unknown error. Please check your connection and try again.',
    );
  });

  it('wraps a failure in the text of a code, unless it is of a WASM, which says what failed', () => {
    const message = 'VRF challenge generation failed: no entropy';
    const ofWasm = new LatchkeyError(CRYPTO_FAILED, { message, details: { workerCode: 'NO_RANDOMNESS' } });
    expect(failedAs(VRF_CHALLENGE_FAILED, ofWasm).message).toBe(message);
    const alike = new LatchkeyError(WORKER_FAILED, { message });
    expect(failedAs(VRF_CHALLENGE_FAILED, alike).message).toBe(`VRF challenge generation failed: ${message}`);
  });

  it('has no values where its message came from elsewhere', () => {
    expect(new LatchkeyError(RELAY_REFUSED, { message: 'no' }).values).toBeUndefined();
    expect(errorFrom({ code: 'RELAY_REFUSED', message: 'no' })).toMatchObject({
      message: 'no',
      values: undefined,
    });
  });

  it('that was reported is as it was', () => {
    const error = new LatchkeyError(ACCOUNT_EXISTS, { values: { account: 'a.testnet' }, details: { at: 1 } });
    const { code, message, values, details } = error;
    expect(errorFrom({ code, message, values, details })).toMatchObject({ code, message, values, details });
  });

  it('reports an abort as a cancellation', () => {
    expect(isCancellation(toLatchkeyError(new DOMException('stop', 'AbortError')))).toBe(true);
    expect(isCancellation(new LatchkeyError(UNKNOWN))).toBe(false);
  });
});
