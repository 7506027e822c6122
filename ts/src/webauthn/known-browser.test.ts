import { describe, expect, it, vi } from 'vitest';
import { knownBrowser } from './known-browser.js';

const iOS = (more: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${more}`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('a browser, known by its user agent (core 5)', () => {
  it.each([
    ['Safari 17 on iOS', iOS('Version/17.6 Mobile/15E148 Safari/604.1'), true],
    ['Safari 17 on a Mac', `${MAC} Version/17.5.1 Safari/605.1.15`, true],
    ['Safari 17 with a long version', `${MAC} Version/17.10.12 Safari/605.1.15`, true],
    ['Safari 18', `${MAC} Version/18.0 Safari/605.1.15`, false],
    ['Safari 26', iOS('Version/26.4 Mobile/15E148 Safari/604.1'), false],
    // What these pass on is not known.
    ['Chrome on iOS', iOS('CriOS/140.0.0.0 Mobile/15E148 Safari/604.1'), false],
    ['Edge on iOS', iOS('Version/17.0 EdgiOS/140.0.0.0 Mobile/15E148 Safari/604.1'), false],
    ['an old WebView', 'Mozilla/5.0 (Linux; Android 15) Version/4.0 Chrome/140.0.0.0 Safari/537.36', false],
    ['nothing', '', false],
  ])('%s: lacks PRF: %s', (_, userAgent, lacksPrf) => {
    expect(knownBrowser(userAgent).lacksPrf).toBe(lacksPrf);
  });

  it.each([
    ['18.0', '18.0'],
    ['18.3.1', '18.3'],
    ['18.4', undefined],
    ['26.0', undefined],
  ])('Safari %s on iOS has two secrets for a passkey: %s', (version, known) => {
    const { warning } = knownBrowser(iOS(`Version/${version} Mobile/15E148 Safari/604.1`));
    expect(warning?.values.version).toBe(known);
    expect(knownBrowser(`${MAC} Version/${version} Safari/605.1.15`).warning).toBeUndefined();
  });

  it('names the app that draws the page, and the browser to open', () => {
    const { inApp } = knownBrowser(iOS('Mobile/22F76 [LinkedInApp]/9.31.1'));
    expect(inApp).toMatchObject({
      app: 'LinkedIn',
      refusal: { text: { code: 'IN_APP_BROWSER' }, values: { app: 'LinkedIn', browser: 'Safari' } },
    });
  });

  it('is the one that draws this page, if any does', () => {
    vi.stubGlobal('navigator', { userAgent: iOS('Version/17.6 Mobile/15E148 Safari/604.1') });
    expect(knownBrowser().lacksPrf).toBe(true);
    vi.stubGlobal('navigator', undefined);
    expect(knownBrowser().lacksPrf).toBe(false);
    vi.unstubAllGlobals();
  });
});
