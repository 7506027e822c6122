import type { FlowEvent, FlowPhase } from 'latchkey';
import { fateWords } from 'latchkey-react';
import { toast } from 'sonner';

/** The toast for a flow's event; undefined when the event needs no toast. */
export interface ToastText {
  kind: 'loading' | 'success' | 'error' | 'info';
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

/** The end of a registration, with its transaction if there is one. */
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

export function recoveryToast(event: FlowEvent<'recovery'>): ToastText | undefined {
  if (event.status === 'error')
    return { kind: 'error', text: event.error?.message || event.message || 'Recovery failed' };
  if (event.phase === 'account-recovery-complete') return { kind: 'success', text: event.message };
  return event.status === 'progress' ? { kind: 'loading', text: event.message } : undefined;
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

/** The end of an action whose outcome is not known yet: it did not fail. */
export function unknownToast(): ToastText {
  const { label, sentence } = fateWords('unknown');
  return { kind: 'info', text: `${label}: ${sentence}` };
}

/** As actionToast, for a signature that sends nothing: its error messages need no prefix. */
export function signatureToast(event: FlowEvent<'action'>): ToastText | undefined {
  if (event.status !== 'error') return actionToast(event);
  return { kind: 'error', text: event.error?.message || event.message || 'NEP-413 signing failed' };
}

/** For the device that links another one. */
export function linkingToast(event: FlowEvent<'linking'>): ToastText {
  if (event.status === 'error') return { kind: 'error', text: linkingFailure(event) };
  const done = event.status === 'success';
  switch (event.phase) {
    case 'scanning':
      return { kind: 'loading', text: 'Scanning QR code...' };
    case 'authorization':
      return done
        ? { kind: 'success', text: event.message || 'Authorization completed successfully!' }
        : { kind: 'loading', text: 'Authorizing...' };
    case 'registration':
      return done
        ? { kind: 'success', text: event.message || 'Device linked successfully!' }
        : { kind: 'loading', text: 'Registering device...' };
    case 'linking-complete':
      return done
        ? { kind: 'success', text: 'Device linking completed successfully!' }
        : { kind: 'loading', text: 'Processing...' };
    default:
      return { kind: 'loading', text: 'Processing...' };
  }
}

/** The end of a linking, on the device that scanned. */
export function linkedToast(accountId: string): ToastText {
  return { kind: 'success', text: `Device linked successfully to ${accountId}!` };
}

/** For the new device, step by step. While it waits, the view with the code says for what. */
export function joiningToast(event: FlowEvent<'linking'>): ToastText | undefined {
  if (event.status === 'error') return { kind: 'error', text: linkingFailure(event) };
  switch (event.phase) {
    case 'qr-code-generated':
      return event.status === 'success' ? { kind: 'success', text: 'QR code ready' } : undefined;
    case 'addkey-detected':
      return { kind: 'loading', text: 'Device key detected on-chain' };
    case 'registration':
      return { kind: 'loading', text: 'Registering authenticator' };
    case 'linking-complete':
      return { kind: 'success', text: 'Linked successfully' };
    case 'auto-login':
      return event.status === 'success'
        ? { kind: 'success', text: event.message }
        : { kind: 'loading', text: 'Auto-login in progress' };
    default:
      return undefined;
  }
}

const LINKING_FAILURES: Readonly<Partial<Record<FlowPhase<'linking'>, string>>> = {
  'registration-error': 'Registration failed',
  'login-error': 'Login failed',
  'device-linking-error': 'Device linking failed',
};

function linkingFailure({ phase, error, message }: FlowEvent<'linking'>): string {
  return error?.message || message || (LINKING_FAILURES[phase] ?? 'Operation failed');
}

const DURATION_MS = { loading: Number.POSITIVE_INFINITY, success: 2000, error: 4000, info: 8000 } as const;

/** Shows the text in the flow's one toast and replaces the previous text. */
export function showToast(id: string, said: ToastText | undefined): void {
  if (said) toast[said.kind](said.text, { id, duration: DURATION_MS[said.kind] });
}

/** Removes the flow's toast. */
export function dismissToast(id: string): void {
  toast.dismiss(id);
}
