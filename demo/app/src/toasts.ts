import type { FlowEvent } from 'latchkey';
import { toast } from 'sonner';

/** What a toast says of a flow's event; undefined where the event is not worth a toast. */
export interface ToastText {
  kind: 'loading' | 'success' | 'error';
  text: string;
}

export function registrationToast(event: FlowEvent<'registration'>): ToastText | undefined {
  if (event.status === 'error')
    return { kind: 'error', text: event.error?.message || event.message || 'Registration failed' };
  switch (event.phase) {
    case 'webauthn-verification':
      return event.status === 'progress' ? { kind: 'loading', text: 'Starting registration…' } : undefined;
    case 'key-generation':
      return event.status === 'success' ? { kind: 'loading', text: 'Keys generated' } : undefined;
    case 'access-key-addition':
      return { kind: 'loading', text: 'Creating account…' };
    case 'contract-registration':
      return event.status === 'progress'
        ? { kind: 'loading', text: 'Registering with the contract…' }
        : undefined;
    default:
      return undefined;
  }
}

/** The end of a registration, with its transaction where there is one. */
export function registeredToast(transactionId: string | null): ToastText {
  const text = 'Registration completed successfully';
  return { kind: 'success', text: transactionId ? `${text} (transaction ${transactionId})` : text };
}

export function loginToast(event: FlowEvent<'login'>, accountId: string): ToastText | undefined {
  if (event.status === 'error')
    return { kind: 'error', text: event.error?.message || event.message || 'Login failed' };
  switch (event.phase) {
    case 'preparation':
      return { kind: 'loading', text: `Logging in as ${accountId}...` };
    case 'webauthn-assertion':
      return { kind: 'loading', text: event.message };
    case 'login-complete':
      return { kind: 'success', text: `Logged in as ${accountId}!` };
    default:
      return undefined;
  }
}

export function actionToast(event: FlowEvent<'action'>): ToastText | undefined {
  if (event.status === 'error') {
    return {
      kind: 'error',
      text: `Transaction failed: ${event.error?.message || event.message || 'Unknown error'}`,
    };
  }
  if (event.phase === 'action-complete') return { kind: 'success', text: event.message };
  return { kind: 'loading', text: event.message };
}

/** As actionToast, for a signature that sends nothing: its errors say by themselves what failed. */
export function signatureToast(event: FlowEvent<'action'>): ToastText | undefined {
  if (event.status !== 'error') return actionToast(event);
  return { kind: 'error', text: event.error?.message || event.message || 'NEP-413 signing failed' };
}

const DURATION_MS = { loading: Number.POSITIVE_INFINITY, success: 2000, error: 4000 } as const;

/** Shows a text in the flow's one toast, in the place of what it said before. */
export function showToast(id: string, said: ToastText | undefined): void {
  if (said) toast[said.kind](said.text, { id, duration: DURATION_MS[said.kind] });
}
