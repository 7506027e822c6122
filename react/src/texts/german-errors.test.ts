import { LatchkeyError } from 'latchkey';
import { afterEach, describe, expect, it } from 'vitest';
import * as account from '../../../ts/src/errors/account.js';
import * as frame from '../../../ts/src/errors/frame.js';
import { setTexts } from './current.js';
import { english } from './english.js';
import { errorText, thrownText } from './error-text.js';
import { german } from './german.js';
import { germanErrors } from './german-errors.js';

afterEach(() => setTexts(english));

const { ACCESS_KEY_NOT_FOUND, AUTHORIZATION_TIMEOUT, INSUFFICIENT_BALANCE, OFFLINE, TRANSACTION_EXECUTED } =
  account;
const englishOf = (code: string): string => ({ ...frame, ...account })[code as 'OFFLINE'].text;
const holesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the text of an error', () => {
  it('is its message in English, whatever the code', () => {
    expect(thrownText(new LatchkeyError(OFFLINE))).toBe(new LatchkeyError(OFFLINE).message);
    expect(errorText({ message: 'The chain says no', code: 'TRANSACTION_FAILED' })).toBe('The chain says no');
  });

  it.each(Object.entries(germanErrors))('%s has in German the same values as in English', (code, text) => {
    expect(holesOf(text)).toEqual(holesOf(englishOf(code)));
    expect(text).not.toBe(englishOf(code));
  });

  it('is German where the catalogue is, with the values of the message', () => {
    setTexts(german);
    const error = new LatchkeyError(ACCESS_KEY_NOT_FOUND, {
      values: { key: 'ed25519:abc', account: 'alice.testnet' },
    });
    expect(thrownText(error)).toBe('Der Schlüssel ed25519:abc ist nicht im Konto alice.testnet');
    const { message, code, values } = error;
    expect(errorText({ message, code, values })).toBe(thrownText(error));
  });

  it('is German inside another one, and for the prompts of a recovery', () => {
    setTexts(german);
    const reason = 'QR code expired';
    expect(thrownText(new LatchkeyError(AUTHORIZATION_TIMEOUT, { values: { reason } }))).toBe(
      'Das Gerät ließ sich nicht scannen und verknüpfen: Der QR-Code ist abgelaufen',
    );
    const message = 'Touch ID was cancelled or timed out.';
    expect(errorText({ message, code: 'CANCELLED' })).toBe('Der Passkey wurde abgebrochen oder lief ab.');
  });

  it('is German of a transaction that was executed and failed, and of an amount of which most comes back', () => {
    setTexts(german);
    const executed = { reason: 'panicked: no', fate: 'failed' };
    expect(thrownText(new LatchkeyError(TRANSACTION_EXECUTED, { values: executed }))).toBe(
      'Die Chain hat die Transaktion ausgeführt, und sie ist gescheitert: panicked: no',
    );
    const values = { account: 'a.testnet', balance: '0.1', needed: '2' };
    const short = (reason: string) =>
      thrownText(new LatchkeyError(INSUFFICIENT_BALANCE, { values: { ...values, reason } }));
    expect(short('')).toMatch(/für Gas und Einlage nötig\. Sende dem Konto/);
    expect(short(' Most of it comes back.')).toContain(
      'nötig. Das meiste davon kommt zurück. Sende dem Konto',
    );
  });

  it('stays as it came where it is not ours', () => {
    setTexts(german);
    expect(errorText({ message: 'relay: try again', code: 'RELAY_REFUSED' })).toBe('relay: try again');
    expect(errorText({ message: 'Not our words', code: 'OFFLINE' })).toBe('Not our words');
    expect(thrownText('a string')).toBe('a string');
  });
});
