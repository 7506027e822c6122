/** The wallet's iframe in the host's page: what has to be there before the wallet's page can load. */
import type { ResolvedIframeWallet } from '../../config.js';
import { createOverlay, type Overlay } from './overlay.js';

export interface FrameElement {
  readonly overlay: Overlay;
  /** The iframe, which this puts into the page where it is not there: its page loads from then on. */
  mount(): HTMLIFrameElement;
  /** The iframe of the last {@link mount}, also where the host's own code has removed it since; undefined after {@link remove}. */
  current(): HTMLIFrameElement | undefined;
  /** Whether its page, or the browser's own page in place of it, has loaded. */
  hasLoaded(): boolean;
  remove(): void;
}

export function createFrameElement(config: ResolvedIframeWallet, hostOrigin: string): FrameElement {
  const overlay = createOverlay();
  let frame: HTMLIFrameElement | undefined;
  let hasLoaded = false;
  return {
    overlay,
    mount() {
      if (frame?.isConnected) return frame;
      frame = makeFrame(walletPageUrl(config, hostOrigin), config.walletOrigin);
      hasLoaded = false;
      frame.addEventListener('load', () => (hasLoaded = true), { once: true });
      overlay.mount(frame);
      return frame;
    },
    current: () => frame,
    hasLoaded: () => hasLoaded,
    remove() {
      overlay.unmount();
      frame = undefined;
    },
  };
}

/** The address of the wallet page for a host; from it, a server decides who may frame the page. */
export function walletPageUrl(
  { walletOrigin, walletServicePath }: ResolvedIframeWallet,
  hostOrigin: string,
): string {
  const url = new URL(`${walletServicePath}/`, walletOrigin);
  url.searchParams.set('host', hostOrigin);
  return url.href;
}

/**
 * No sandbox: the wallet's own origin already keeps this page out of its reach, and it needs everything that a
 * sandbox removes (storage, workers, popups, passkeys). The `allow` list grants features to its origin by name.
 */
function makeFrame(src: string, walletOrigin: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = 'Wallet';
  frame.allow = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write', 'camera']
    .map((feature) => `${feature} ${walletOrigin}`)
    .join('; ');
  // The wallet learns this page's origin, and nothing more of its address.
  frame.referrerPolicy = 'origin';
  frame.src = src;
  return frame;
}
