import { afterEach, describe, expect, it, vi } from 'vitest';
import { inAppBrowser } from './in-app-browser.js';

const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WEBVIEW =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36';
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

describe('the browser of an app', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['Instagram', 'Safari', `${IOS} Mobile/22F76 Instagram 380.0.0.28.104 (iPhone14,5; iOS 18_5)`],
    ['Facebook', 'Safari', `${IOS} Mobile/22F76 [FBAN/FBIOS;FBAV/510.0.0.38.88;FBBV/1]`],
    ['Messenger', 'Safari', `${IOS} Mobile/22F76 [FBAN/MessengerForiOS;FBAV/510.0.0]`],
    ['LinkedIn', 'Safari', `${IOS} Mobile/22F76 [LinkedInApp]/9.31.1`],
    ['WeChat', 'Safari', `${IOS} Mobile/22F76 MicroMessenger/8.0.60(0x18003c2f) NetType/WIFI`],
    ['Snapchat', 'Safari', `${IOS} Mobile/22F76 Snapchat/13.45.0.42 (like Safari/8621.2.5, panda)`],
    ['X', 'Safari', `${IOS} Mobile/22F76 Twitter for iPhone/11.10`],
    ['This app', 'Safari', `${IOS} Mobile/22F76`],
    ['Instagram', 'Chrome', `${WEBVIEW} Instagram 380.0.0.28.104 Android (35/15; 420dpi)`],
    ['Telegram', 'Chrome', `${WEBVIEW} Telegram-Android/11.9.0 (Google Pixel 9; Android 15)`],
    ['LINE', 'Chrome', `${WEBVIEW} Line/15.0.0/IAB`],
    ['TikTok', 'Chrome', `${WEBVIEW} BytedanceWebview/d8a21c6 musical_ly_2023`],
    ['This app', 'Chrome', WEBVIEW],
    ['This app', 'Chrome', WEBVIEW.replace('; wv', ';wv')],
    ['Instagram', 'Chrome', `${CHROME} Instagram 380.0.0.28.104 Android (35/15; 420dpi)`],
  ])('is known: %s, whose page belongs in %s', (app, openIn, userAgent) => {
    expect(inAppBrowser(userAgent, false)).toMatchObject({ app, openIn });
  });

  it('is known by Telegram’s own object, where the user agent is Safari’s', () => {
    const safari = `${IOS} Version/18.5 Mobile/15E148 Safari/604.1`;
    expect(inAppBrowser(safari, true)).toMatchObject({ app: 'Telegram', openIn: 'Safari', isGuess: false });
  });

  it('is found by what the page itself has', () => {
    const userAgent = `${IOS} Mobile/22F76`;
    vi.stubGlobal('navigator', undefined);
    expect(inAppBrowser()).toBeUndefined();
    vi.stubGlobal('navigator', { userAgent });
    expect(inAppBrowser()).toMatchObject({ app: 'This app', isGuess: true });
    vi.stubGlobal('navigator', { userAgent, standalone: true });
    expect(inAppBrowser()).toBeUndefined();
    vi.stubGlobal('TelegramWebviewProxy', {});
    expect(inAppBrowser()).toMatchObject({ app: 'Telegram', isGuess: false });
  });

  it('is none on a home screen of iOS, whose user agent is that of a view', () => {
    expect(inAppBrowser(`${IOS} Mobile/22F76`, false, true)).toBeUndefined();
    expect(inAppBrowser(`${IOS} Mobile/22F76`, false, false)).toMatchObject({ isGuess: true });
  });

  it.each([
    ['Safari', `${IOS} Version/18.5 Mobile/15E148 Safari/604.1`],
    ['Chrome on iOS', `${IOS} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`],
    ['Firefox on iOS', `${IOS} FxiOS/145.0 Mobile/15E148 Safari/604.1`],
    ['Chrome', CHROME],
    ['Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
    ['Samsung Internet', CHROME.replace('Chrome/', 'SamsungBrowser/29.0 Chrome/')],
    ['a desktop', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
    ['an app’s name on a desktop', 'Mozilla/5.0 (X11; Linux x86_64) Instagram 380.0.0.28.104'],
    ['nothing', ''],
  ])('is none: %s', (_, userAgent) => {
    expect(inAppBrowser(userAgent, false)).toBeUndefined();
  });
});
