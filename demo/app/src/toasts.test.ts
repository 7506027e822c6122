import type { FlowEvent } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { actionToast, loginToast, registeredToast, registrationToast } from './toasts.js';

const registration = (over: Partial<FlowEvent<'registration'>>): FlowEvent<'registration'> => ({
  flow: 'registration',
  step: 1,
  phase: 'webauthn-verification',
  status: 'progress',
  message: 'a message',
  ...over,
});

describe('toasts', () => {
  it('follows a registration and names its transaction', () => {
    expect(registrationToast(registration({}))).toEqual({ kind: 'loading', text: 'Starting registration…' });
    expect(registeredToast('abc')).toEqual({
      kind: 'success',
      text: 'Registration completed successfully (transaction abc)',
    });
    expect(registeredToast(null).text).toBe('Registration completed successfully');
  });

  it('says why a registration failed, and that it failed where nothing is known', () => {
    const failed = { phase: 'registration-error', status: 'error' } as const;
    const error = { code: 'ACCOUNT_EXISTS', message: 'taken' } as const;
    expect(registrationToast(registration({ ...failed, error }))?.text).toBe('taken');
    expect(registrationToast(registration({ ...failed, message: '' }))).toEqual({
      kind: 'error',
      text: 'Registration failed',
    });
  });

  it('names the account of a login', () => {
    const login = { flow: 'login', step: 1, message: 'Asking for your passkey' } as const;
    expect(loginToast({ ...login, phase: 'preparation', status: 'progress' }, 'alice.testnet')?.text).toBe(
      'Logging in as alice.testnet...',
    );
    expect(
      loginToast({ ...login, phase: 'webauthn-assertion', status: 'progress' }, 'alice.testnet')?.text,
    ).toBe('Asking for your passkey');
    expect(loginToast({ ...login, phase: 'login-complete', status: 'success' }, 'alice.testnet')).toEqual({
      kind: 'success',
      text: 'Logged in as alice.testnet!',
    });
  });

  it('prefixes a failed transaction', () => {
    expect(
      actionToast({ flow: 'action', step: 0, phase: 'action-error', status: 'error', message: 'no gas' }),
    ).toEqual({ kind: 'error', text: 'Transaction failed: no gas' });
  });
});
