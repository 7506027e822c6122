import { useEffect, useId, useRef, useState } from 'react';
import { LinkDeviceQr } from '../link-device/link-device-qr.js';
import { BackIcon } from '../surface/icons.js';
import { type Failure, thrownFailure } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { dismissalOf, type PasskeyToast } from '../toasts/toast.js';
import { toastOf } from '../toasts/toast-of.js';
import type { LoginMenuProps } from './props.js';
import { Waiting } from './waiting.js';

interface LinkViewProps {
  onEvent: LoginMenuProps['onEvent'];
  /** The account to join. With it, the passkey is created before the code is shown; without, after the scan. */
  accountId: string | undefined;
  onBack: (problem?: Failure) => void;
  onLinked: (accountId: string) => void;
  say: (toast: PasskeyToast | undefined) => void;
}

/** Shows this device's code until it is linked or the user goes back. */
export function LinkView({ accountId, onBack, onLinked, onEvent, say }: LinkViewProps) {
  const { common, loginMenu, scanner } = useTexts();
  const [linked, setLinked] = useState(false);
  const problem = useRef<Failure>(undefined);
  const back = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => back.current?.focus(), []);

  if (linked) return <Waiting text={loginMenu.loggingIn} />;
  return (
    <section className="menu link-view" aria-labelledby={id}>
      <div className="top">
        <button
          ref={back}
          type="button"
          className="close"
          aria-label={common.back}
          onClick={() => {
            say(dismissalOf('linking'));
            onBack();
          }}
        >
          <BackIcon />
        </button>
        <h2 id={id}>{scanner.linkTitle}</h2>
      </div>
      {accountId !== undefined && (
        <p className="for">
          <Filled text={loginMenu.linkFor} account={<b className="break">{accountId}</b>} />
        </p>
      )}
      <LinkDeviceQr
        {...(accountId === undefined ? {} : { accountId })}
        onEvent={(event) => {
          onEvent?.(event);
          say(toastOf(event, { device: 2, ownFailures: true }));
        }}
        onError={(error) => {
          problem.current = thrownFailure(error);
        }}
        onClose={(end) => (end === 'linked' ? setLinked(true) : onBack(problem.current))}
        onLinked={(account) => {
          onBack();
          onLinked(account.nearAccountId);
        }}
      />
    </section>
  );
}
