'use client';
import { type Device2Linking, type FlowEvent, isLatchkeyError, type LinkedAccount } from 'latchkey';
import { useCallback, useEffect, useRef, useState } from 'react';
import { asError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';
import { loadHeadlines } from '../texts/current.js';
import { errorText, type Failure, thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { type LinkingStep, linkingStep } from './linking-step.js';

/** Why the code is over: the device is linked (login may still be running), or linking failed. */
export type LinkDeviceEnd = 'linked' | 'failed';

export interface LinkingCodeOptions {
  /** The account to join, if known: its passkey is then made before the code shows. */
  accountId?: string | undefined;
  /** The code has nothing more to show: remove it. */
  onClose?: ((end: LinkDeviceEnd) => void) | undefined;
  /** This device has a passkey of the account, and the login state is up to date. */
  onLinked?: ((account: LinkedAccount) => void) | undefined;
  onEvent?: ((event: FlowEvent<'linking'>) => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
}

export interface LinkingCodeView {
  /** The code is being generated, is there to be shown, or is over and `renew` makes another one. */
  status: 'generating' | 'shown' | 'over';
  /** The code, its check code and its end, while it is shown. */
  linking: Device2Linking | undefined;
  /** The current step, or why the code is over. */
  message: string | undefined;
  /** Why the code is over, with its code and its exact words. */
  failure: Failure | undefined;
  /** The other device has scanned the code. */
  found: boolean;
  /** Replaces the code by another one. */
  renew: () => void;
}

type View = Omit<LinkingCodeView, 'renew' | 'failure'> & { readonly failure?: Failure };

const GENERATING: View = { status: 'generating', linking: undefined, message: undefined, found: false };

/** Links this device to an account: the code for another device to scan, and the steps that follow. Runs while mounted. */
export function useLinkingCode(options: LinkingCodeOptions = {}): LinkingCodeView {
  const { accountId } = options;
  const { passkeyManager, refreshLoginState } = usePasskeyContext();
  const [view, setView] = useState<View>(GENERATING);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ ...options, refreshLoginState });
  latest.current = { ...options, refreshLoginState };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another flow
  useEffect(() => {
    let over = false;
    let started = false;
    let step: LinkingStep = { message: undefined, found: false };

    function onFlowEvent(event: FlowEvent<'linking'>) {
      latest.current.onEvent?.(event);
      if (over || event.status === 'error') return;
      if (event.phase === 'linking-complete' && event.status === 'success') {
        over = true;
        latest.current.onClose?.('linked');
        return;
      }
      step = linkingStep(event);
      const { message, found } = step;
      setView((shown) =>
        shown.status === 'shown' ? { ...shown, message, found: shown.found || found } : shown,
      );
    }

    function fail(error: Error) {
      if (over) return;
      over = true;
      latest.current.onError?.(error);
      if (isLatchkeyError(error) && NEEDS_NEW_CODE.includes(error.code))
        setView({ ...GENERATING, status: 'over', failure: thrownFailure(error) });
      else latest.current.onClose?.('failed');
    }

    async function start() {
      started = true;
      void loadHeadlines();
      try {
        const linking = await passkeyManager.startDevice2LinkingFlow({
          ...(accountId === undefined ? {} : { accountId }),
          ui: 'inline',
          onEvent: onFlowEvent,
          onError: fail,
          afterCall: async (success, account) => {
            if (!success || !account) return;
            await latest.current.refreshLoginState(account.nearAccountId);
            latest.current.onLinked?.(account);
          },
        });
        if (!over) setView({ status: 'shown', linking, ...step });
      } catch (error) {
        fail(asError(error));
      }
    }

    setView(GENERATING);
    // StrictMode mounts twice in development: only a mount that lasts starts a flow.
    const timer = setTimeout(() => void start(), 0);
    return () => {
      clearTimeout(timer);
      if (over || !started) return;
      over = true;
      passkeyManager.stopDevice2LinkingFlow().catch((error: unknown) => {
        passkeyManager.config.logger.warn('Device linking could not be stopped', error);
      });
    };
  }, [passkeyManager, accountId, attempt]);

  const renew = useCallback(() => setAttempt((number) => number + 1), []);
  // The words of the failure change once the headlines are loaded.
  useTexts();
  const { failure } = view;
  return { ...view, failure, message: failure ? errorText(failure) : view.message, renew };
}

/** After these errors a new code can still work. */
const NEEDS_NEW_CODE: readonly string[] = ['SESSION_EXPIRED', 'LINK_KEY_GONE', 'ACCOUNT_NOT_OWNED'];
