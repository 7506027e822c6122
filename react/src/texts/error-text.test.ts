import { errorFrom } from 'latchkey/internal';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadHeadlines, setTexts, texts } from './current.js';
import { english } from './english.js';
import { errorText, isCancelled, outcomeText, thrownFailure, thrownText } from './error-text.js';
import { german } from './german.js';

afterEach(() => setTexts(english));

const taken = {
  code: 'ACCOUNT_EXISTS',
  message: 'Account alice.testnet already exists. Please choose a different account ID.',
  values: { account: 'alice.testnet' },
} as const;

describe('the sentence of an error for the user (core 2)', () => {
  it('is its own message until the headlines are loaded, and the headline from then on', async () => {
    expect(errorText(taken)).toBe(taken.message);
    await loadHeadlines();
    const said = 'alice.testnet is taken. Nothing was created. Pick another name.';
    const { code, message, values } = taken;
    expect(errorText(taken)).toBe(said);
    expect(thrownText(errorFrom(taken))).toBe(said);
    expect(outcomeText({ error: message, errorCode: code, errorValues: values })).toBe(said);
  });

  it('is the one of a missing network where a part of the page does not load for lack of it', () => {
    vi.stubGlobal('navigator', { onLine: false });
    expect(thrownFailure(new TypeError('Failed to fetch dynamically imported module'))).toMatchObject({
      code: 'OFFLINE',
    });
    expect(thrownFailure(errorFrom(taken))).toMatchObject(taken);
    vi.unstubAllGlobals();
  });

  it('is English where another catalogue has no headlines', async () => {
    await loadHeadlines();
    const { errors: _, ...without } = german;
    setTexts(without);
    expect(errorText({ code: 'VERIFICATION_FAILED', message: 'no' })).toMatch(
      /^Your passkey wasn’t accepted\./,
    );
    expect(texts().language).toBe('de');
  });

  it('is German where the catalogue is, with the values of the error', () => {
    setTexts(german);
    expect(errorText(taken)).toBe(
      'alice.testnet ist vergeben. Es ist nichts entstanden. Wähle einen anderen Namen.',
    );
  });

  it('names no reason of a server or a contract, which stands under Details', async () => {
    await loadHeadlines();
    const values = { reason: 'panicked: no' };
    const refused = { code: 'TRANSACTION_FAILED', message: 'The chain rejected it: panicked: no' };
    expect(errorText({ ...refused, values })).toMatch(/^The network refused this transaction/);
    expect(errorText({ ...refused, values: { ...values, fate: 'failed' } })).toMatch(
      /^The transaction was carried out/,
    );
    expect(errorText({ code: 'RELAY_REFUSED', message: 'relay: try again' })).not.toContain('relay');
  });

  it('says that the network does not have what a transaction needs yet, or any longer', async () => {
    await loadHeadlines();
    const lacking = (lacks: string) =>
      errorText({ code: 'TRANSACTION_FAILED', message: 'no', values: { reason: 'no gas keys', lacks } });
    expect(lacking('not-yet')).toMatch(/^The network doesn’t have what this transaction needs yet\./);
    expect(lacking('no-longer')).toMatch(/^The network no longer has what this transaction needs\./);
  });

  it('says what comes back of an amount, in both languages', async () => {
    await loadHeadlines();
    const values = { account: 'a.testnet', balance: '0.1', needed: '2', reason: ' Most of it comes back.' };
    const short = () => errorText({ code: 'INSUFFICIENT_BALANCE', message: 'Too little', values });
    expect(short()).toBe(
      'You have 0.1 NEAR; this needs up to 2. Most of it comes back. Add NEAR, then try again.',
    );
    setTexts(german);
    expect(short()).toContain('nötig sind bis zu 2. Das meiste davon kommt zurück. Lade NEAR auf');
  });

  it('is the one of an unknown error for what is not ours', async () => {
    await loadHeadlines();
    expect(thrownText('a string')).toMatch(/^Something went wrong\./);
    expect(thrownText(new Error('Not our words'))).toMatch(/^Something went wrong\./);
  });

  it('tells what the user ended from what failed', () => {
    const ended = ['CANCELLED', 'LOGIN_CANCELLED', 'TRANSACTION_CANCELLED', 'USER_CANCELLED_REGISTRATION'];
    expect(ended.filter(isCancelled)).toEqual(ended);
    expect([undefined, 'UNKNOWN'].filter(isCancelled)).toEqual([]);
  });
});
