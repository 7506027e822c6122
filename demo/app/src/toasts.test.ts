import type { FlowEvent } from 'latchkey';
import { describe, expect, it } from 'vitest';
import {
  actionToast,
  joiningToast,
  linkedToast,
  linkingToast,
  loginToast,
  registeredToast,
  registrationToast,
} from './toasts.js';

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

  it('shows why a registration failed, or only that it failed if the reason is unknown', () => {
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

  const linking = (over: Partial<FlowEvent<'linking'>>): FlowEvent<'linking'> => ({
    flow: 'linking',
    step: 1,
    phase: 'scanning',
    status: 'progress',
    message: '',
    ...over,
  });

  it.each<[FlowEvent<'linking'>['phase'], FlowEvent<'linking'>['status'], string]>([
    ['scanning', 'progress', 'Scanning QR code...'],
    ['authorization', 'progress', 'Authorizing...'],
    ['authorization', 'success', 'Authorization completed successfully!'],
    ['registration', 'progress', 'Registering device...'],
    ['registration', 'success', 'Device linked successfully!'],
    ['linking-complete', 'success', 'Device linking completed successfully!'],
    ['polling', 'progress', 'Processing...'],
    ['registration-error', 'error', 'Registration failed'],
    ['login-error', 'error', 'Login failed'],
    ['device-linking-error', 'error', 'Device linking failed'],
    ['scanning', 'error', 'Operation failed'],
  ])('shows a linking in %s, %s, as: %s', (phase, status, text) => {
    expect(linkingToast(linking({ phase, status }))).toEqual({
      kind: status === 'progress' ? 'loading' : status,
      text,
    });
  });

  it('prefers the message of a linking event that ends a step', () => {
    const said = { message: 'Authorized by passkey' };
    expect(linkingToast(linking({ phase: 'authorization', status: 'success', ...said })).text).toBe(
      said.message,
    );
    expect(linkingToast(linking({ phase: 'authorization', ...said })).text).toBe('Authorizing...');
    expect(linkingToast(linking({ phase: 'device-linking-error', status: 'error', ...said })).text).toBe(
      said.message,
    );
    expect(linkedToast('alice.testnet').text).toBe('Device linked successfully to alice.testnet!');
  });

  it('follows the new device from its code to its login', () => {
    const texts = (['polling', 'addkey-detected', 'registration'] as const).map(
      (phase) => joiningToast(linking({ phase }))?.text,
    );
    expect(texts).toEqual([undefined, 'Device key detected on-chain', 'Registering authenticator']);
    const over = { status: 'success', message: 'Logged in' } as const;
    expect(joiningToast(linking({ phase: 'qr-code-generated', ...over }))?.text).toBe('QR code ready');
    expect(joiningToast(linking({ phase: 'linking-complete', ...over }))?.text).toBe('Linked successfully');
    expect(joiningToast(linking({ phase: 'auto-login' }))?.text).toBe('Auto-login in progress');
    expect(joiningToast(linking({ phase: 'device-linking-error', status: 'error' }))?.text).toBe(
      'Device linking failed',
    );
  });
});
