/** The one event type through which every flow reports, and the one table of its steps. */
import type { ErrorValues, LatchkeyErrorCode } from './errors/latchkey-error.js';

/** The error of an event. `values` fill the text of its code; absent where the message came from elsewhere. */
export interface EventError {
  readonly code: LatchkeyErrorCode;
  readonly message: string;
  readonly values?: ErrorValues;
}

export type EventStatus = 'progress' | 'success' | 'error';

/** Phase names and their step numbers, flow by flow. Failures carry step 0. */
export const STEPS = {
  registration: {
    'webauthn-verification': 1,
    'key-generation': 2,
    'access-key-addition': 3,
    'account-verification': 4,
    'database-storage': 5,
    'contract-registration': 6,
    'registration-complete': 7,
    'registration-error': 0,
  },
  login: {
    preparation: 1,
    'webauthn-assertion': 2,
    'vrf-unlock': 3,
    'login-complete': 4,
    'login-error': 0,
  },
  action: {
    preparation: 1,
    'user-confirmation': 2,
    'contract-verification': 3,
    'webauthn-authentication': 4,
    'authentication-complete': 5,
    'transaction-signing-progress': 6,
    'transaction-signing-complete': 7,
    broadcasting: 8,
    'action-complete': 9,
    'wasm-error': 0,
    'action-error': 0,
  },
  recovery: {
    preparation: 1,
    'webauthn-authentication': 2,
    'sync-authenticators-onchain': 3,
    'authenticator-saved': 4,
    'account-recovery-complete': 5,
    'account-recovery-error': 0,
  },
  linking: {
    'qr-code-generated': 1,
    scanning: 2,
    authorization: 3,
    polling: 4,
    'addkey-detected': 5,
    registration: 6,
    'linking-complete': 7,
    'auto-login': 8,
    'registration-error': 0,
    'login-error': 0,
    'device-linking-error': 0,
  },
  export: {
    preparation: 1,
    'viewer-opened': 2,
    'webauthn-authentication': 3,
    'key-delivered': 4,
    'viewer-closed': 5,
    'export-error': 0,
  },
} as const;

export type FlowName = keyof typeof STEPS;
export type FlowPhase<F extends FlowName = FlowName> = F extends FlowName
  ? keyof (typeof STEPS)[F] & string
  : never;

/** One report of a flow. Steps follow what happens, so their numbers may come in another order. */
export interface FlowEvent<F extends FlowName = FlowName> {
  readonly flow: F;
  readonly step: number;
  readonly phase: FlowPhase<F>;
  readonly status: EventStatus;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: EventError;
}

export type EventListener<F extends FlowName = FlowName> = (event: FlowEvent<F>) => void;

export interface EmitOptions {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: EventError;
}

export type Emit<F extends FlowName> = (
  phase: FlowPhase<F>,
  status: EventStatus,
  message: string,
  options?: EmitOptions,
) => void;

/**
 * Creates an emitter for one flow; the step number comes from {@link STEPS}. A listener that throws is reported like
 * any event listener's error, and does not change the flow's outcome.
 */
export function createEmitter<F extends FlowName>(flow: F, listener: EventListener<F> | undefined): Emit<F> {
  const steps = STEPS[flow] as Readonly<Record<string, number>>;
  return (phase, status, message, options = {}) => {
    try {
      listener?.({ flow, step: steps[phase] ?? 0, phase, status, message, ...options });
    } catch (error) {
      reportError(error);
    }
  };
}
