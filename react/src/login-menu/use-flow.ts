import type { CreatedAccount, LoginResult, RecoveryResult } from 'latchkey';
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

/** Offers passkeys in the menu's field, or over `place` in a framed wallet; calls `onNone` where nobody can. Returns what ends it. */
export type Offer = (onNone: () => void, place: Element | null) => () => void;

type LoginOutcome = Pick<LoginResult, 'success' | 'error' | 'errorCode' | 'errorValues'>;

interface Options {
  signal: AbortSignal;
  onEvent: (event: AnyFlowEvent) => void;
}

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
export function useFlow(ends: FlowEnds) {
  const wallet = usePasskeyContext();
  const latest = useRef(ends);
  latest.current = ends;
  const [running, setRunning] = useState<AbortController>();
  /** One recovery without a name was offered what this device has; the next one reaches every device. */
  const hasLookedHere = useRef(false);

  async function start(mode: LoginMode, accountId: string, make?: MakeAccount): Promise<void> {
    const controller = new AbortController();
    show(controller);
    await follow(mode, accountId, controller, (options) =>
      ({ register, login, recover })[mode](accountId, options, make),
    );
  }

  function show(controller: AbortController): void {
    setRunning(controller);
    void loadHeadlines();
  }

  /** Tells of the flow while it runs, and how it ended. Undefined as an outcome: there was nothing to tell. */
  async function follow(
    mode: LoginMode,
    accountId: string,
    controller: AbortController,
    flow: (options: Options) => Promise<Outcome | undefined>,
  ): Promise<void> {
    const { signal } = controller;
    let isPrompting = false;
    const toasts = saying((toast) => latest.current.say(toast));
    const hear = (event: AnyFlowEvent): void => {
      if (event.phase === 'webauthn-assertion' || event.phase === 'webauthn-authentication')
        isPrompting = event.status === 'progress';
      latest.current.onEvent?.(event);
      toasts.hear(event, { accountId, ownFailures: true });
    };
    let outcome: Outcome | undefined;
    try {
      outcome = await flow({ signal, onEvent: hear });
    } catch (error) {
      outcome = { failure: thrownFailure(error) };
    } finally {
      toasts.end();
      setRunning((now) => (now === controller ? undefined : now));
    }
    if (!outcome) return;
    const { loggedIn, failure } = outcome;
    if (loggedIn !== undefined) return latest.current.onLoggedIn(loggedIn);
    latest.current.onFailure({
      mode,
      accountId,
      failure,
      mayLackPasskey: isPrompting && isCancelled(failure?.code),
    });
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
    return result.success ? { loggedIn: result.loggedInNearAccountId ?? accountId } : failureOf(result);
  }
  async function recover(accountId: string, options: Options): Promise<Outcome> {
    const immediate = accountId === '' && !hasLookedHere.current;
    hasLookedHere.current ||= immediate;
    return recovered(await wallet.recoverAccountFlow({ accountId, options: { ...options, immediate } }));
  }
  function recovered(result: RecoveryResult): Outcome {
    if (result.success) return { loggedIn: result.accountId ?? '' };
    // Not the error: the message says more, and it stays after the toast has gone.
    return failureOf({ ...result, error: result.message });
  }

  /**
   * Offers passkeys in the menu's field, or in the one that a framed wallet draws over `container`, where the browser and the wallet
   * can; a recovery from the choice on. Calls `onNone` where they cannot. Returns what ends the offer, unless one was chosen.
   */
  function offer(onChosen: () => void, onNone: () => void, container: Element | null): () => void {
    const controller = new AbortController();
    let isChosen = false;
    void follow('recover', '', controller, async ({ signal, onEvent }) => {
      const hear = (event: AnyFlowEvent): void => {
        if (!isChosen && event.phase === 'webauthn-authentication' && event.status === 'success') {
          isChosen = true;
          onChosen();
          show(controller);
        }
        if (isChosen) onEvent(event);
      };
      try {
        const result = await wallet.passkeyManager.recoverByAutofill({ signal, onEvent: hear, container });
        if (isChosen && result) {
          if (result.success) await wallet.refreshLoginState(result.accountId ?? undefined);
          return recovered(result);
        }
      } catch (error) {
        if (isChosen) throw error;
      }
      // That nobody used it is no failure.
      if (!signal.aborted) onNone();
      return undefined;
    });
    return () => {
      if (!isChosen) controller.abort();
    };
  }

  /** Finishes a linking of an earlier visit, which takes one more passkey touch. */
  async function finishLink(accountId: string): Promise<void> {
    const toasts = saying(ends.say);
    const result = await wallet.passkeyManager.finishDeviceLinking(accountId, {
      onEvent(event) {
        ends.onEvent?.(event);
        toasts.hear(event, { device: 2 });
      },
    });
    if (result.success) {
      await wallet.refreshLoginState(accountId);
      ends.onLoggedIn(accountId);
    }
    await wallet.resume().catch(() => undefined);
  }
  return { running, start, offer, finishLink };
}
