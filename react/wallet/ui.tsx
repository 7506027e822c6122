import type { Device2Linking, Theme } from 'latchkey';
import { LinkingCode } from '../src/link-device/linking-code.js';
import { linkDeviceCss } from '../src/link-device/styles.js';
import { SettingsScreen, type SettingsWallet, type StoppedSite } from '../src/settings/settings-screen.js';
import { Modal } from '../src/surface/modal.js';
import { mountScreen } from '../src/surface/mount-screen.js';
import { texts } from '../src/texts/current.js';
import { confirmTexts } from '../src/texts/current-confirm.js';

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
      <SettingsScreen wallet={wallet} stopped={stopped} open={open} onClose={close} />
    ));
    function close(): void {
      screen.close();
      resolve();
    }
  });
}

/** Shows a linking's code until `signal` aborts; calls `onClose` if the user closes it first. */
export function showLinkingCode(
  linking: Device2Linking,
  { theme, signal, onClose }: { theme: Theme; signal: AbortSignal; onClose: () => void },
): void {
  if (signal.aborted) return;
  const screen = mountScreen((open) => (
    <Modal
      open={open}
      name="latchkey-linking"
      theme={theme}
      title={texts().scanner.linkTitle}
      lead={confirmTexts().walletPage.linkLead}
      css={linkingCss}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="body" aria-label={confirmTexts().walletPage.linkLabel} tabIndex={0}>
        <div className="link">
          <LinkingCode linking={linking} />
        </div>
      </section>
    </Modal>
  ));
  signal.addEventListener('abort', () => screen.close(), { once: true });
}
