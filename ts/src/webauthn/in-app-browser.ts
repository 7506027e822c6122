/**
 * Browsers that an app draws within itself. Android's WebView passes no PRF outputs on, and iOS gives passkeys to such a view
 * only where the app belongs to the site. They tell themselves by their user agent alone.
 */

export interface InAppBrowser {
  /** The app by its name, or 'This app'. */
  readonly app: string;
  /** The browser of this device that has passkeys. */
  readonly openIn: 'Safari' | 'Chrome';
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
const UNKNOWN = 'This app';

/** The app whose own browser this page is in, by its user agent; undefined elsewhere. `checkDevice` says whether passkeys work. */
export function inAppBrowser(
  userAgent: string = globalThis.navigator?.userAgent ?? '',
  isTelegram = 'TelegramWebviewProxy' in globalThis,
): InAppBrowser | undefined {
  const isApple = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent);
  if (!isApple && !/\bAndroid\b/.test(userAgent)) return undefined;
  const openIn = isApple ? 'Safari' : 'Chrome';
  if (isTelegram) return { app: 'Telegram', openIn };
  const app = APPS.findLast(([, mark]) => mark.test(userAgent))?.[0];
  // A WebView of Android says `wv`. One of iOS leaves out `Safari/`, which every browser there has.
  const isView = isApple ? !/\bSafari\//.test(userAgent) : /;\s*wv\)/.test(userAgent);
  return app !== undefined || isView ? { app: app ?? UNKNOWN, openIn } : undefined;
}
