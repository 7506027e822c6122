/** Checks the configuration that the operator of a wallet origin writes, before a page gets it. */

import type { WalletPageConfig, WalletPageData } from 'latchkey/internal/server';
import {
  brandCss,
  isHttpUrl,
  isNearAccountId,
  type NamesOf,
  optionProblems,
  type PasskeyManagerConfig,
  type ResolvedConfig,
  resolveAfter,
  withoutSecrets,
} from 'latchkey/internal/server';

const LANGUAGES: readonly WalletPageData['language'][] = [undefined, 'en', 'de', 'ar', 'auto'];

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
  tokens: true,
  homeHooks: true,
};

/** A script's path that is the same after a URL was made of it. */
const SCRIPT_PATH = /^\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.m?js$/;

/** Throws INVALID_CONFIG, which names every problem, or the brand's own error. */
export function resolvePageConfig(config: WalletPageData): ResolvedConfig {
  // The wallet page makes it again: here, it throws for a bad one.
  brandCss(config.brand ?? {});
  const problems = optionProblems(config, { ...OF_PAGE, iframeWallet: false });
  if (!LANGUAGES.includes(config.language))
    problems.push(`language is not 'en', 'de', 'ar' or 'auto': ${config.language}`);
  problems.push(...homeProblems(config));
  return resolveAfter(problems, config);
}

/** What is wrong with the options of the wallet's own page. */
function homeProblems({ tokens = {}, homeHooks }: WalletPageData): string[] {
  const { contractIds = [], indexerUrl } = tokens;
  const bad = contractIds.filter((id) => !isNearAccountId(id));
  return [
    ...bad.map((id) => `tokens.contractIds has what is no account id: ${id}`),
    ...(indexerUrl === undefined || isHttpUrl(indexerUrl)
      ? []
      : [`tokens.indexerUrl is not an http(s) URL: ${withoutSecrets(indexerUrl)}`]),
    ...(homeHooks === undefined || SCRIPT_PATH.test(homeHooks)
      ? []
      : [`homeHooks is not the path of a script on the wallet's origin, such as /hooks.js: ${homeHooks}`]),
  ];
}
