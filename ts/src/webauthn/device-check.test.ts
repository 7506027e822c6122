import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { assertDevice, checkDevice } from './device-check.js';

interface Browser {
  isSecureContext?: boolean;
  hasWebAuthn?: boolean;
  capabilities?: Record<string, boolean> | Error | 'silent';
  platform?: boolean;
  /** The permission policy; absent if the browser does not report it. */
  allowed?: string[];
  /** What that policy is about; both ceremonies unless set. */
  features?: string[];
  isFramed?: boolean;
  userAgent?: string;
}

const FEATURES = ['publickey-credentials-create', 'publickey-credentials-get'];
/** What a browser reports that can make and use passkeys for certain. */
const CAPABLE: Browser = { capabilities: { 'extension:prf': true, hybridTransport: true }, platform: true };

function browse({
  isSecureContext = true,
  hasWebAuthn = true,
  capabilities,
  platform,
  allowed,
  features = FEATURES,
  isFramed = false,
  userAgent = '',
}: Browser): void {
  vi.stubGlobal('isSecureContext', isSecureContext);
  vi.stubGlobal('navigator', { credentials: {}, userAgent });
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('top', isFramed ? {} : globalThis);
  vi.stubGlobal(
    'PublicKeyCredential',
    hasWebAuthn
      ? {
          ...(capabilities && {
            getClientCapabilities: async () => {
              if (capabilities === 'silent') return new Promise(() => undefined);
              if (capabilities instanceof Error) throw capabilities;
              return capabilities;
            },
          }),
          ...(platform !== undefined && {
            isUserVerifyingPlatformAuthenticatorAvailable: async () => platform,
          }),
        }
      : undefined,
  );
  vi.stubGlobal('document', {
    ...(allowed && {
      featurePolicy: {
        features: () => features,
        allowsFeature: (feature: string) => allowed.includes(feature),
      },
    }),
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const safari = (version: string): string =>
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  `Version/${version} Mobile/15E148 Safari/604.1`;

describe('before the first prompt (core 5)', () => {
  it('a fully capable browser is reported as such', async () => {
    browse({ ...CAPABLE, allowed: FEATURES });
    expect(await checkDevice()).toEqual({
      canUsePasskeys: 'yes',
      isSecureContext: true,
      hasWebAuthn: true,
      mayCreate: true,
      mayGet: true,
      platformAuthenticator: true,
      hybridTransport: true,
      prf: true,
    });
    await expect(assertDevice('create')).resolves.toBeUndefined();
  });

  it.each<[string, Browser, string, string]>([
    [
      'no secure context',
      { isSecureContext: false, hasWebAuthn: false },
      'INSECURE_CONTEXT',
      'Passkey operations require a secure context (HTTPS or localhost). Serve the page over HTTPS, or open it at localhost.',
    ],
    [
      'no WebAuthn',
      { hasWebAuthn: false },
      'PASSKEYS_UNSUPPORTED',
      'This browser does not support passkeys (WebAuthn). Please update it, or use another browser.',
    ],
    [
      'a frame that may not make passkeys',
      { allowed: ['publickey-credentials-get'], isFramed: true },
      'PASSKEYS_FORBIDDEN_HERE',
      'This page may not use passkeys here: its permission policy lacks publickey-credentials-create. ' +
        'A frame gets it by the allow attribute of its iframe, a page by its Permissions-Policy header.',
    ],
    [
      'no PRF, and no phone to use instead',
      { capabilities: { 'extension:prf': false, hybridTransport: false }, platform: true },
      'PRF_UNSUPPORTED',
      'This browser cannot return the PRF results of a passkey, from which the wallet makes its keys. ' +
        'Please update it, or use another browser. On Windows, update Windows too.',
    ],
    [
      'a Safari without PRF, which says nothing of it',
      { userAgent: safari('17.6') },
      'PRF_UNSUPPORTED',
      'This browser cannot return the PRF results of a passkey, from which the wallet makes its keys. ' +
        'Please update it, or use another browser. On Windows, update Windows too.',
    ],
    [
      'a Safari without PRF, which says so',
      { userAgent: safari('17.6'), capabilities: { 'extension:prf': false } },
      'PRF_UNSUPPORTED',
      'This browser cannot return the PRF results of a passkey, from which the wallet makes its keys. ' +
        'Please update it, or use another browser. On Windows, update Windows too.',
    ],
  ])('%s is reported', async (_, browser, errorCode, error) => {
    browse(browser);
    expect(await checkDevice()).toMatchObject({ canUsePasskeys: 'no', errorCode, error });
    await expect(assertDevice('create')).rejects.toMatchObject({ code: errorCode, message: error });
  });

  it('an iOS whose passkeys open their accounts on it alone is warned about, and refused nothing', async () => {
    browse({ userAgent: safari('18.3') });
    expect(await checkDevice()).toMatchObject({
      canUsePasskeys: 'unknown',
      warningCode: 'IOS_OUTDATED',
      warningValues: { version: '18.3' },
      warning:
        'On iOS 18.3 a passkey opens its account on this device alone: another device that scans its code gets other keys. ' +
        'Update to iOS 18.4 or later before you make an account.',
    });
    await expect(assertDevice('create')).resolves.toBeUndefined();
    browse({ userAgent: safari('18.4') });
    expect(await checkDevice()).not.toHaveProperty('warning');
  });

  it.each<[string, Browser]>([
    [
      'has no PRF of its own, but can use a phone',
      { capabilities: { 'extension:prf': false, hybridTransport: true } },
    ],
    ['has no PRF, and does not report on phones', { capabilities: { 'extension:prf': false } }],
    ['reports nothing', {}],
    ['can use no phone', { capabilities: { hybridTransport: false } }],
    [
      'can use no phone, but has PRF of its own',
      { capabilities: { 'extension:prf': true, hybridTransport: false } },
    ],
    [
      'is an older Safari that reports PRF',
      { userAgent: safari('17.6'), capabilities: { 'extension:prf': true } },
    ],
    ['fails to report', { capabilities: new Error('no') }],
    ['has no authenticator yet', { platform: false, capabilities: { 'extension:prf': true } }],
    ['is framed, and does not report its policy', { isFramed: true, ...CAPABLE }],
    ...FEATURES.map((feature): [string, Browser] => [
      `is framed, and reports ${feature} alone`,
      { isFramed: true, ...CAPABLE, features: [feature], allowed: [feature] },
    ]),
  ])('a browser that %s is left to the prompt', async (_, browser) => {
    browse(browser);
    expect(await checkDevice()).toMatchObject({ canUsePasskeys: 'unknown' });
    await expect(assertDevice('create')).resolves.toBeUndefined();
    await expect(assertDevice('get')).resolves.toBeUndefined();
  });

  it('a browser that never answers delays the check by one second only', async () => {
    browse({ capabilities: 'silent', platform: true });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const checking = checkDevice();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await checking).toMatchObject({
      canUsePasskeys: 'unknown',
      platformAuthenticator: true,
      prf: null,
    });
  });

  it.each<['create' | 'get', 'create' | 'get']>([
    ['get', 'create'],
    ['create', 'get'],
  ])('a frame with the policy for %s alone may do that, and %s elsewhere', async (may, mayNot) => {
    browse({ allowed: [`publickey-credentials-${may}`], isFramed: true });
    const errorValues = { feature: `publickey-credentials-${mayNot}` };
    expect(await checkDevice()).toMatchObject({ errorCode: 'PASSKEYS_FORBIDDEN_HERE', errorValues });
    await expect(assertDevice(may)).resolves.toBeUndefined();
    await expect(assertDevice(mayNot)).rejects.toMatchObject({ code: 'PASSKEYS_FORBIDDEN_HERE' });
    await expect(assertDevice(mayNot, { hasOtherWays: true })).resolves.toBeUndefined();
  });

  it('a browser without PRF is refused whatever other ways there are', async () => {
    browse({ userAgent: safari('17.6') });
    const asked = assertDevice('create', { hasOtherWays: true });
    await expect(asked).rejects.toMatchObject({ code: 'PRF_UNSUPPORTED' });
  });

  it.each([
    [false, true],
    [true, null],
  ])('a page without a reported policy may use passkeys unless it is framed: %s', async (isFramed, may) => {
    browse({ isFramed });
    expect(await checkDevice()).toMatchObject({ mayCreate: may, mayGet: may });
    vi.stubGlobal('document', undefined);
    expect(await checkDevice()).toMatchObject({ mayCreate: may, mayGet: may });
  });

  it('the authenticator of the device is known from either report', async () => {
    browse({ capabilities: { userVerifyingPlatformAuthenticator: false } });
    expect(await checkDevice()).toMatchObject({ platformAuthenticator: false });
    browse({ capabilities: { userVerifyingPlatformAuthenticator: false }, platform: true });
    expect(await checkDevice()).toMatchObject({ platformAuthenticator: true });
  });

  it('a place without a navigator has no passkeys', async () => {
    browse({});
    vi.stubGlobal('navigator', undefined);
    expect(await checkDevice()).toMatchObject({ errorCode: 'PASSKEYS_UNSUPPORTED' });
  });
});

describe('in a view of an app (core 5)', () => {
  const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/22F76';
  const WEBVIEW =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0.0.0';

  it.each([
    [WEBVIEW, 'IN_APP_BROWSER'],
    [`${IOS} Instagram 380.0`, 'IN_APP_BROWSER'],
    [IOS, undefined],
  ])('a report of PRF is believed where nothing else tells of the view: %s', async (userAgent, errorCode) => {
    browse({ userAgent, capabilities: { 'extension:prf': true } });
    expect((await checkDevice()).errorCode).toBe(errorCode);
  });

  it.each([
    [WEBVIEW, 'Chrome'],
    [`${IOS} Instagram 380.0`, 'Safari'],
  ])('is told where to open the page, unless another problem comes first: %s', async (userAgent, openIn) => {
    browse({ userAgent });
    expect(await checkDevice()).toMatchObject({ openIn, errorValues: { browser: openIn } });
    browse({ userAgent, isSecureContext: false });
    expect(await checkDevice()).not.toHaveProperty('openIn');
  });
});
