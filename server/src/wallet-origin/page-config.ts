/** Checks the configuration that the operator of a wallet origin writes, before a page gets it. */

import type { WalletPageConfig, WalletPageData } from 'latchkey/internal/server';
import {
  brandCss,
  type NamesOf,
  optionProblems,
  type PasskeyManagerConfig,
  type ResolvedConfig,
  resolveAfter,
} from 'latchkey/internal/server';

const LANGUAGES: readonly WalletPageData['language'][] = [undefined, 'en', 'de', 'auto'];

/** What the page has on top of a manager's options. */
const OF_PAGE: NamesOf<Omit<WalletPageConfig, keyof PasskeyManagerConfig>> = {
  allowedHosts: true,
  openers: true,
  trustedHosts: true,
  linkCodeHosts: true,
  configurableBy: true,
  enableSafariGetWebauthnRegistrationFallback: true,
  brand: true,
  language: true,
};

/** Throws INVALID_CONFIG, which names every problem, or the brand's own error. */
export function resolvePageConfig(config: WalletPageData): ResolvedConfig {
  // The wallet page makes it again: here, it throws for a bad one.
  brandCss(config.brand ?? {});
  const problems = optionProblems(config, { ...OF_PAGE, iframeWallet: false });
  if (!LANGUAGES.includes(config.language))
    problems.push(`language is not 'en', 'de' or 'auto': ${config.language}`);
  return resolveAfter(problems, config);
}
