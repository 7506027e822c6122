import type { LatchkeyErrorCode, LoginResult } from 'latchkey';
import { useRef, useState } from 'react';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { usePasskeyContext } from '../context.js';
import { outcomeText, thrownText } from '../texts/error-text.js';
import { type PasskeyToast, toastOf } from '../toasts/toast-of.js';
import { rememberingSteps } from '../toasts/use-passkey-toasts.js';
import type { LoginMode } from './modes.js';

/** How a flow ended that did not log the user in. */
export interface FlowFailure {
  readonly mode: LoginMode;
  readonly accountId: string;
  readonly text: string | undefined;
  readonly code: LatchkeyErrorCode | undefined;
  /** The prompt of a login ended without the passkey. */
  readonly mayLackPasskey: boolean;
}

interface FlowEnds {
  onEvent: ((event: AnyFlowEvent) => void) | undefined;
  say: (toast: PasskeyToast | undefined) => void;
  onLoggedIn: (accountId: string) => void;
  onFailure: (failure: FlowFailure) => void;
}

interface Outcome {
  readonly loggedIn?: string;
  readonly text?: string | undefined;
  readonly code?: LatchkeyErrorCode | undefined;
}

const failureOf = (failed: Pick<LoginResult, 'error' | 'errorCode' | 'errorValues'>): Outcome => ({
  text: failed.error === undefined ? undefined : outcomeText(failed),
  code: failed.errorCode,
});

/** Runs one flow of the menu at a time. */
export function useFlow({ onEvent, say, onLoggedIn, onFailure }: FlowEnds) {
  const wallet = usePasskeyContext();
  const [running, setRunning] = useState<AbortController>();
  /** One recovery without a name was offered what this device has; the next one reaches every device. */
  const hasLookedHere = useRef(false);

  async function start(mode: LoginMode, accountId: string): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    let isPrompting = false;
    const toastFor = rememberingSteps();
    const hear = (event: AnyFlowEvent): void => {
      if (event.phase === 'webauthn-assertion') isPrompting = event.status === 'progress';
      onEvent?.(event);
      say(toastFor(event, { accountId }));
    };
    setRunning(controller);
    let outcome: Outcome;
    try {
      outcome = await { register, login, recover }[mode](accountId, { signal, onEvent: hear });
    } catch (error) {
      outcome = { text: thrownText(error) };
    } finally {
      setRunning(undefined);
    }
    const { loggedIn, text, code } = outcome;
    if (loggedIn !== undefined) return onLoggedIn(loggedIn);
    onFailure({ mode, accountId, text, code, mayLackPasskey: code === 'LOGIN_CANCELLED' && isPrompting });
  }

  interface Options {
    signal: AbortSignal;
    onEvent: (event: AnyFlowEvent) => void;
  }
  async function register(accountId: string, options: Options): Promise<Outcome> {
    // The click on 'Register' was the confirmation.
    const confirmationConfig = { behavior: 'autoProceed' } as const;
    const result = await wallet.registerPasskey(accountId, { ...options, confirmationConfig });
    return result.success ? { loggedIn: accountId } : failureOf(result);
  }
  async function login(accountId: string, options: Options): Promise<Outcome> {
    const result = await wallet.loginPasskey(accountId, options);
    return result.success ? { loggedIn: accountId } : failureOf(result);
  }
  async function recover(accountId: string, options: Options): Promise<Outcome> {
    const immediate = accountId === '' && !hasLookedHere.current;
    hasLookedHere.current ||= immediate;
    const result = await wallet.recoverAccountFlow({ accountId, options: { ...options, immediate } });
    if (result.success) return { loggedIn: result.accountId ?? accountId };
    // Not the error: the message says more, and it stays after the toast has gone.
    return failureOf({ ...result, error: result.message });
  }

  /** Finishes a linking of an earlier visit, which takes one more passkey touch. */
  async function finishLink(accountId: string): Promise<void> {
    const result = await wallet.passkeyManager.finishDeviceLinking(accountId, {
      onEvent(event) {
        onEvent?.(event);
        say(toastOf(event, { device: 2 }));
      },
    });
    if (result.success) {
      await wallet.refreshLoginState(accountId);
      onLoggedIn(accountId);
    }
    await wallet.resume().catch(() => undefined);
  }
  return { running, start, finishLink };
}
