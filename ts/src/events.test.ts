import { describe, expect, it } from 'vitest';
import { createEmitter, STEPS } from './events.js';

describe('events (core 4)', () => {
  it('have the steps of the specification', () => {
    const inOrder = (steps: object) =>
      Object.entries(steps)
        .filter(([, step]) => step > 0)
        .map(([phase]) => phase);
    expect(Object.values(STEPS).map(inOrder)).toEqual([
      [
        'webauthn-verification',
        'key-generation',
        'access-key-addition',
        'account-verification',
        'database-storage',
        'contract-registration',
        'registration-complete',
      ],
      ['preparation', 'webauthn-assertion', 'vrf-unlock', 'login-complete'],
      [
        'preparation',
        'user-confirmation',
        'contract-verification',
        'webauthn-authentication',
        'authentication-complete',
        'transaction-signing-progress',
        'transaction-signing-complete',
        'broadcasting',
        'action-complete',
      ],
      [
        'preparation',
        'webauthn-authentication',
        'sync-authenticators-onchain',
        'authenticator-saved',
        'account-recovery-complete',
      ],
      [
        'qr-code-generated',
        'scanning',
        'authorization',
        'polling',
        'addkey-detected',
        'registration',
        'linking-complete',
        'auto-login',
      ],
      ['preparation', 'viewer-opened', 'webauthn-authentication', 'key-delivered', 'viewer-closed'],
    ]);
  });

  it('carry the step number of the table', () => {
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
