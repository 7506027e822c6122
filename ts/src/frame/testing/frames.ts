/** Frames on a separate wallet origin: `*.localhost` is this machine, but another site than localhost. */

const PAGE = new URL('./wallet-page.html', import.meta.url);

/** The origin of this test server under another host name. */
export function originOf(host: string): string {
  return `http://${host}.localhost:${location.port}`;
}

export const WALLET_ORIGIN = originOf('wallet');

const pathOf = (folder: string): string => new URL(folder, import.meta.url).pathname;
/** The address at which `served-page.ts` serves a wallet. */
export const SERVICE_PATH = pathOf('./service');
/** The address of a page that takes no port. */
export const SILENT_PATH = pathOf('./listener');

/** The address of `wallet-page.ts` on an origin. */
export function walletPage(wishes: Readonly<Record<string, string>> = {}, origin = WALLET_ORIGIN): string {
  const query = new URLSearchParams({ host: location.origin, ...wishes });
  return `${origin}${PAGE.pathname}?${query}`;
}

/** A frame in this document. */
export function makeFrame(src: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = src;
  document.body.append(frame);
  return frame;
}

/** A frame on another origin that runs this script, which may abuse `parent` and `top`. */
export async function frameRunning(script: string): Promise<HTMLIFrameElement> {
  const frame = makeFrame('about:blank');
  frame.sandbox.add('allow-scripts');
  frame.srcdoc = `<script>${script}</script>`;
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  return frame;
}
