import { afterEach, describe, expect, it, vi } from 'vitest';
import { native, PLATFORM_MODEL, platformRegistration } from '../flows/testing/answers.js';
import type { WebAuthnRegistration } from '../workers/signer-api.js';
import { isOfPlatform } from './known-provider.js';

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
