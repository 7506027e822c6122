'use client';
import type { FlowEvent, LinkedAccount } from 'latchkey';
import { useEffect, useRef } from 'react';
import { usePasskeyContext } from '../context.js';
import { checkCodeCss } from '../surface/check-code.js';
import { FailureText } from '../surface/failure.js';
import { Inline } from '../surface/inline.js';
import type { Failure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { LinkingCode } from './linking-code.js';
import { linkDeviceCss } from './styles.js';
import { type LinkDeviceEnd, useLinkingCode } from './use-linking-code.js';

const codeCss = checkCodeCss + linkDeviceCss;

export interface LinkDeviceQrProps {
  /** The account to join, if known. */
  accountId?: string | undefined;
  /** Called when the host should remove the view. */
  onClose: (end: LinkDeviceEnd) => void;
  /** Called once this device has a passkey of the account and the login state is up to date. */
  onLinked?: ((account: LinkedAccount) => void) | undefined;
  onEvent?: ((event: FlowEvent<'linking'>) => void) | undefined;
  onError?: ((error: Error) => void) | undefined;
}

/** Shows the code that a device of the account scans to let this device in. */
export function LinkDeviceQr(props: LinkDeviceQrProps) {
  const { theme } = usePasskeyContext();
  const words = useTexts().linkCode;
  const { linking, message, failure, found, renew } = useLinkingCode(props);
  return (
    <Inline theme={theme} css={codeCss}>
      <section className="link" aria-label={words.label}>
        {failure ? (
          <Over failure={failure} onAgain={renew} />
        ) : (
          <LinkingCode
            hasPasskey={props.accountId !== undefined}
            linking={linking}
            message={message}
            found={found}
            onRenew={renew}
          />
        )}
      </section>
    </Inline>
  );
}

function Over({ failure, onAgain }: { failure: Failure; onAgain: () => void }) {
  const { renew } = useTexts().linkCode;
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => again.current?.focus(), []);
  return (
    <>
      <div className="ended">
        <FailureText failure={failure} />
      </div>
      <button ref={again} type="button" className="button primary" onClick={onAgain}>
        {renew}
      </button>
    </>
  );
}
