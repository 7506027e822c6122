/**
 * The authenticators that people have, as far as public reports say how they behave. A fact names its row: "1 iCloud 18.4+"
 * is the row of that name in section 1 of authenticators.md. Nothing here was tried on real hardware.
 */
import type { LatchkeyErrorCode } from 'latchkey';
import type { Transport } from './knobs.js';
import type { Expected, Fact, Facts, Profile } from './profile.js';

/** The account's flows where each asks once. */
const OWN = { register: 1, login: 0, sign: 1, signAgain: 1, export: 1, scan: 1, link: 1 };
const ONE = { ...OWN, recover: 1, signRecovered: 1 };
const TWO = { ...ONE, register: 2, link: 2 };

/** All but the recovery work, from a device that gets other outputs. */
const lostElsewhere = (own: Profile['expected']): Profile['expected'] => ({
  ...own,
  recover: { prompts: 1, code: 'PASSKEY_DIFFERS' },
});

/** The account is made, and nothing opens its key: a user who sent no money there has lost nothing. */
const opensNothing = (made: Profile['expected']): Profile['expected'] => {
  const differs: Expected = { prompts: 1, code: 'PASSKEY_DIFFERS' };
  const scan: Expected = { prompts: 1, code: 'AUTHORIZATION_TIMEOUT' };
  return { ...made, sign: differs, signAgain: differs, export: differs, scan, recover: differs };
};

/** Neither an account nor a further device is made. */
const refused = (code: LatchkeyErrorCode, prompts: number): Profile['expected'] => {
  const no: Expected = { prompts, code };
  return { register: no, link: no };
};

const iPhone = (os: string, safari = os): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${os.replace('.', '_')} like Mac OS X) AppleWebKit/605.1.15 ` +
  `(KHTML, like Gecko) Version/${safari} Mobile/15E148 Safari/604.1`;
const macSafari = (version: string): string =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;
const chrome = (version: number, os = 'X11; Linux x86_64', more = ''): string =>
  `Mozilla/5.0 (${os}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${more}`;
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const firefox = (version: number, os = 'X11; Linux x86_64'): string =>
  `Mozilla/5.0 (${os}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;

const ICLOUD_IDENTITY: Facts = {
  aaguid: ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', '2 iCloud (AAG)'],
  backup: ['synced', '2 iCloud'],
  transports: [['hybrid', 'internal'], '2 iCloud'],
  attachment: ['platform', '2 iCloud'],
  excluded: ['InvalidStateError', '3 Chrome, Edge (Apple code 1006); 3 Safari gives the text'],
};
const IOS: Facts = {
  ...ICLOUD_IDENTITY,
  uv: ['always', '2 iCloud (PKD)'],
  cancel: ['safari', '3 Safari'],
};
const KILLS_PAGE: Fact<'crashing toJSON'> = [
  'crashing toJSON',
  '4 Safari before 26.5.1 (FXA#20767, WK#60015)',
];
const GOOGLE: Facts = {
  aaguid: ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', '2 GPM (AAG)'],
  backup: ['synced', '2 GPM'],
  transports: [['internal', 'hybrid'], '2 GPM'],
  attachment: ['platform', '2 GPM'],
  getPrf: ['same', '1 GPM (MERA, SPARK#1024)'],
};
const WINDOWS_HELLO: Facts = {
  aaguid: ['08987058-cadc-4b81-b6e1-30de50dcbe96', '2 Windows Hello, hardware (AAG)'],
  backup: ['device-bound', '2 Windows Hello'],
  uv: ['always', '2 Windows Hello (PKD)'],
  transports: [['internal'], '2 Windows Hello'],
  attachment: ['platform', '2 Windows Hello'],
};
const KEY: Facts = {
  aaguid: 'unknown',
  backup: ['device-bound', '2 Security keys'],
  uv: ['required', '2 Security keys, by PIN'],
  attachment: ['cross-platform', '2 Security keys'],
};
const keyBy = (...channels: Transport[]): Pick<Facts, 'transports' | 'reachedBy'> => ({
  transports: [['usb', 'nfc'], '2 Security keys'],
  reachedBy: [channels, 'the case itself: the reader at hand'],
});
const YUBIKEY: Facts = {
  ...KEY,
  createPrf: ['enabled', '1 YubiKey 5, fw 5.2–5.7 (Yubico)'],
  getPrf: ['same', '1 YubiKey 5, fw 5.2–5.7 (Yubico)'],
};
const PHONE: Facts = {
  ...ICLOUD_IDENTITY,
  attachment: ['cross-platform', '1 Phone by hybrid; interop.md 2'],
  uv: ['always', '2 iCloud (PKD)'],
};

export const PROFILES: readonly Profile[] = [
  // Apple
  {
    id: 'icloud-ios-17',
    authenticator: 'iCloud Keychain',
    where: 'iOS 17, Safari',
    userAgent: iPhone('17.6'),
    facts: {
      ...IOS,
      createPrf: ['absent', '1 iCloud 17 (aliasvault#269)'],
      getPrf: ['none', '1 iCloud 17 (aliasvault#269)'],
    },
    expected: refused('PRF_UNSUPPORTED', 0),
  },
  {
    id: 'icloud-ios-18.0',
    authenticator: 'iCloud Keychain',
    where: 'iOS 18.0–18.3, Safari; recovery on a computer, by hybrid',
    userAgent: iPhone('18.0'),
    facts: {
      ...IOS,
      createPrf: ['results', '1 iCloud 18.0–18.3.1 (AF 764730)'],
      getPrf: ['same', '1 iCloud 18.0–18.3.1'],
      hybridOffset: [true, '1 iCloud 18.0–18.3.1 (AF 764730, zapcooking/frontend#558)'],
    },
    recoversElsewhere: true,
    expected: lostElsewhere(OWN),
    warning: 'IOS_OUTDATED',
  },
  {
    id: 'icloud-ios-18.4',
    authenticator: 'iCloud Keychain',
    where: 'iOS 18.4, Safari; recovery on a computer, by hybrid',
    userAgent: iPhone('18.4'),
    facts: {
      ...IOS,
      createPrf: ['results', '1 iCloud 18.4+ (NOSS)'],
      getPrf: ['same', '1 iCloud 18.4+ (SPARK#1024)'],
      object: KILLS_PAGE,
    },
    recoversElsewhere: true,
    expected: ONE,
  },
  {
    id: 'icloud-ios-26.4',
    authenticator: 'iCloud Keychain',
    where: 'iOS 26.4, Safari; recovery on a computer, by hybrid',
    userAgent: iPhone('18.6', '26.4'),
    facts: {
      ...IOS,
      createPrf: ['results', '1 iCloud 18.4+, 26.x (NOSS)'],
      getPrf: ['same', '1 iCloud 18.4+, 26.x (SPARK#1024)'],
      object: KILLS_PAGE,
    },
    recoversElsewhere: true,
    expected: ONE,
  },
  {
    id: 'icloud-macos',
    authenticator: 'iCloud Keychain',
    where: 'macOS 15.4+, Safari',
    userAgent: macSafari('18.4'),
    facts: {
      ...ICLOUD_IDENTITY,
      createPrf: ['results', '1 iCloud macOS 15.4+'],
      getPrf: ['same', '1 iCloud macOS 15.4+'],
      uv: ['required', '2 iCloud, a Mac without Touch ID (kanidm#2274)'],
      cancel: ['safari', '3 Safari'],
      object: KILLS_PAGE,
    },
    expected: ONE,
  },
  {
    id: 'icloud-macos-chrome',
    authenticator: 'iCloud Keychain',
    where: 'macOS 15.4+, Chrome 132+',
    userAgent: chrome(148, 'Macintosh; Intel Mac OS X 10_15_7'),
    facts: {
      ...ICLOUD_IDENTITY,
      createPrf: ['results', '1 the same in Chrome (MERA, BCD)'],
      getPrf: ['same', '1 the same in Chrome (MERA, BCD)'],
      uv: ['required', '2 iCloud, a Mac without Touch ID (kanidm#2274)'],
    },
    expected: ONE,
  },
  // Google
  {
    id: 'google-android',
    authenticator: 'Google Password Manager',
    where: 'Android, Chrome',
    userAgent: chrome(148, 'Linux; Android 10; K'),
    facts: {
      ...GOOGLE,
      createPrf: ['results', '1 GPM, Android (MERA, SPARK#1024)'],
      uv: ['always', '2 GPM'],
    },
    expected: ONE,
  },
  {
    id: 'google-chrome',
    authenticator: 'Google Password Manager',
    where: 'Chrome on a computer, signed in; outputs at create',
    userAgent: chrome(148),
    facts: {
      ...GOOGLE,
      createPrf: ['results', '1 GPM, desktop Chrome: one of two (CR, MERA)'],
      uv: ['required', '2 GPM'],
    },
    expected: ONE,
  },
  {
    id: 'google-chrome-enabled',
    authenticator: 'Google Password Manager',
    where: 'Chrome on a computer, signed in; no outputs at create',
    userAgent: chrome(148),
    facts: {
      ...GOOGLE,
      createPrf: ['enabled', '1 GPM, desktop Chrome: one of two (CR, MERA)'],
      uv: ['required', '2 GPM'],
    },
    expected: TWO,
  },
  {
    id: 'google-chrome-ios',
    authenticator: 'Google Password Manager',
    where: 'iOS, Chrome',
    facts: {
      ...GOOGLE,
      createPrf: 'unknown',
      getPrf: 'unknown',
      uv: 'unknown',
      object: ['plain', '4 Chrome iOS + GPM'],
      functions: ['patched', '3 Chrome on iOS (CR passkey_controller.ts)'],
      cancel: ['undefined', '3 Chrome on iOS (CR passkey_controller.ts)'],
      heedsSignal: [false, '3 Chrome on iOS (CR passkey_controller.ts)'],
    },
    expected: TWO,
  },
  {
    id: 'chrome-profile',
    authenticator: 'Chrome’s own profile',
    where: 'Chrome on a Mac, not signed in',
    userAgent: chrome(148, 'Macintosh; Intel Mac OS X 10_15_7'),
    facts: {
      createPrf: ['disabled', '1 Chrome local profile (MERA, mera#5)'],
      getPrf: ['none', '1 Chrome local profile (MERA)'],
      aaguid: ['adce0002-35bc-c60a-648b-0b25f1f05503', '2 Chrome profile Mac (AAG)'],
      backup: 'unknown',
      uv: 'unknown',
      transports: [['internal'], '2 Chrome profile Mac'],
      attachment: ['platform', '2 Chrome profile Mac'],
    },
    expected: refused('PRF_MISSING', 2),
  },
  {
    id: 'android-webview',
    authenticator: 'Google Password Manager',
    where: 'Android, an app’s own browser (WebView)',
    userAgent: chrome(148, 'Linux; Android 15; Pixel 9; wv'),
    facts: {
      ...GOOGLE,
      createPrf: ['absent', '1 Android WebView (BCD)'],
      getPrf: ['none', '1 Android WebView (BCD)'],
      uv: ['always', '2 GPM'],
    },
    expected: refused('IN_APP_BROWSER', 0),
  },
  // Microsoft
  {
    id: 'hello-before-2026-02',
    authenticator: 'Windows Hello',
    where: 'Windows before February 2026, Chrome or Edge',
    userAgent: chrome(144, WINDOWS),
    facts: {
      ...WINDOWS_HELLO,
      createPrf: ['absent', '1 Windows Hello before 2026-02'],
      getPrf: ['none', '1 Windows Hello before 2026-02'],
    },
    expected: refused('PRF_MISSING', 2),
  },
  {
    id: 'hello-before-2026-02-firefox',
    authenticator: 'Windows Hello',
    where: 'Windows before February 2026, Firefox',
    userAgent: firefox(147, WINDOWS),
    facts: {
      ...WINDOWS_HELLO,
      askedForPrf: ['UnknownError', '1 Windows Hello before 2026-02 (FXA#20767, #20786)'],
      cancel: ['firefox', '3 Firefox (bugzilla 1942902)'],
    },
    expected: refused('PRF_UNSUPPORTED', 0),
  },
  {
    id: 'hello-2026-02-chrome-146',
    authenticator: 'Windows Hello',
    where: 'Windows 11 25H2 from February 2026, Chrome or Edge up to 146',
    userAgent: chrome(146, WINDOWS),
    facts: {
      ...WINDOWS_HELLO,
      createPrf: ['absent', '1 Windows Hello 2026-02, Chrome/Edge ≤146 (BW#19858)'],
      getPrf: ['same', '1 Windows Hello 2026-02 (MERA)'],
    },
    expected: TWO,
  },
  {
    id: 'hello-2026-02',
    authenticator: 'Windows Hello',
    where: 'Windows 11 25H2 from February 2026, Chrome 147+',
    userAgent: chrome(148, WINDOWS),
    facts: {
      ...WINDOWS_HELLO,
      createPrf: ['results', '1 Windows Hello 2026-02, Chrome 147+ (MERA)'],
      getPrf: ['same', '1 Windows Hello 2026-02 (MERA)'],
    },
    expected: ONE,
  },
  {
    id: 'hello-2026-02-firefox',
    authenticator: 'Windows Hello',
    where: 'Windows 11 25H2 from February 2026, Firefox 148+',
    userAgent: firefox(148, WINDOWS),
    facts: {
      ...WINDOWS_HELLO,
      createPrf: ['results', '1 Windows Hello 2026-02, Firefox 148+ (MERA)'],
      getPrf: ['same', '1 Windows Hello 2026-02 (MERA)'],
      cancel: ['firefox', '3 Firefox (bugzilla 1942902)'],
    },
    expected: ONE,
  },
  {
    id: 'microsoft-edge',
    authenticator: 'Microsoft Password Manager',
    where: 'Windows, Edge 142+',
    userAgent: chrome(151, WINDOWS, ' Edg/151.0.0.0'),
    facts: {
      createPrf: 'unknown',
      getPrf: 'unknown',
      aaguid: ['d3452668-01fd-4c12-926c-83a4204853aa', '2 MSPM (AAG)'],
      backup: 'unknown',
      uv: ['unnamed', '2 MSPM (NCP, jumpserver#17234)'],
      attachment: 'unknown',
      transports: 'unknown',
    },
    // The wallet learns how to ask: the first prompt that names a passkey verifies no user, once in each browser.
    expected: { ...ONE, sign: 2, recover: 2 },
  },
  // Extensions
  {
    id: '1password',
    authenticator: '1Password',
    where: 'extension',
    userAgent: chrome(148),
    facts: {
      createPrf: ['results', '1 1Password: optional in its library (passkey-rs)'],
      getPrf: ['same', '1 1Password (mera#6, MERA)'],
      prfForm: ['number[]', '1 1Password; 4 1Password'],
      aaguid: ['bada5566-a7aa-401f-bd96-45619a55120d', '2 1Password (AAG)'],
      backup: ['synced', '2 1Password (passkey-rs)'],
      uv: ['always', '2 1Password: 1 without verifying (PKD)'],
      attachment: ['platform', '2 1Password'],
      transports: 'unknown',
      object: ['throwing toJSON', '4 1Password (amazon-cognito-passwordless-auth#94)'],
      functions: ['patched', '2 1Password is an extension; interop.md 2'],
      cancel: 'unknown',
    },
    expected: TWO,
  },
  {
    id: 'bitwarden',
    authenticator: 'Bitwarden',
    where: 'extension',
    userAgent: chrome(148),
    facts: {
      createPrf: ['absent', '1 Bitwarden (BW#14676)'],
      getPrf: ['none', '1 Bitwarden'],
      aaguid: ['d548826e-79b4-db40-a3d8-11116f7e8349', '2 Bitwarden (AAG, BW#19090)'],
      backup: ['synced', '2 Bitwarden (source)'],
      uv: ['always', '2 Bitwarden: 1 without verifying'],
      attachment: ['platform', '2 Bitwarden'],
      transports: [['internal', 'hybrid'], '2 Bitwarden'],
      answersOnlyIfInternal: [true, '2 Bitwarden ≥2026.6.0 (BW#19606)'],
      functions: ['patched', '4 Bitwarden patches create and get'],
      excluded: ['NotAllowedError', '3 Bitwarden'],
      refusesFrames: [true, '4 Bitwarden (#12590)'],
    },
    expected: refused('PRF_MISSING', 2),
  },
  {
    id: 'proton',
    authenticator: 'Proton Pass',
    where: 'extension',
    userAgent: chrome(148),
    facts: {
      createPrf: ['results', '1 Proton Pass (MERA)'],
      getPrf: ['same', '1 Proton Pass (MERA)'],
      prfForm: ['view', '1 Proton Pass: Uint8Array (extension source)'],
      aaguid: ['50726f74-6f6e-5061-7373-50726f746f6e', '2 Proton Pass (AAG)'],
      backup: 'unknown',
      uv: ['always', '2 Proton Pass: 1 without verifying'],
      attachment: ['platform', '2 Proton Pass'],
      transports: [[], '2 Proton Pass: one of two'],
      functions: ['patched', '4 Proton Pass'],
    },
    expected: TWO,
  },
  {
    id: 'keepassxc',
    authenticator: 'KeePassXC',
    where: 'extension, released versions',
    userAgent: firefox(150),
    facts: {
      createPrf: ['absent', '1 KeePassXC released (KX#13529)'],
      getPrf: ['none', '1 KeePassXC released (KX#13529)'],
      aaguid: ['fdb141b2-5d84-443e-8a35-4698c205a502', '2 KeePassXC (AAG)'],
      backup: ['device-bound', '2 KeePassXC'],
      uv: ['always', '2 KeePassXC: 1 without verifying (KX#10406)'],
      attachment: ['platform', '2 KeePassXC'],
      transports: [['internal'], '2 KeePassXC'],
      functions: ['patched', '4 KeePassXC replaces navigator.credentials'],
      object: ['no extension results', '4 KeePassXC, older'],
      excluded: ['waits', '3 KeePassXC'],
      unknownPasskey: ['waits', '3 KeePassXC'],
      cancel: ['null', '3 KeePassXC'],
      heedsSignal: [false, '3 KeePassXC'],
      refusesFrames: [true, '4 KeePassXC (KXB#2877)'],
    },
    expected: refused('PRF_MISSING', 2),
  },
  {
    id: 'keepassxc-prf',
    authenticator: 'KeePassXC',
    where: 'extension, with the PRF of its open pull request',
    userAgent: firefox(150),
    facts: {
      createPrf: ['results', '1 KeePassXC PR (KX#13529)'],
      getPrf: ['same', '1 KeePassXC PR (KX#13529)'],
      aaguid: ['fdb141b2-5d84-443e-8a35-4698c205a502', '2 KeePassXC (AAG)'],
      backup: ['device-bound', '2 KeePassXC'],
      uv: ['always', '2 KeePassXC: 1 without verifying (KX#10406)'],
      attachment: ['platform', '2 KeePassXC'],
      transports: [[], '2 KeePassXC, older'],
      functions: ['patched', '4 KeePassXC replaces navigator.credentials'],
      excluded: ['waits', '3 KeePassXC'],
      unknownPasskey: ['waits', '3 KeePassXC'],
      cancel: ['null', '3 KeePassXC'],
      heedsSignal: [false, '3 KeePassXC'],
      refusesFrames: [true, '4 KeePassXC (KXB#2877)'],
    },
    expected: TWO,
  },
  {
    id: 'dashlane',
    authenticator: 'Dashlane',
    where: 'extension',
    userAgent: chrome(148),
    facts: {
      createPrf: ['absent', '1 Dashlane'],
      getPrf: ['none', '1 Dashlane'],
      aaguid: ['531126d6-e717-415c-9320-3d9aa6981239', '2 Dashlane (AAG)'],
      backup: 'unknown',
      uv: 'unknown',
      attachment: 'unknown',
      transports: 'unknown',
      object: 'unknown',
      functions: 'unknown',
    },
    expected: refused('PRF_MISSING', 2),
  },
  // Security keys
  {
    id: 'yubikey-usb',
    authenticator: 'YubiKey 5, firmware 5.2–5.7',
    where: 'usb, Chrome',
    userAgent: chrome(148),
    facts: { ...YUBIKEY, ...keyBy('usb') },
    expected: TWO,
  },
  {
    id: 'yubikey-usb-windows',
    authenticator: 'YubiKey 5, firmware 5.2–5.7',
    where: 'usb, Chrome on Windows, which names no transports',
    userAgent: chrome(148, WINDOWS),
    facts: {
      ...YUBIKEY,
      ...keyBy('usb'),
      transports: [[], '2 Security keys: Chrome ≥105 Windows (SimpleWebAuthn#301)'],
    },
    expected: TWO,
  },
  {
    id: 'yubikey-nfc',
    authenticator: 'YubiKey 5, firmware 5.2–5.7',
    where: 'nfc',
    facts: { ...YUBIKEY, ...keyBy('nfc') },
    expected: TWO,
  },
  {
    id: 'yubikey-5.8',
    authenticator: 'YubiKey 5, firmware 5.8+',
    where: 'usb, in a client with hmac-secret-mc',
    facts: {
      ...KEY,
      ...keyBy('usb'),
      createPrf: ['results', '1 YubiKey fw 5.8+ (Yubico, powershellYK#209)'],
      getPrf: ['same', '1 YubiKey fw 5.8+'],
    },
    expected: TWO,
  },
  {
    id: 'open-firmware',
    authenticator: 'A security key with an open firmware',
    where: 'usb, Chrome on Windows',
    userAgent: chrome(148, WINDOWS),
    facts: {
      ...KEY,
      ...keyBy('usb'),
      createPrf: ['results', '1 An open firmware with hmac-secret-mc (RS-Key#109)'],
      getPrf: ['differs', '1 An open firmware with hmac-secret-mc (RS-Key#109)'],
    },
    expected: refused('PASSKEY_UNSTABLE', 2),
  },
  {
    id: 'key-safari-before-26.4',
    authenticator: 'A security key',
    where: 'Safari before 26.4',
    userAgent: macSafari('26.3'),
    facts: {
      ...KEY,
      ...keyBy('usb'),
      createPrf: ['absent', '1 Keys in Safari <26.4 (BCD, WK#53734)'],
      getPrf: ['none', '1 Keys in Safari <26.4 (BCD, WK#53734)'],
      cancel: ['safari', '3 Safari'],
    },
    expected: refused('PRF_MISSING', 2),
  },
  {
    id: 'key-safari-26.4',
    authenticator: 'A security key',
    where: 'Safari 26.4, if it gives outputs at create',
    userAgent: macSafari('26.4'),
    facts: {
      ...KEY,
      ...keyBy('usb'),
      createPrf: 'unknown',
      getPrf: ['random', '1 Keys in Safari 26.4: other bytes every time (WK#53734, #54949)'],
      cancel: ['safari', '3 Safari'],
    },
    expected: refused('PASSKEY_UNSTABLE', 2),
  },
  {
    id: 'key-safari-26.4-enabled',
    authenticator: 'A security key',
    where: 'Safari 26.4, if it gives no outputs at create',
    userAgent: macSafari('26.4'),
    facts: {
      ...KEY,
      ...keyBy('usb'),
      createPrf: ['enabled', '1 YubiKey 5, fw 5.2–5.7 (Yubico); in Safari unknown'],
      getPrf: ['random', '1 Keys in Safari 26.4: other bytes every time (WK#53734, #54949)'],
      cancel: ['safari', '3 Safari'],
    },
    // Its one get() at registration is the first sample: only the next prompt can tell.
    expected: opensNothing({ register: 2, login: 0 }),
  },
  {
    id: 'firefox-key',
    authenticator: 'YubiKey 5, firmware 5.2–5.7',
    where: 'usb, Firefox',
    userAgent: firefox(150),
    facts: { ...YUBIKEY, ...keyBy('usb'), cancel: ['firefox', '3 Firefox (bugzilla 1942902)'] },
    expected: TWO,
  },
  // A phone that scans a code
  {
    id: 'hybrid-ios-18.0',
    authenticator: 'iPhone with iOS 18.0–18.3, by hybrid',
    where: 'Chrome on a computer; recovery on the iPhone itself',
    userAgent: chrome(148),
    facts: {
      ...PHONE,
      createPrf: ['results', '1 Phone by hybrid (WWW#1095)'],
      getPrf: ['same', '1 iCloud 18.0–18.3.1'],
      hybridOffset: [true, '1 iCloud 18.0–18.3.1 (AF 764730)'],
    },
    recoversElsewhere: true,
    expected: lostElsewhere({ ...OWN, register: 2, link: 2 }),
  },
  {
    id: 'hybrid-ios-18.4',
    authenticator: 'iPhone with iOS 18.4+, by hybrid',
    where: 'Chrome on a computer; recovery on the iPhone itself',
    userAgent: chrome(148),
    facts: {
      ...PHONE,
      createPrf: ['results', '1 Phone by hybrid (WWW#1095)'],
      getPrf: ['same', '1 Phone by hybrid (WWW README)'],
    },
    recoversElsewhere: true,
    expected: TWO,
  },
  {
    id: 'hybrid-firefox-linux',
    authenticator: 'A phone, by hybrid',
    where: 'Firefox on Linux',
    userAgent: firefox(150),
    facts: {
      ...PHONE,
      createPrf: 'unknown',
      getPrf: ['none', '1 Phone by hybrid: Firefox Linux no'],
      cancel: ['firefox', '3 Firefox (bugzilla 1942902)'],
    },
    expected: refused('PRF_MISSING', 2),
  },
  {
    id: 'webkitgtk',
    authenticator: 'None',
    where: 'WebKitGTK 2.50',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    facts: { api: [false, '1 WebKitGTK 2.50.6, measured'] },
    expected: refused('PASSKEYS_UNSUPPORTED', 0),
  },
];
