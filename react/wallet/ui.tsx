import type { Device2Linking, Theme } from 'latchkey';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { LinkingCode } from '../src/link-device/linking-code.js';
import { linkDeviceCss } from '../src/link-device/styles.js';
import { SettingsScreen, type SettingsWallet } from '../src/settings/settings-screen.js';
import { Modal } from '../src/surface/modal.js';

/** The longest closing animation. */
const FADE_LIMIT_MS = 500;

const linkingCss = /* css */ `${linkDeviceCss}
.body { justify-items: stretch; }
`;

/** Shows the user's settings; resolves when the user closes them or `signal` aborts. */
export function openSettings(wallet: SettingsWallet, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', close, { once: true });
    const screen = mount((open) => <SettingsScreen wallet={wallet} open={open} onClose={close} />);
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
  const screen = mount((open) => (
    <Modal
      open={open}
      name="latchkey-linking"
      theme={theme}
      title="Scan and Link Device"
      lead="Let this device into one of your accounts."
      css={linkingCss}
      onClose={onClose}
    >
      <section className="body">
        <div className="link">
          <LinkingCode linking={linking} />
        </div>
      </section>
    </Modal>
  ));
  signal.addEventListener('abort', () => screen.close(), { once: true });
}

/** Mounts a screen in its own React root. */
function mount(draw: (open: boolean) => React.ReactNode): { close(): void } {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  flushSync(() => root.render(draw(true)));
  let isOpen = true;
  return {
    close() {
      if (!isOpen) return;
      isOpen = false;
      root.render(draw(false));
      setTimeout(() => {
        root.unmount();
        place.remove();
      }, FADE_LIMIT_MS);
    },
  };
}
