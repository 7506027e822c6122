import { describe, expect, it } from 'vitest';
import { everyWay, hintsFor, recorded, wellFormed } from './transports.js';

describe('transports (core 4)', () => {
  it.each<[unknown, string[]]>([
    [['internal'], ['internal']],
    [
      ['usb', 'nfc', 'usb'],
      ['usb', 'nfc'],
    ],
    [
      [' USB ', 'smartCard', 'SMART_CARD'],
      ['usb', 'smart-card'],
    ],
    [
      ['cable', 'by-pigeon'],
      ['cable', 'by-pigeon'],
    ],
    [['', ' ', 1, null, 'ü', 'x'.repeat(33)], []],
    [['hybrid'], ['hybrid', 'internal']],
    [
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    ],
    [
      ['a', 'b', 'c', 'd', 'e', 'f', 'hybrid', 'h', 'i'],
      ['a', 'b', 'c', 'd', 'e', 'f', 'hybrid', 'internal'],
    ],
    [[], []],
    ['internal', []],
    [undefined, []],
  ])('%j are %j', (given, kept) => {
    expect(wellFormed(given)).toEqual(kept);
  });
});

it('a record of internal alone says nothing: wallets wrote it where they knew none', () => {
  expect(recorded(['internal'])).toEqual([]);
  expect(recorded(['usb'])).toEqual(['usb']);
  expect(recorded(['internal', 'hybrid'])).toEqual(['internal', 'hybrid']);
  expect(recorded(['hybrid'])).toEqual(['hybrid', 'internal']);
});

it('the browser looks for a passkey of another device by every way, and by those of its record', () => {
  expect(everyWay(['internal'])).toEqual(['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card']);
  expect(everyWay(['cable'])).toContain('cable');
  expect(everyWay(['a', 'b', 'c'])).toEqual([
    'internal',
    'hybrid',
    'usb',
    'nfc',
    'ble',
    'smart-card',
    'a',
    'b',
  ]);
});

describe('hints for a request (core 4)', () => {
  const passkey = (...transports: string[]) =>
    ({ type: 'public-key', id: new Uint8Array(1), transports }) as PublicKeyCredentialDescriptor;

  it.each<[string, PublicKeyCredentialDescriptor[] | undefined, string[]]>([
    ['name this device where all passkeys are on it', [passkey('internal')], ['client-device']],
    ['name security keys where all are on such', [passkey('usb', 'nfc'), passkey('ble')], ['security-key']],
    ['are none for a passkey that is here or on a phone', [passkey('internal', 'hybrid')], []],
    ['are none for passkeys of several kinds', [passkey('internal'), passkey('usb')], []],
    ['are none where a passkey says nothing', [passkey('usb'), passkey()], []],
    ['are none for transports of no known kind', [passkey('cable')], []],
    ['are none where no passkey is named', undefined, []],
  ])('%s', (_, passkeys, hints) => {
    expect(hintsFor(passkeys)).toEqual(hints);
  });
});
