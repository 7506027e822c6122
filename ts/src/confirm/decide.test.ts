import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../config.js';
import type { ConfirmationConfig } from '../types.js';
import { decideConfirmation, type Surroundings } from './decide.js';

const desktop: Surroundings = {
  isTouch: false,
  isTouchOrSafari: false,
  hasUserActivation: false,
  isEmbedded: false,
};
const touch: Surroundings = { ...desktop, isTouch: true, isTouchOrSafari: true };
const framed: Surroundings = { ...desktop, isEmbedded: true };
const config = (change: Partial<ConfirmationConfig> = {}) => ({ ...DEFAULT_CONFIRMATION, ...change });

describe('the confirmation decision', () => {
  it('follows the settings on a desktop page', () => {
    for (const uiMode of ['skip', 'modal', 'drawer'] as const) {
      for (const behavior of ['autoProceed', 'requireClick'] as const) {
        const wanted = config({ uiMode, behavior });
        expect(decideConfirmation('signTransaction', wanted, false, desktop)).toEqual(wanted);
      }
    }
  });

  it('always skips the UI to decrypt a key', () => {
    const decided = decideConfirmation(
      'decryptPrivateKeyWithPrf',
      config({ behavior: 'requireClick' }),
      false,
      touch,
    );
    expect(decided.uiMode).toBe('skip');
  });

  it('asks for a click on touch devices and Safari, unless one has just been made', () => {
    const skip = config({ uiMode: 'skip' });
    expect(decideConfirmation('signTransaction', skip, false, touch)).toMatchObject({
      uiMode: 'drawer',
      behavior: 'requireClick',
    });
    expect(decideConfirmation('signNep413Message', config(), true, touch)).toMatchObject({
      uiMode: 'modal',
      behavior: 'requireClick',
    });
    expect(decideConfirmation('signTransaction', skip, false, { ...touch, hasUserActivation: true })).toEqual(
      skip,
    );
  });

  it('asks for a click inside the frame for registration and linking, whatever was configured', () => {
    const skip = config({ uiMode: 'skip' });
    expect(decideConfirmation('registerAccount', skip, false, framed)).toMatchObject({
      uiMode: 'modal',
      behavior: 'requireClick',
    });
    expect(decideConfirmation('linkDevice', skip, true, { ...framed, isTouch: true })).toMatchObject({
      uiMode: 'drawer',
      behavior: 'requireClick',
    });
    expect(decideConfirmation('registerAccount', config({ uiMode: 'drawer' }), true, framed)).toMatchObject({
      uiMode: 'drawer',
      behavior: 'requireClick',
    });
    expect(decideConfirmation('signTransaction', skip, false, framed)).toEqual(skip);
  });

  it('falls back to a loading modal for a mode it does not know', () => {
    const unknown = { ...config(), uiMode: 'popup' } as unknown as ConfirmationConfig;
    expect(decideConfirmation('signTransaction', unknown, false, desktop)).toMatchObject({
      uiMode: 'modal',
      behavior: 'autoProceed',
      autoProceedDelayMs: 0,
    });
    expect(decideConfirmation('registerAccount', unknown, true, framed).behavior).toBe('requireClick');
    expect(decideConfirmation('signTransaction', unknown, false, touch).behavior).toBe('requireClick');
  });

  it.each(['', 'toString', 'sign'])('refuses the request type %j', (type) => {
    expect(() => decideConfirmation(type, config(), false, desktop)).toThrow(
      'Unsupported secure confirmation type',
    );
  });
});
