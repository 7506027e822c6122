import type { Device2Linking, FlowEvent, Theme } from 'latchkey';
import { useEffect, useId, useState } from 'react';
import { LinkingCode } from '../src/link-device/linking-code.js';
import { type LinkingStep, linkingStep } from '../src/link-device/linking-step.js';
import { linkDeviceCss } from '../src/link-device/styles.js';
import { SettingsScreen, type SettingsWallet, type StoppedSite } from '../src/settings/settings-screen.js';
import { FailureNote } from '../src/surface/failure.js';
import { Modal } from '../src/surface/modal.js';
import { mountScreen } from '../src/surface/mount-screen.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { type Failure, thrownFailure } from '../src/texts/error-text.js';
import { useTexts } from '../src/texts/use-texts.js';
import { LanguageChoice } from './language-choice.js';

const linkingCss = /* css */ `${linkDeviceCss}
.body { justify-items: stretch; }
`;

/** Shows the user's settings; resolves when the user closes them or `signal` aborts. */
export function openSettings(
  wallet: SettingsWallet,
  signal: AbortSignal,
  stopped: StoppedSite | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', close, { once: true });
    const screen = mountScreen((open) => (
      <SettingsScreen wallet={wallet} stopped={stopped} open={open} onClose={close}>
        <LanguageSetting />
      </SettingsScreen>
    ));
    function close(): void {
      screen.close();
      resolve();
    }
  });
}

function LanguageSetting() {
  const { notChosen } = useTexts().settings;
  const { language } = useConfirmTexts().walletPage;
  const [failure, setFailure] = useState<Failure>();
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{language}</label>
      <LanguageChoice id={id} auto={notChosen} onError={(error) => setFailure(thrownFailure(error))} />
      {failure && <FailureNote failure={failure} />}
    </div>
  );
}

/** Calls its listener with the latest event of a linking and with each that follows. */
type Follow = (listener: (event: FlowEvent<'linking'>) => void) => void;

/** Shows a linking's code and its steps until `signal` aborts; calls `onClose` if the user closes it first. */
export function showLinkingCode(
  linking: Device2Linking,
  { signal, ...shown }: { theme: Theme; signal: AbortSignal; follow: Follow; onClose: () => void },
): void {
  if (signal.aborted) return;
  const screen = mountScreen((open) => <FollowedCode open={open} linking={linking} {...shown} />);
  signal.addEventListener('abort', () => screen.close(), { once: true });
}

interface FollowedCodeProps {
  open: boolean;
  linking: Device2Linking;
  theme: Theme;
  follow: Follow;
  onClose: () => void;
}

function FollowedCode({ open, linking, theme, follow, onClose }: FollowedCodeProps) {
  const { linkTitle } = useTexts().scanner;
  const { linkLead, linkLabel } = useConfirmTexts().walletPage;
  const [step, setStep] = useState<LinkingStep>({ message: undefined, found: false });
  useEffect(() => {
    follow((event) => {
      // Its end closes the screen, and the page says why.
      if (event.status !== 'error') setStep(linkingStep(event));
    });
  }, [follow]);
  return (
    <Modal
      open={open}
      name="latchkey-linking"
      theme={theme}
      title={linkTitle}
      lead={linkLead}
      css={linkingCss}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="body" aria-label={linkLabel} tabIndex={0}>
        <div className="link">
          <LinkingCode hasPasskey={linking.qrData.accountId !== undefined} linking={linking} {...step} />
        </div>
      </section>
    </Modal>
  );
}
