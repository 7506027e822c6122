import { type Device2Linking, type FlowEvent, isLatchkeyError, type LinkedAccount } from 'latchkey';
import { useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { RefreshIcon } from '../surface/icons.js';
import { Inline } from '../surface/inline.js';
import { LinkingCode } from './linking-code.js';
import { linkDeviceCss } from './styles.js';

/** Why the view ended: the device is linked (login may still be running), or linking failed. */
export type LinkDeviceEnd = 'linked' | 'failed';

export interface LinkDeviceQrProps {
  /** The account to join, if known. */
  accountId?: string;
  /** Called when the host should remove the view. */
  onClose: (end: LinkDeviceEnd) => void;
  /** Called once this device has a passkey of the account and the login state is up to date. */
  onLinked?: (account: LinkedAccount) => void;
  onEvent?: (event: FlowEvent<'linking'>) => void;
  onError?: (error: Error) => void;
}

type View =
  | { kind: 'generating' }
  | { kind: 'shown'; linking: Device2Linking; message: string | undefined; found: boolean }
  | { kind: 'over'; message: string };

/** Shows the code that a device of the account scans to let this device in. */
export function LinkDeviceQr({ accountId, onClose, onLinked, onEvent, onError }: LinkDeviceQrProps) {
  const { passkeyManager, refreshLoginState, theme } = usePasskeyContext();
  const [view, setView] = useState<View>({ kind: 'generating' });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ onClose, onLinked, onEvent, onError, refreshLoginState });
  latest.current = { onClose, onLinked, onEvent, onError, refreshLoginState };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another flow
  useEffect(() => {
    let over = false;
    let started = false;
    let latestMessage: string | undefined;
    let latestStep = 0;

    function onFlowEvent(event: FlowEvent<'linking'>) {
      latest.current.onEvent?.(event);
      if (over || event.status === 'error') return;
      if (event.phase === 'linking-complete' && event.status === 'success') {
        over = true;
        latest.current.onClose('linked');
        return;
      }
      latestMessage = messageOf(event);
      latestStep = event.step;
      setView((view) =>
        view.kind === 'shown'
          ? { ...view, message: latestMessage, found: view.found || latestStep >= ADD_KEY_DETECTED }
          : view,
      );
    }

    function fail(error: Error) {
      if (over) return;
      over = true;
      latest.current.onError?.(error);
      if (isLatchkeyError(error) && NEEDS_NEW_CODE.includes(error.code))
        setView({ kind: 'over', message: error.message });
      else latest.current.onClose('failed');
    }

    async function start() {
      started = true;
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
        if (!over)
          setView({ kind: 'shown', linking, message: latestMessage, found: latestStep >= ADD_KEY_DETECTED });
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    }

    setView({ kind: 'generating' });
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

  return (
    <Inline theme={theme} css={linkDeviceCss}>
      <section className="link" aria-label="Link this device">
        {view.kind === 'over' ? (
          <Over message={view.message} onAgain={() => setAttempt((number) => number + 1)} />
        ) : (
          <LinkingCode {...(view.kind === 'shown' ? view : {})} />
        )}
      </section>
    </Inline>
  );
}

function Over({ message, onAgain }: { message: string; onAgain: () => void }) {
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => again.current?.focus(), []);
  return (
    <>
      <div className="paper over" aria-hidden="true">
        <RefreshIcon />
      </div>
      <p className="state" role="alert">
        {message}
      </p>
      <button ref={again} type="button" className="button primary" onClick={onAgain}>
        Show a new code
      </button>
    </>
  );
}

/** After these errors a new code can still work. */
const NEEDS_NEW_CODE: readonly string[] = ['SESSION_EXPIRED', 'LINK_KEY_GONE', 'ACCOUNT_NOT_OWNED'];
const ADD_KEY_DETECTED = 5;

/** The event's message, except for `qr-code-generated`, where the visible code says enough. */
function messageOf(event: FlowEvent<'linking'>): string | undefined {
  return event.phase === 'qr-code-generated' ? undefined : event.message;
}
