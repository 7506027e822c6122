/**
 * Browsers that an app draws within itself. Android's WebView passes no PRF outputs on, and iOS gives passkeys to such a view
 * only where the app belongs to the site. They tell themselves by their user agent alone.
 */

export interface InAppBrowser {
  /** The app by its name, or 'This app'. */
  readonly app: string;
  /** The browser of this device that has passkeys. */
  readonly openIn: 'Safari' | 'Chrome';
  /** A view of iOS that nothing else tells of: where it says that it passes PRF on, it counts as a browser. */
  readonly isGuess: boolean;
}

/** What the app's own view adds to its user agent. Telegram adds nothing on iOS, and tells itself by an object. */
const APPS: readonly (readonly [app: string, mark: RegExp])[] = [
  ['Instagram', /\bInstagram\b/],
  ['Facebook', /\bFB(?:AN|AV|_IAB)\b/],
  ['Messenger', /\bFBAN\/Messenger/],
  ['Telegram', /\bTelegram\b/],
  ['TikTok', /musical_ly|BytedanceWebview|\btrill_/i],
  ['LINE', /\bLine\//],
  ['WeChat', /\bMicroMessenger\b/],
  ['Snapchat', /\bSnapchat\b/],
  ['LinkedIn', /\bLinkedInApp\b/],
  ['X', /\bTwitter(?: for |Android)/],
];
const UNKNOWN_APP = 'This app';

/** The app whose own browser this page is in, by its user agent; undefined elsewhere. `checkDevice` says whether passkeys work. */
export function inAppBrowser(
  userAgent: string = globalThis.navigator?.userAgent ?? '',
  isTelegram = 'TelegramWebviewProxy' in globalThis,
  isStandalone = (globalThis.navigator as { standalone?: boolean } | undefined)?.standalone === true,
): InAppBrowser | undefined {
  const isApple = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent);
  if (!isApple && !/\bAndroid\b/.test(userAgent)) return undefined;
  const openIn = isApple ? 'Safari' : 'Chrome';
  if (isTelegram) return { app: 'Telegram', openIn, isGuess: false };
  const app = APPS.findLast(([, mark]) => mark.test(userAgent))?.[0];
  // A WebView of Android says `wv`. One of iOS leaves out `Safari/`, which every browser there has.
  // A page that was put on the home screen there leaves it out too, and is Safari's own.
  const isView = isApple ? !isStandalone && !/\bSafari\//.test(userAgent) : /;\s*wv\)/.test(userAgent);
  if (app === undefined && !isView) return undefined;
  return { app: app ?? UNKNOWN_APP, openIn, isGuess: app === undefined && isApple };
}
