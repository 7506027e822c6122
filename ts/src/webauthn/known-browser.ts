/**
 * What a browser's name and version say of its passkeys before any prompt. Only what the reports agree on
 * (docs/guides/authenticators.json): a wrong refusal would lock people out.
 */
import { type InAppBrowser, inAppBrowser } from './in-app-browser.js';

export interface KnownBrowser {
  /** The app that draws the page itself, if one does. */
  readonly inApp: InAppBrowser | undefined;
  /** It passes on no PRF outputs, whatever the authenticator. */
  readonly lacksPrf: boolean;
  /** The version of iOS, if its passkeys have one secret on the device and another by hybrid. */
  readonly iosOfTwoSecrets: string | undefined;
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
  return {
    inApp: inAppBrowser(userAgent),
    lacksPrf: isApple && Number(major) < PRF_SINCE,
    iosOfTwoSecrets: hasTwoSecrets ? `${major}.${minor}` : undefined,
  };
}
