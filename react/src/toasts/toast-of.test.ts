import type { FlowEvent, FlowName } from 'latchkey';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { loadHeadlines } from '../texts/current.js';
import { rememberingSteps } from './remembering-steps.js';
import { dismissalOf, passkeyToast, TOASTER } from './toast.js';
import { linkedToast, toastOf, unknownToast } from './toast-of.js';

const event = <F extends FlowName>(
  flow: F,
  phase: FlowEvent<F>['phase'],
  status: FlowEvent<F>['status'] = 'progress',
  over: Partial<FlowEvent<F>> = {},
): AnyFlowEvent => ({ flow, step: 1, phase, status, message: 'a message', ...over }) as AnyFlowEvent;

const read = (...args: Parameters<typeof toastOf>) => {
  const toast = toastOf(...args);
  return toast && [toast.kind, toast.text];
};

beforeAll(loadHeadlines);

describe('the toast of an event (kit 4, kit 8, kit 9)', () => {
  it('has the flow as its id, or the id of the caller, and the duration of its kind', () => {
    expect(toastOf(event('action', 'broadcasting'))).toEqual({
      id: 'action',
      kind: 'loading',
      text: 'a message',
      durationMs: Number.POSITIVE_INFINITY,
    });
    expect(toastOf(event('action', 'action-complete', 'success'), { id: 'batch' })).toMatchObject({
      id: 'batch',
      durationMs: 2000,
    });
    expect(toastOf(event('login', 'login-error', 'error'))).toMatchObject({ id: 'login', durationMs: 4000 });
    expect(passkeyToast('x', 'blank', 'text').durationMs).toBe(4000);
    expect(dismissalOf('linking')).toMatchObject({ id: 'linking', kind: 'dismiss' });
  });

  it.each<[FlowEvent<'registration'>['phase'], FlowEvent['status'], string | undefined]>([
    ['webauthn-verification', 'progress', 'Starting registration…'],
    ['webauthn-verification', 'success', undefined],
    ['key-generation', 'success', 'Keys generated'],
    ['access-key-addition', 'progress', 'Creating account…'],
    ['contract-registration', 'progress', 'Registering with the contract…'],
    ['registration-complete', 'success', 'Registration completed successfully'],
  ])('of a registration in %s, %s, is: %s', (phase, status, text) => {
    expect(toastOf(event('registration', phase, status))?.text).toBe(text);
  });

  it('names the transaction of a registration, and not the one of an earlier registration', () => {
    const toast = rememberingSteps();
    const done = event('registration', 'registration-complete', 'success');
    toast(event('registration', 'webauthn-verification'));
    toast(event('registration', 'access-key-addition', 'success', { data: { transactionId: 'abc' } }));
    const named = 'Registration completed successfully (transaction abc)';
    expect(toast(done)?.text).toBe(named);
    expect(toast(done, { transactionId: undefined })?.text).toBe(named);
    expect(toast(done, { transactionId: null })?.text).toBe('Registration completed successfully');
    toast(event('registration', 'webauthn-verification'));
    expect(toast(done)?.text).toBe('Registration completed successfully');
  });

  it('says why a flow failed, or only that it failed if the reason is unknown', () => {
    const error = { code: 'ACCOUNT_EXISTS', message: 'taken' } as const;
    expect(read(event('registration', 'registration-error', 'error', { error }))).toEqual([
      'error',
      'This name is taken. Nothing was created. Pick another one.',
    ]);
    const silent = { message: '' };
    expect(read(event('registration', 'registration-error', 'error', silent))?.[1]).toBe(
      'Registration failed',
    );
    expect(read(event('login', 'login-error', 'error', silent))?.[1]).toBe('Login failed');
    expect(read(event('recovery', 'account-recovery-error', 'error', silent))?.[1]).toBe('Recovery failed');
    const action = event('action', 'action-error', 'error', silent);
    expect(read(action)?.[1]).toBe('Transaction failed: Unknown error');
    expect(read(action, { signsOnly: true })?.[1]).toBe('NEP-413 signing failed');
  });

  it('says a failure in a person’s words, what the user ended without a sign of a fault, or nothing where the page does', () => {
    const failed = (code: string, about = {}) =>
      toastOf(event('action', 'action-error', 'error', { error: { code, message: 'x' } as never }), about);
    expect(failed('VERIFICATION_FAILED')).toMatchObject({
      kind: 'error',
      text: 'Transaction failed: Your passkey wasn’t accepted. Nothing was sent. Try again.',
    });
    expect(failed('CANCELLED')).toMatchObject({
      kind: 'blank',
      text: expect.stringMatching(/^Operation was/),
    });
    expect(failed('VERIFICATION_FAILED', { ownFailures: true, id: 'a' })).toEqual(dismissalOf('a'));
  });

  it('shortens the id of a transaction', () => {
    const done = event('registration', 'registration-complete', 'success');
    const transactionId = '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ';
    expect(toastOf(done, { transactionId })?.text).toBe(
      'Registration completed successfully (transaction 9j30Wo…eguQ)',
    );
  });

  it('names the account of a login where the caller knows it', () => {
    const about = { accountId: 'alice.testnet' };
    expect(read(event('login', 'preparation'), about)).toEqual(['loading', 'Logging in as alice.testnet...']);
    expect(read(event('login', 'webauthn-assertion'), about)).toEqual(['loading', 'a message']);
    const done = event('login', 'login-complete', 'success');
    expect(read(done, about)).toEqual(['success', 'Logged in as alice.testnet!']);
    expect(read(done)).toEqual(['success', 'a message']);
  });

  it('has the message of a recovery, whose end names the account', () => {
    const message = 'Account alice.testnet recovered successfully!';
    expect(read(event('recovery', 'preparation'))).toEqual(['loading', 'a message']);
    expect(read(event('recovery', 'authenticator-saved', 'success'))).toBeUndefined();
    expect(read(event('recovery', 'account-recovery-complete', 'success', { message }))).toEqual([
      'success',
      message,
    ]);
  });

  it('prefixes a failed transaction, and not a failed signature', () => {
    const failed = event('action', 'action-error', 'error', { message: 'no gas' });
    expect(read(failed)).toEqual(['error', 'Transaction failed: no gas']);
    expect(read(failed, { signsOnly: true })).toEqual(['error', 'no gas']);
    expect(read(failed, { isTransfer: true })).toEqual(['error', 'Transfer failed: no gas']);
    expect(unknownToast('batch')).toMatchObject({ id: 'batch', kind: 'blank' });
    expect(unknownToast().text).toMatch(/^Not known yet: /);
  });

  it.each<[FlowEvent<'linking'>['phase'], FlowEvent['status'], string]>([
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
  ])('of a linking in %s, %s, is: %s', (phase, status, text) => {
    expect(read(event('linking', phase, status, { message: '' }))).toEqual([
      status === 'progress' ? 'loading' : status,
      text,
    ]);
  });

  it('prefers the message of a linking event that ends a step', () => {
    const said = { message: 'Authorized by passkey' };
    expect(read(event('linking', 'authorization', 'success', said))?.[1]).toBe(said.message);
    expect(read(event('linking', 'authorization', 'progress', said))?.[1]).toBe('Authorizing...');
    expect(read(event('linking', 'device-linking-error', 'error', said))?.[1]).toBe(said.message);
    expect(linkedToast('alice.testnet').text).toBe('Device linked successfully to alice.testnet!');
  });

  it.each<[FlowEvent<'linking'>['phase'], FlowEvent['status'], string | undefined]>([
    ['qr-code-generated', 'success', 'QR code ready'],
    ['polling', 'progress', undefined],
    ['addkey-detected', 'success', 'Device key detected on-chain'],
    ['registration', 'progress', 'Registering authenticator'],
    ['linking-complete', 'success', 'Linked successfully'],
    ['auto-login', 'progress', 'Auto-login in progress'],
    ['auto-login', 'success', 'a message'],
    ['device-linking-error', 'error', 'Device linking failed: a message'],
  ])('on the device that joins, in %s, %s, is: %s', (phase, status, text) => {
    expect(toastOf(event('linking', phase, status), { device: 2 })?.text).toBe(text);
  });

  it('says on the device that joins that the network confirms, once the registry names the account', () => {
    const named = event('linking', 'polling', 'progress', { data: { nearAccountId: 'alice.testnet' } });
    expect(read(named, { device: 2 })).toEqual(['loading', 'Confirming with the network']);
  });

  it('has no reason on the device that joins where the event has none', () => {
    const failed = event('linking', 'device-linking-error', 'error', { message: '' });
    expect(read(failed, { device: 2 })).toEqual(['error', 'Device linking failed']);
  });

  it('leaves an export to its viewer', () => {
    expect(toastOf(event('export', 'viewer-opened', 'success'))).toBeUndefined();
    expect(toastOf(event('export', 'export-error', 'error'))).toBeUndefined();
  });

  it('goes to a toaster with these limits', () => {
    expect(TOASTER).toEqual({
      limit: 20,
      position: 'bottom-right',
      width: 'min(90vw, 420px)',
      durationMs: 3500,
    });
  });
});
