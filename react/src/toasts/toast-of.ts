import type { FlowEvent } from 'latchkey';
import { filled } from 'latchkey/internal';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { fateWords } from '../format/fate.js';
import { texts } from '../texts/current.js';
import { errorText, isCancelled } from '../texts/error-text.js';
import { stepText } from '../texts/step-text.js';
import { dismissalOf, type PasskeyToast, passkeyToast } from './toast.js';

/** What a toast may say that its event does not. */
export interface ToastAbout {
  /** The toast's id; by default the flow's name. */
  readonly id?: string | undefined;
  /** The account of the login. */
  readonly accountId?: string | undefined;
  /** The transaction of the registration. */
  readonly transactionId?: string | null | undefined;
  /** Which end of a linking this is: 1 scans (the default), 2 is the new device, which shows the code. */
  readonly device?: 1 | 2 | undefined;
  /** The call only signs, as `signNEP413Message` does. Its errors have no prefix 'Transaction failed: '. */
  readonly signsOnly?: boolean | undefined;
  /** The page itself says what failed, next to what the user pressed: a failure removes the toast. */
  readonly ownFailures?: boolean | undefined;
  /** The call sends NEAR alone. Its errors have the prefix 'Transfer failed: '. */
  readonly isTransfer?: boolean | undefined;
}

/** For a transaction whose outcome is not known yet: it did not fail. */
export function unknownToast(id = 'action'): PasskeyToast {
  const { label, sentence } = fateWords('unknown');
  return passkeyToast(id, 'blank', `${label}: ${sentence}`);
}

/** For the device that scanned, at the end of a linking. */
export function linkedToast(accountId: string, id = 'linking'): PasskeyToast {
  return passkeyToast(id, 'success', filled(texts().toasts.deviceLinkedTo, { account: accountId }));
}

/**
 * The toast for an event of the wallet; undefined where the one that shows may stay. An export has none: its viewer says what
 * happens.
 */
export function toastOf(event: AnyFlowEvent, about: ToastAbout = {}): PasskeyToast | undefined {
  const id = about.id ?? event.flow;
  if (about.ownFailures && event.status === 'error') return dismissalOf(id);
  const said = saidBy(event, about);
  return said && passkeyToast(id, ...said);
}

type Said = readonly [kind: 'loading' | 'success' | 'error' | 'blank', text: string];

function saidBy(event: AnyFlowEvent, about: ToastAbout): Said | undefined {
  // What the user ended is no fault.
  if (event.status === 'error' && isCancelled(event.error?.code)) return ['blank', failureOf(event, '')];
  switch (event.flow) {
    case 'registration':
      return ofRegistration(event, about);
    case 'login':
      return ofLogin(event, about);
    case 'recovery':
      return ofRecovery(event);
    case 'action':
      return ofAction(event, about);
    case 'linking':
      return about.device === 2 ? ofNewDevice(event) : ofScanningDevice(event);
    case 'export':
      return undefined;
  }
}

function ofRegistration(event: FlowEvent<'registration'>, { transactionId }: ToastAbout): Said | undefined {
  if (event.status === 'error') return ['error', failureOf(event, texts().toasts.registrationFailed)];
  const isProgress = event.status === 'progress';
  switch (event.phase) {
    case 'webauthn-verification':
      return isProgress ? ['loading', texts().toasts.registrationStarts] : undefined;
    case 'key-generation':
      return isProgress ? undefined : ['loading', texts().toasts.keysGenerated];
    case 'access-key-addition':
      return ['loading', texts().toasts.creatingAccount];
    case 'contract-registration':
      return isProgress ? ['loading', texts().toasts.registering] : undefined;
    case 'registration-complete':
      return [
        'success',
        transactionId
          ? filled(texts().toasts.registeredBy, { transaction: shortened(transactionId) })
          : texts().toasts.registered,
      ];
    default:
      return undefined;
  }
}

function ofLogin(event: FlowEvent<'login'>, { accountId }: ToastAbout): Said | undefined {
  if (event.status === 'error') return ['error', failureOf(event, texts().toasts.loginFailed)];
  switch (event.phase) {
    case 'preparation':
      return [
        'loading',
        accountId ? filled(texts().toasts.loggingIn, { account: accountId }) : stepText(event),
      ];
    case 'webauthn-assertion':
      return ['loading', stepText(event)];
    case 'login-complete':
      return [
        'success',
        accountId ? filled(texts().toasts.loggedIn, { account: accountId }) : stepText(event),
      ];
    default:
      return undefined;
  }
}

function ofRecovery(event: FlowEvent<'recovery'>): Said | undefined {
  if (event.status === 'error') return ['error', failureOf(event, texts().toasts.recoveryFailed)];
  if (event.phase === 'account-recovery-complete') return ['success', stepText(event)];
  return event.status === 'progress' ? ['loading', stepText(event)] : undefined;
}

function ofAction(event: FlowEvent<'action'>, { signsOnly, isTransfer }: ToastAbout): Said {
  if (event.status === 'error') {
    const { signingFailed, transferFailed, transactionFailed } = texts().toasts;
    if (signsOnly) return ['error', failureOf(event, signingFailed)];
    const prefixed = isTransfer ? transferFailed : transactionFailed;
    return ['error', filled(prefixed, { message: failureOf(event, texts().common.unknownError) })];
  }
  return [event.phase === 'action-complete' ? 'success' : 'loading', stepText(event)];
}

function ofScanningDevice(event: FlowEvent<'linking'>): Said {
  if (event.status === 'error') return ['error', linkingFailureOf(event)];
  const isDone = event.status === 'success';
  switch (event.phase) {
    case 'scanning':
      return ['loading', texts().toasts.scanning];
    case 'authorization':
      return isDone
        ? ['success', stepText(event) || texts().toasts.authorized]
        : ['loading', texts().toasts.authorizing];
    case 'registration':
      return isDone
        ? ['success', stepText(event) || texts().toasts.deviceLinked]
        : ['loading', texts().toasts.registeringDevice];
    case 'linking-complete':
      return isDone ? ['success', texts().toasts.linkingComplete] : ['loading', texts().toasts.processing];
    default:
      return ['loading', texts().toasts.processing];
  }
}

/** While the new device waits, the view with its code says for what. */
function ofNewDevice(event: FlowEvent<'linking'>): Said | undefined {
  if (event.status === 'error') return ['error', joiningFailureOf(event)];
  switch (event.phase) {
    case 'qr-code-generated':
      return event.status === 'success' ? ['success', texts().toasts.codeReady] : undefined;
    case 'polling':
      // The registry names the account; until then the other device has to scan and to authorize.
      return event.data?.nearAccountId === undefined ? undefined : ['loading', texts().toasts.confirming];
    case 'addkey-detected':
      return ['loading', texts().toasts.keyDetected];
    case 'registration':
      return ['loading', texts().toasts.registeringAuthenticator];
    case 'linking-complete':
      return ['success', texts().toasts.linked];
    case 'auto-login':
      return event.status === 'success'
        ? ['success', stepText(event, 2)]
        : ['loading', texts().toasts.autoLogin];
    default:
      return undefined;
  }
}

function linkingFailureOf(event: FlowEvent<'linking'>): string {
  switch (event.phase) {
    case 'registration-error':
      return failureOf(event, texts().toasts.registrationFailed);
    case 'login-error':
      return failureOf(event, texts().toasts.loginFailed);
    case 'device-linking-error':
      return failureOf(event, texts().toasts.linkingFailed);
    default:
      return failureOf(event, texts().toasts.operationFailed);
  }
}

function joiningFailureOf(event: FlowEvent<'linking'>): string {
  const said = linkingFailureOf(event);
  const { linkingFailed, linkingFailedBecause } = texts().toasts;
  const isNamed = event.phase === 'device-linking-error' && said !== linkingFailed;
  return isNamed ? filled(linkingFailedBecause, { message: said }) : said;
}

const failureOf = ({ error, message }: AnyFlowEvent, otherwise: string): string =>
  error ? errorText({ ...error, message: error.message || message || otherwise }) : message || otherwise;

/** An id of 44 characters is nothing to read: its ends tell it from another one. */
const shortened = (id: string): string => (id.length > 16 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id);
