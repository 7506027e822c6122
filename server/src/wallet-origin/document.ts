/** The wallet page with its configuration as data; no script is inline. */
import type { WalletPageData } from 'latchkey/internal/server';

const CONFIG_BLOCK = '<script type="application/json" id="latchkey-config"></script>';

/** The path under which the built page expects its files. */
export const BUILT_SDK_PATH = '/sdk';

/** The built `index.html` with the configuration inserted and its file paths moved to `sdkBasePath`. */
export function walletDocument(html: string, config: WalletPageData, sdkBasePath: string): string {
  if (!html.includes(CONFIG_BLOCK))
    throw new Error("the wallet's index.html has no place for its configuration");
  // In JSON, `<` occurs only in strings. Escaped, no string can end the block or open a comment.
  const data = JSON.stringify(config).replaceAll('<', '\\u003c');
  const block = CONFIG_BLOCK.replace('></', () => `>${data}</`);
  return html.replaceAll(`"${BUILT_SDK_PATH}/`, () => `"${sdkBasePath}/`).replace(CONFIG_BLOCK, () => block);
}
