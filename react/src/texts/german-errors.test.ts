import { errorFrom } from 'latchkey/internal';
import { afterEach, describe, expect, it } from 'vitest';
import { setTexts } from './current.js';
import { english } from './english.js';
import { errorText, outcomeText, thrownText } from './error-text.js';
import { german } from './german.js';

afterEach(() => setTexts(english));

const noKey = {
  code: 'ACCESS_KEY_NOT_FOUND',
  message: 'Access key ed25519:abc not found on account alice.testnet',
  values: { key: 'ed25519:abc', account: 'alice.testnet' },
} as const;

describe('the text of an error (core 2)', () => {
  it('is its message in English, whatever the code', () => {
    expect(thrownText(errorFrom(noKey))).toBe(noKey.message);
    expect(errorText({ message: 'The chain says no', code: 'TRANSACTION_FAILED' })).toBe('The chain says no');
  });

  it('is German where the catalogue is, with the values of the error', () => {
    setTexts(german);
    const said = 'Der Schlüssel ed25519:abc ist nicht im Konto alice.testnet';
    const { code, message, values } = noKey;
    expect(errorText(noKey)).toBe(said);
    expect(thrownText(errorFrom(noKey))).toBe(said);
    expect(outcomeText({ error: message, errorCode: code, errorValues: values })).toBe(said);
  });

  it('is German inside another one, and for the prompts of a recovery', () => {
    setTexts(german);
    const values = { reason: 'QR code expired' };
    expect(errorText({ code: 'AUTHORIZATION_TIMEOUT', message: 'Failed', values })).toBe(
      'Das Gerät ließ sich nicht scannen und verknüpfen: Der QR-Code ist abgelaufen',
    );
    const message = 'Touch ID was cancelled or timed out.';
    expect(errorText({ message, code: 'CANCELLED' })).toBe('Der Passkey wurde abgebrochen oder lief ab.');
  });

  it('is German of a transaction that was executed and failed, and of an amount of which most comes back', () => {
    setTexts(german);
    const executed = { reason: 'panicked: no', fate: 'failed' };
    expect(errorText({ code: 'TRANSACTION_FAILED', message: 'Failed', values: executed })).toBe(
      'Die Chain hat die Transaktion ausgeführt, und sie ist gescheitert: panicked: no',
    );
    const values = { account: 'a.testnet', balance: '0.1', needed: '2' };
    const short = (reason: string) =>
      errorText({ code: 'INSUFFICIENT_BALANCE', message: 'Too little', values: { ...values, reason } });
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
