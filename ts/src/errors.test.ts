import { describe, expect, it } from 'vitest';
import { errorText, isCancellation, LatchkeyError, toLatchkeyError } from './errors.js';
import { createEmitter, STEPS } from './events.js';

describe('errors', () => {
  it('fills the placeholders of a text', () => {
    expect(errorText('ACCOUNT_EXISTS', { account: 'a.testnet' })).toBe(
      'Account a.testnet already exists. Please choose a different account ID.',
    );
  });

  it('leaves a dollar pattern in a value as it is', () => {
    expect(errorText('RELAY_REFUSED', { reason: 'costs $& more' })).toBe('costs $& more');
  });

  it('keeps an error of ours and wraps any other with its cause', () => {
    const ours = new LatchkeyError('NOT_LOGGED_IN');
    expect(toLatchkeyError(ours)).toBe(ours);
    const other = new TypeError('odd');
    const wrapped = toLatchkeyError(other, 'Login');
    expect([wrapped.code, wrapped.cause]).toEqual(['UNKNOWN', other]);
    expect(wrapped.message).toBe(
      'Login failed due to an unknown error. Please check your connection and try again.',
    );
  });

  it('takes an abort for a cancellation', () => {
    expect(isCancellation(toLatchkeyError(new DOMException('stop', 'AbortError')))).toBe(true);
    expect(isCancellation(new LatchkeyError('UNKNOWN'))).toBe(false);
  });
});

describe('events', () => {
  it('carry the step number of the one table', () => {
    const seen: unknown[] = [];
    const emit = createEmitter('action', (event) => seen.push(event));
    emit('broadcasting', 'progress', 'Sending', { data: { index: 0 } });
    expect(seen).toEqual([
      {
        flow: 'action',
        step: 8,
        phase: 'broadcasting',
        status: 'progress',
        message: 'Sending',
        data: { index: 0 },
      },
    ]);
  });

  it('number the steps of each flow from 1 without a gap, and failures 0', () => {
    for (const steps of Object.values(STEPS)) {
      const numbers = Object.values(steps).filter((step) => step > 0);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      for (const [phase, step] of Object.entries(steps)) expect(step === 0).toBe(phase.endsWith('-error'));
    }
  });
});
