import { useEffect, useId, useRef, useState } from 'react';
import { LinkDeviceQr } from '../link-device/link-device-qr.js';
import { BackIcon, ScanIcon } from '../surface/icons.js';
import { thrownText } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { dismissalOf, type PasskeyToast, toastOf } from '../toasts/toast-of.js';
import type { LoginMenuProps } from './props.js';
import { Waiting } from './waiting.js';

/** Offers linking to users whose account is on another device; names the account if it is already typed. */
export function LinkEntry({ accountId, onOpen }: { accountId: string | undefined; onOpen: () => void }) {
  const { loginMenu, scanner } = useTexts();
  return (
    <div className="other-way">
      {accountId === undefined ? (
        <span className="ask">{loginMenu.alreadyAnAccount}</span>
      ) : (
        <span className="ask">
          <Filled text={loginMenu.onAnotherDevice} account={<b className="break">{accountId}</b>} />
        </span>
      )}
      <button type="button" className="button" onClick={onOpen}>
        <ScanIcon /> {scanner.linkTitle}
      </button>
    </div>
  );
}

/** Offers the recovery phrase to users who have lost every passkey. */
export function PhraseEntry({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  const { loginMenu } = useTexts();
  return (
    <button type="button" className="way" aria-disabled={isOpen} onClick={onOpen}>
      {loginMenu.usePhrase}
    </button>
  );
}

interface LinkViewProps {
  onEvent: LoginMenuProps['onEvent'];
  /** The account to join. With it, the passkey is created before the code is shown; without, after the scan. */
  accountId: string | undefined;
  onBack: (problem?: string) => void;
  onLinked: (accountId: string) => void;
  say: (toast: PasskeyToast | undefined) => void;
}

/** Shows this device's code until it is linked or the user goes back. */
export function LinkView({ accountId, onBack, onLinked, onEvent, say }: LinkViewProps) {
  const { common, loginMenu, scanner, toasts } = useTexts();
  const [linked, setLinked] = useState(false);
  const problem = useRef<string>(undefined);
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
          say(toastOf(event, { device: 2 }));
        }}
        onError={(error) => {
          problem.current = thrownText(error) || toasts.linkingFailed;
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
