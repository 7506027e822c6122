import { describe, expect, it } from 'vitest';
import { STEPS } from '../../events.js';
import { MESSAGES } from '../protocol/index.js';
import { overlayOn } from './overlay-phases.js';

const at = (phase: string, status = 'progress') => overlayOn({ phase, status });

describe('the phases of a flow (core 4, frame 4)', () => {
  it.each(['user-confirmation', 'webauthn-authentication', 'webauthn-verification', 'webauthn-assertion'])(
    'show the frame at %s',
    (phase) => {
      expect(at(phase)).toBe('show');
    },
  );

  it('show it at steps 3 and 6 of a linking and at step 2 of a recovery', () => {
    const phaseOf = (flow: 'linking' | 'recovery', step: number): string =>
      Object.entries(STEPS[flow]).find(([, at]) => at === step)?.[0] ?? '';
    for (const phase of [phaseOf('linking', 3), phaseOf('linking', 6), phaseOf('recovery', 2)]) {
      expect(at(phase)).toBe('show');
    }
  });

  it.each([
    'authentication-complete',
    'transaction-signing-progress',
    'transaction-signing-complete',
    'contract-verification',
    'broadcasting',
    'action-complete',
    'contract-registration',
    'registration-complete',
    'vrf-unlock',
    'login-complete',
    'authenticator-saved',
    'linking-complete',
    'account-recovery-complete',
    'cancelled',
  ])('hide it at %s', (phase) => {
    expect(at(phase)).toBe('hide');
  });

  it('show it at a wait that the wallet draws, whatever the phase', () => {
    for (const phase of ['preparation', 'vrf-unlock']) {
      expect(overlayOn({ phase, status: 'progress', data: { waiting: true } })).toBe('show');
      expect(overlayOn({ phase, status: 'error', data: { waiting: true } })).toBe('hide');
    }
  });

  it('hide it at every error, and leave it unchanged at any other phase', () => {
    for (const phases of Object.values(STEPS)) {
      for (const phase of Object.keys(phases)) expect(at(phase, 'error')).toBe('hide');
    }
    for (const phase of ['preparation', 'polling', 'scanning', 'constructor', 'no-phase-of-ours']) {
      expect(at(phase)).toBeUndefined();
    }
  });
});

describe('the requests that cover the page from start to end (frame 4)', () => {
  it.each([
    'PM_REGISTER',
    'PM_LOGIN',
    'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA',
    'PM_SIGN_AND_SEND_TXS',
    'PM_EXECUTE_ACTION',
    'PM_SEND_TRANSACTION',
    'PM_SIGN_TXS_WITH_ACTIONS',
    'PM_SIGN_NEP413',
    'PM_EXPORT_NEAR_KEYPAIR_UI',
  ] as const)('include %s', (type) => {
    expect(MESSAGES[type].overlay).toBe('fullscreen');
  });
});
