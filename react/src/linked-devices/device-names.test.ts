import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEVICE_NAMES_KEY, guessedName, keptNames, MAX_NAMES } from './device-names.js';

const guess = (userAgent: string, maxTouchPoints = 0) => {
  const { browser, system } = guessedName({ userAgent, maxTouchPoints }) ?? {};
  return browser && `${browser} on ${system}`;
};
const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

describe('the name of a device (kit 2)', () => {
  it.each([
    ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROMIUM} Mobile Safari/537.36`],
    ['Samsung Internet on Android', `Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/28.0 ${CHROMIUM}`],
    ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Safari/537.36 Edg/142.0.0.0`],
    ['Opera on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} Safari/537.36 OPR/124.0.0.0`],
    [
      'Chrome on Linux',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/142.0.0.0 Safari/537.36',
    ],
    ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROMIUM} Safari/537.36`],
    [
      'Firefox on Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
    ],
    ['Safari on Mac', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`],
    [
      'Safari on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    ],
    [
      'Chrome on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    ],
  ])('is guessed: %s', (name, userAgent) => {
    expect(guess(userAgent)).toBe(name);
  });

  it('is that of an iPad where a Mac is touched', () => {
    expect(guess(`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15`, 5)).toBe(
      'Safari on iPad',
    );
  });

  it.each(['', 'Mozilla/5.0 (X11; Linux x86_64)', 'curl/8.5.0'])('is not guessed from “%s”', (userAgent) => {
    expect(guess(userAgent)).toBeUndefined();
  });
});

describe('the kept names', () => {
  let stored: string | null;
  beforeEach(() => {
    vi.stubGlobal('localStorage', { getItem: (key: string) => (key === DEVICE_NAMES_KEY ? stored : null) });
  });
  afterEach(() => vi.unstubAllGlobals());
  const NAME = { browser: 'Chrome', system: 'Linux' };

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[1, "2"]'],
    [
      'names of another shape',
      '{"a": "Chrome", "b": {"browser": 1, "system": "x"}, "c": {"browser": "", "system": "x"}}',
    ],
    ['a name without an end', JSON.stringify({ a: { browser: 'C'.repeat(41), system: 'Linux' } })],
  ])('are none where storage has %s', (_, text) => {
    stored = text;
    expect([...keptNames()]).toEqual([]);
  });

  it('have none that JavaScript itself gives every object', () => {
    stored = '{"toString": {"browser": "Chrome", "system": "Linux"}}';
    expect([keptNames().get('toString'), keptNames().get('constructor')]).toEqual([NAME, undefined]);
  });

  it('are no more than a browser has passkeys', () => {
    stored = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`id${i}`, NAME])));
    const names = [...keptNames().keys()];
    expect([names.length, names.at(-1)]).toEqual([MAX_NAMES, 'id999']);
  });
});
