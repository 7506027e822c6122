import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../config.js';
import type { ConfirmationConfig } from '../types.js';
import { decideAnotherTry, isSafari, type RequestClass, surroundings } from './decide.js';
import {
  ACTIONS,
  type ActionName,
  active,
  auto,
  click,
  decide,
  desktop,
  drawer,
  framed,
  framedTouch,
  modal,
  type Row,
  safari,
  skip,
  touch,
} from './testing/deciding.js';

describe('the confirmation decision (core 4)', () => {
  it.each<[string, RequestClass]>([
    ['signTransaction', 'Signing'],
    ['signNep413Message', 'Signing'],
    ['registerAccount', 'Registration'],
    ['linkDevice', 'Registration'],
    ['decryptPrivateKeyWithPrf', 'LocalOnly'],
    ['showSecurePrivateKeyUi', 'LocalOnly'],
  ])('%s is %s', (type, requestClass) => {
    expect(decide({ type }).requestClass).toBe(requestClass);
  });

  it.each(['', 'toString', '__proto__', 'sign', 'SignTransaction', 'registerAccount '])(
    'refuses any other type: %j',
    (type) => {
      expect(() => decide({ type })).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED_CONFIRMATION',
          message: 'Unsupported secure confirmation type',
        }),
      );
    },
  );

  it.each<Row>([
    ['uiMode skip: confirmed without UI', { page: skip }, skip],
    [
      'a payment whose outcome is not known yet is asked again: a click, whatever the settings [S44]',
      { actions: ['transfer'], page: skip, user: skip, isRepeated: true },
      { ...modal, ...click },
    ],
    [
      'the same on a touch device: in the drawer',
      { actions: ['transfer'], page: skip, isRepeated: true, at: { ...touch, ...active } },
      { ...drawer, ...click },
    ],
    [
      'the same without a confirmer: nothing could show the warning',
      { actions: ['transfer'], page: skip, isRepeated: true, hasConfirmer: false },
      skip,
    ],
    [
      "a click on the page's transaction button: no second one for the page",
      { page: { ...modal, ...click, autoProceedDelayMs: 700 }, wasClicked: true },
      { ...modal, ...auto, autoProceedDelayMs: 0 },
    ],
    [
      "a click on the page's transaction button: a second one for a user who chose so",
      { page: modal, user: click, wasClicked: true },
      { ...modal, ...click },
    ],
    [
      "a click on the page's transaction button: the user's time to cancel stays",
      { page: { ...modal, ...click }, user: { ...auto, autoProceedDelayMs: 900 }, wasClicked: true },
      { ...auto, autoProceedDelayMs: 900 },
    ],
    [
      "a click on the page's transaction button: no payment is repeated without another",
      { actions: ['transfer'], page: modal, wasClicked: true, isRepeated: true },
      { ...modal, ...click },
    ],
    [
      "a click on the page's transaction button: none inside a frame, where the page could draw it",
      { actions: ['transfer'], page: modal, wasClicked: true, at: framed },
      { ...modal, ...click },
    ],
    ['uiMode skip, requireClick: confirmed without UI', { page: { ...skip, ...click } }, skip],
    [
      'modal with autoProceed: loading UI, delay 0 by default',
      { page: { ...modal, ...auto } },
      { ...modal, ...auto, autoProceedDelayMs: 0 },
    ],
    [
      'modal with autoProceed: waits the delay',
      { page: { ...modal, ...auto, autoProceedDelayMs: 700 } },
      { ...modal, ...auto, autoProceedDelayMs: 700 },
    ],
    [
      'drawer with autoProceed: waits the delay',
      { page: { ...drawer, ...auto, autoProceedDelayMs: 700 } },
      { ...drawer, ...auto, autoProceedDelayMs: 700 },
    ],
    ['modal with requireClick: waits', { page: { ...modal, ...click } }, { ...modal, ...click }],
    ['drawer with requireClick: waits', { page: { ...drawer, ...click } }, { ...drawer, ...click }],
    [
      'any other mode: a loading modal, and confirm',
      { page: { uiMode: 'popup', ...click, autoProceedDelayMs: 700 } },
      { ...modal, ...auto, autoProceedDelayMs: 0 },
    ],
    ['any other mode, on touch: still by a click', { page: { uiMode: 'popup' }, at: touch }, click],
    [
      'key-decrypt always skips the UI',
      { type: 'decryptPrivateKeyWithPrf', page: { ...modal, ...click } },
      skip,
    ],
    ['key-decrypt skips on touch', { type: 'decryptPrivateKeyWithPrf', at: touch }, skip],
    ['key-decrypt skips inside a frame', { type: 'decryptPrivateKeyWithPrf', at: framedTouch }, skip],
    ['touch: skip becomes drawer with requireClick', { page: skip, at: touch }, { ...drawer, ...click }],
    ['Safari: skip becomes drawer with requireClick', { page: skip, at: safari }, { ...drawer, ...click }],
    ['touch: modal stays, requireClick', { page: { ...modal, ...auto }, at: touch }, { ...modal, ...click }],
    [
      'Safari: drawer stays, requireClick',
      { page: { ...drawer, ...auto }, at: safari },
      { ...drawer, ...click },
    ],
    [
      'touch: overrides the choices of the user and the call',
      { user: auto, call: { ...skip, ...auto }, at: touch },
      { ...drawer, ...click },
    ],
    ['touch with user activation: skip stays', { page: skip, at: { ...touch, ...active } }, skip],
    [
      'Safari with user activation: autoProceed stays',
      { page: { ...modal, ...auto }, at: { ...safari, ...active } },
      { ...modal, ...auto },
    ],
    [
      'frame: register, modal with requireClick',
      { type: 'registerAccount', page: { ...drawer, ...auto }, at: framed },
      { ...modal, ...click },
    ],
    [
      'frame: link-device, modal with requireClick',
      { type: 'linkDevice', page: skip, at: framed },
      { ...modal, ...click },
    ],
    [
      'frame on touch: register, drawer with requireClick',
      { type: 'registerAccount', at: framedTouch },
      { ...drawer, ...click },
    ],
    [
      'frame on touch: link-device, drawer with requireClick',
      { type: 'linkDevice', page: skip, at: { ...framedTouch, ...active } },
      { ...drawer, ...click },
    ],
    [
      'frame on a desktop Safari: register, modal',
      { type: 'registerAccount', page: skip, at: { ...safari, isEmbedded: true } },
      { ...modal, ...click },
    ],
    [
      'frame: an explicit config names the surface',
      { type: 'registerAccount', call: drawer, at: framed },
      { ...drawer, ...click },
    ],
    ['no frame: register follows the settings', { type: 'registerAccount', page: skip }, skip],
  ])('%s', (_rule, given, decided) => {
    expect(decide(given)).toMatchObject(decided);
  });

  it('follows the settings outside a frame on a desktop for every request; later settings override earlier ones', () => {
    const some = fc.constantFrom(undefined, skip, modal, { ...drawer, ...auto }, click);
    fc.assert(
      fc.property(
        some,
        some,
        some,
        fc.constantFrom(...(Object.keys(ACTIONS) as ActionName[])),
        (a, b, c, name) => {
          const { requestClass, ...decided } = decide({
            actions: [name],
            ...(a && { page: a }),
            ...(b && { user: b }),
            ...(c && { call: c }),
          });
          expect(decided).toEqual({ ...DEFAULT_CONFIRMATION, ...a, ...b, ...c });
          expect(requestClass).toBe('Signing');
        },
      ),
    );
  });
});

describe('another try', () => {
  it('always needs a click', () => {
    const decided = decide({ page: { ...drawer, ...auto, autoProceedDelayMs: 700 } });
    expect(decideAnotherTry(decided)).toEqual({ ...decided, ...click });
  });
});

describe("a call's unchecked settings", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, -1, '1e9', 'soon', null, undefined])(
    'do not shorten the delay that the user chose inside a frame, neither with no delay nor with %s',
    (autoProceedDelayMs) => {
      const decided = decide({
        actions: ['transfer'],
        at: framed,
        user: { ...auto, autoProceedDelayMs: 3000 },
        call: { autoProceedDelayMs: autoProceedDelayMs as number },
      });
      expect(decided.behavior).toBe('autoProceed');
      expect(decided.autoProceedDelayMs).toBeGreaterThanOrEqual(3000);
      expect(decided.autoProceedDelayMs).toBeLessThanOrEqual(60_000);
    },
  );

  it('count as absent where they are undefined: a required click stays required', () => {
    const call = { uiMode: undefined, behavior: undefined } as unknown as Partial<ConfirmationConfig>;
    const decided = decide({ page: { ...drawer, ...click }, call });
    expect(decided).toMatchObject({ ...drawer, ...click });
  });
});

describe('the Safari check', () => {
  it.each([
    [
      true,
      'macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    ],
    [
      true,
      'iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
    ],
    [
      false,
      'Chrome',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
    ],
    [
      false,
      'Edge',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0',
    ],
    [
      false,
      'Android Chrome',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
    ],
    [false, 'Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0'],
  ])('is told (%s) from the name of %s', (expected, _browser, userAgent) => {
    expect(isSafari(userAgent)).toBe(expected);
  });
});

describe('the surroundings that the browser tells of', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** A page with this pointer; `top` is its own window unless it is framed. */
  function page({
    maxTouchPoints = 0,
    pointer = 'fine',
    userAgent = '',
    userActivation = {},
    isFramed = false,
  }) {
    vi.stubGlobal('navigator', { maxTouchPoints, userAgent, userActivation });
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === `(pointer: ${pointer})` }));
    vi.stubGlobal('self', globalThis);
    vi.stubGlobal('top', isFramed ? {} : globalThis);
  }

  it('a desktop has neither touch nor a frame nor a click', () => {
    page({});
    expect(surroundings()).toEqual(desktop);
  });

  it('touch takes a touch screen and a coarse pointer', () => {
    page({ maxTouchPoints: 1, pointer: 'coarse' });
    expect(surroundings()).toEqual(touch);
    page({ maxTouchPoints: 1 });
    expect(surroundings()).toEqual(desktop);
    page({ pointer: 'coarse' });
    expect(surroundings()).toEqual(desktop);
  });

  it('Safari without touch is Safari', () => {
    page({ userAgent: 'Version/17.4 Safari/605.1.15' });
    expect(surroundings()).toEqual(safari);
  });

  it('a click counts while the browser says so', () => {
    page({ userActivation: { isActive: true } });
    expect(surroundings().hasUserActivation).toBe(true);
    vi.stubGlobal('navigator', { maxTouchPoints: 0, userAgent: '' });
    expect(surroundings().hasUserActivation).toBe(false);
  });

  it('another page asks where it frames this one, or opened it', () => {
    page({ isFramed: true });
    expect(surroundings()).toEqual(framed);
    page({});
    expect(surroundings(true)).toEqual(framed);
  });
});
