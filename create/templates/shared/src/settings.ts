/** What the variables make: the wallet's configuration, and this app's name, look and language. */
import type { PasskeyManagerConfig } from 'latchkey';
import { type Brand, brandCss } from 'latchkey/brand';
import { PREFIX, variables } from './variables';

const NEEDED = ['RELAY_URL', 'WALLET_ORIGIN', 'NEAR_RPC_URL', 'CONTRACT_ID'] as const;

/** The variables without which the app cannot start. */
export const missing: readonly string[] = NEEDED.filter((name) => !variables[name]).map(
  (name) => PREFIX + name,
);

export const walletConfig: PasskeyManagerConfig = {
  relayer: { url: variables.RELAY_URL ?? '' },
  rpcUrl: variables.NEAR_RPC_URL ?? '',
  contractId: variables.CONTRACT_ID ?? '',
  iframeWallet: { walletOrigin: variables.WALLET_ORIGIN ?? '' },
  ...(variables.EXPLORER_URL && { explorerUrl: variables.EXPLORER_URL }),
};

export const appName = variables.APP_NAME || 'My app';

export const language = variables.LANGUAGE === 'de' ? 'de' : 'en';

/** The look of what the app and the kit draw in this page. The wallet's frame has the look of the wallet's origin. */
export const brand: Brand = { accent: variables.BRAND_ACCENT || '#3a5bd9', logo: '/icon.svg' };

/** Gives this document the brand's colours. Returns an undo. */
export function paintDocument(): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(brandCss(brand));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}
