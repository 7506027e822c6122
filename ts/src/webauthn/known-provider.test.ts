import { afterEach, describe, expect, it, vi } from 'vitest';
import { native, PLATFORM_MODEL, platformRegistration } from '../flows/testing/answers.js';
import type { WebAuthnRegistration } from '../workers/signer-api.js';
import { isNative, isOfPlatform, isWindowsHello } from './known-provider.js';

const NONE = '00000000-0000-0000-0000-000000000000';
const inBrowser = (create: unknown) => vi.stubGlobal('navigator', { credentials: { create } });
afterEach(() => vi.unstubAllGlobals());

const made = (change: object = {}) =>
  ({ ...platformRegistration('id'), ...change }) as unknown as WebAuthnRegistration;

describe('a passkey of a known platform (core 5)', () => {
  it('is of this device, of a known model, and made by the browser itself', () => {
    inBrowser(native);
    expect(isOfPlatform(made(), PLATFORM_MODEL)).toBe(true);
    expect(isOfPlatform(made(), 'bada5566-a7aa-401f-bd96-45619a55120d')).toBe(false);
    for (const authenticatorAttachment of ['cross-platform', undefined])
      expect(isOfPlatform(made({ authenticatorAttachment }), PLATFORM_MODEL)).toBe(false);
  });

  it('is none where an extension makes the passkeys of this page', () => {
    inBrowser(() => 'its own');
    expect(isOfPlatform(made(), PLATFORM_MODEL)).toBe(false);
  });

  it.each([
    [['internal', 'hybrid'], true],
    [['internal'], false],
    [undefined, false],
  ])('without a model counts only where it is also reached by hybrid: %o', (transports, isKnown) => {
    inBrowser(native);
    expect(isOfPlatform(made({ response: { transports } }), NONE)).toBe(isKnown);
  });
});

it('Windows Hello is known by its models', () => {
  expect(isWindowsHello('08987058-cadc-4b81-b6e1-30de50dcbe96')).toBe(true);
  for (const aaguid of ['dd4ec289-e01d-41c9-bb89-70fa845d4bf2', 'toString', undefined])
    expect(isWindowsHello(aaguid)).toBe(false);
});

it('no passkey is made by the browser where it has no function for it', () => {
  for (const navigator of [undefined, {}, { credentials: {} }, { credentials: { create: 'x' } }]) {
    vi.stubGlobal('navigator', navigator);
    expect(isNative()).toBe(false);
  }
});
