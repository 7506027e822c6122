import type { CreatedAccount, LoginResult } from 'latchkey';
import { useRef, useState } from 'react';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { usePasskeyContext } from '../context.js';
import { loadHeadlines } from '../texts/current.js';
import { type Failure, isCancelled, outcomeFailure, thrownFailure } from '../texts/error-text.js';
import { saying } from '../toasts/saying.js';
import type { PasskeyToast } from '../toasts/toast.js';
import type { LoginMode } from './modes.js';

/** How a flow ended that did not log the user in. */
export interface FlowFailure {
  readonly mode: LoginMode;
  readonly accountId: string;
  /** Undefined where nothing says why. */
  readonly failure: Failure | undefined;
  /** The prompt of a login or a recovery ended without the passkey. */
  readonly mayLackPasskey: boolean;
}

interface Asked {
  readonly signal: AbortSignal;
  readonly onEvent: (event: AnyFlowEvent) => void;
  readonly confirmationConfig: { readonly behavior: 'autoProceed' };
}

/** Makes an account in another way than by registering its name. */
export type MakeAccount = (
  options: Asked,
) => Promise<Pick<CreatedAccount, 'nearAccountId' | keyof LoginOutcome>>;

type LoginOutcome = Pick<LoginResult, 'success' | 'error' | 'errorCode' | 'errorValues'>;

interface FlowEnds {
  onEvent: ((event: AnyFlowEvent) => void) | undefined;
  say: (toast: PasskeyToast | undefined) => void;
  onLoggedIn: (accountId: string) => void;
  onFailure: (failure: FlowFailure) => void;
}

interface Outcome {
  readonly loggedIn?: string;
  readonly failure?: Failure | undefined;
}

const failureOf = (failed: Pick<LoginResult, 'error' | 'errorCode' | 'errorValues'>): Outcome => ({
  failure: failed.error === undefined ? undefined : outcomeFailure(failed),
});

/** Runs one flow of the menu at a time. */
export function useFlow({ onEvent, say, onLoggedIn, onFailure }: FlowEnds) {
  const wallet = usePasskeyContext();
  const [running, setRunning] = useState<AbortController>();
  /** One recovery without a name was offered what this device has; the next one reaches every device. */
  const hasLookedHere = useRef(false);

  async function start(mode: LoginMode, accountId: string, make?: MakeAccount): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    let isPrompting = false;
    const toasts = saying(say);
    const hear = (event: AnyFlowEvent): void => {
      if (event.phase === 'webauthn-assertion' || event.phase === 'webauthn-authentication')
        isPrompting = event.status === 'progress';
      onEvent?.(event);
      toasts.hear(event, { accountId, ownFailures: true });
    };
    setRunning(controller);
    void loadHeadlines();
    let outcome: Outcome;
    try {
      outcome = await { register, login, recover }[mode](accountId, { signal, onEvent: hear }, make);
    } catch (error) {
      outcome = { failure: thrownFailure(error) };
    } finally {
      toasts.end();
      setRunning(undefined);
    }
    const { loggedIn, failure } = outcome;
    if (loggedIn !== undefined) return onLoggedIn(loggedIn);
    onFailure({
      mode,
      accountId,
      failure,
      mayLackPasskey: isPrompting && isCancelled(failure?.code),
    });
  }

  interface Options {
    signal: AbortSignal;
    onEvent: (event: AnyFlowEvent) => void;
  }
  async function register(
    accountId: string,
    options: Options,
    make: MakeAccount = (asked) => wallet.registerPasskey(accountId, asked),
  ): Promise<Outcome> {
    // The click on 'Register' was the confirmation.
    const confirmationConfig = { behavior: 'autoProceed' } as const;
    const result = await make({ ...options, confirmationConfig });
    return result.success ? { loggedIn: result.nearAccountId ?? accountId } : failureOf(result);
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
    const toasts = saying(say);
    const result = await wallet.passkeyManager.finishDeviceLinking(accountId, {
      onEvent(event) {
        onEvent?.(event);
        toasts.hear(event, { device: 2 });
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
