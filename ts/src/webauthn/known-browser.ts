/**
 * What a browser's name and version say of its passkeys before any prompt. Only what the reports agree on
 * (docs/guides/authenticators.json): a wrong refusal would lock people out.
 */
import type { ErrorText, ErrorValues } from '../errors/latchkey-error.js';
import { IN_APP_BROWSER, IOS_OUTDATED } from '../errors/phone.js';
import { type InAppBrowser, inAppBrowser } from './in-app-browser.js';

/** What an error says. With its class, a bundler would give a page that frames its wallet one file more. */
export interface KnownProblem {
  readonly text: ErrorText;
  readonly values: ErrorValues;
}

export interface KnownBrowser {
  /** The app that draws the page itself, if one does. */
  readonly inApp: (InAppBrowser & { readonly refusal: KnownProblem }) | undefined;
  /** It passes on no PRF outputs, whatever the authenticator. */
  readonly lacksPrf: boolean;
  /** Of an iOS whose passkeys have one secret on the device and another by hybrid. */
  readonly warning: KnownProblem | undefined;
}

/** Safari by its own version: the one of iOS in the user agent stays at 18.6. */
const SAFARI = /\bVersion\/(\d+)\.(\d+)(?:\.\d+)*(?: Mobile\/\w+)? Safari\//;
const PRF_SINCE = 18;
/** iOS 18.0 to 18.3 has two secrets for one passkey: one on the device, another by hybrid. */
const ONE_SECRET_SINCE = 4;

export function knownBrowser(userAgent: string = globalThis.navigator?.userAgent ?? ''): KnownBrowser {
  const [, major, minor] = SAFARI.exec(userAgent)?.map(Number) ?? [];
  const isApple = /\b(?:iPhone|iPad|iPod|Macintosh)\b/.test(userAgent);
  const hasTwoSecrets =
    /\b(?:iPhone|iPad)\b/.test(userAgent) && major === PRF_SINCE && Number(minor) < ONE_SECRET_SINCE;
  const inApp = inAppBrowser(userAgent);
  return {
    inApp: inApp && {
      ...inApp,
      refusal: { text: IN_APP_BROWSER, values: { app: inApp.app, browser: inApp.openIn } },
    },
    lacksPrf: isApple && Number(major) < PRF_SINCE,
    warning: hasTwoSecrets ? { text: IOS_OUTDATED, values: { version: `${major}.${minor}` } } : undefined,
  };
}
