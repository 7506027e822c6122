import { STEPS } from 'latchkey';
import { englishEnterPhrase, englishShowPhrase } from 'latchkey/internal';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { fateWords } from '../format/fate.js';
import { blockedBy } from '../login-menu/modes.js';
import { pseudo } from '../testing/pseudo.js';
import { linkedToast, toastOf, unknownToast } from '../toasts/toast-of.js';
import { setTexts } from './current.js';
import { english } from './english.js';
import { englishConfirm } from './english-confirm.js';
import { englishTokens } from './english-tokens.js';
import { german } from './german.js';
import { stepText } from './step-text.js';

afterEach(() => setTexts(english));

/** Every text with its place, such as `.common.back`; one that takes values, with these. */
function entries(part: unknown, place: string, values: string[]): [string, string][] {
  if (typeof part === 'string') return [[place, part]];
  if (typeof part === 'function') return [[place, String(part(...values))]];
  return Object.entries(part as object).flatMap(([name, value]) =>
    entries(value, `${place}.${name}`, values),
  );
}

/** Every event of every flow, with this message. */
const eventsSaying = (message: string) =>
  Object.entries(STEPS).flatMap(([flow, steps]) =>
    Object.entries(steps).flatMap(([phase, step]) =>
      ['progress', 'success', 'error'].map(
        (status) => ({ flow, phase, step, status, message }) as unknown as AnyFlowEvent,
      ),
    ),
  );

describe('the catalogue of texts (core 2)', () => {
  it.each(['', 'a message in English'])('has each toast of every event, with the message “%s”', (message) => {
    setTexts(pseudo);
    const about = { accountId: '1.2', transactionId: '3' };
    const said = [
      ...eventsSaying(message)
        .filter(({ status }) => status !== 'error' || !message)
        .flatMap((event) => [
          toastOf(event, about),
          toastOf(event, { ...about, device: 2 }),
          toastOf(event, { ...about, signsOnly: true }),
        ]),
      linkedToast('1.2'),
      unknownToast(),
    ].map((toast) => toast?.text ?? '');
    expect(said.length).toBeGreaterThan(150);
    expect(said.filter((text) => /[a-z]/i.test(text))).toEqual([]);
  });

  it('has in German a text for each step that runs or is done, at both ends of a linking', () => {
    for (const event of eventsSaying('a message in English')) {
      for (const device of [1, 2] as const) {
        const text = german.steps?.(event, device);
        const isFailure = event.status === 'error' || event.step === 0;
        expect(text === undefined, `${event.flow} ${event.phase} ${event.status}`).toBe(isFailure);
      }
    }
    setTexts(german);
    const [event] = eventsSaying('Asking') as [AnyFlowEvent];
    expect(stepText(event)).toBe('Der Kontoname wird geprüft');
    expect(stepText({ ...event, data: { waiting: true } })).toBe('Warten auf das Netz');
    setTexts(english);
    expect(stepText(event)).toBe('Asking');
  });

  it('is read at each call, so that a change of the language counts', () => {
    const at = { isSecure: false, isFramed: false, registrar: 'w3a-v1.testnet' };
    const input = { inputUsername: '', targetAccountId: '', accountExists: false };
    const said = () => [fateWords('executed').label, blockedBy('register', input, at)?.hint];
    expect(said()).toEqual(['Done', 'HTTPS required']);
    setTexts(german);
    expect(said()).toEqual(['Erledigt', 'HTTPS nötig']);
  });

  it('has in German a text of its own for each, with the same values', () => {
    const values = ['value-1', 'value-2'];
    const inEnglish = {
      ...english,
      confirm: englishConfirm,
      tokens: englishTokens,
      phraseViewer: { show: englishShowPhrase, enter: englishEnterPhrase },
    };
    // Its steps and errors read an event and a message.
    const { steps, errors, ...plain } = german;
    const inGerman = new Map(entries(plain, '', values));
    const alike = ['.profile.wallet', '.profile.explorer', '.confirm.facts.wallet'];
    const filled = (text: string): string[] => (text.match(/\{\w+\}|value-\d/g) ?? []).sort();
    for (const [place, text] of entries(inEnglish, '', values)) {
      const other = inGerman.get(place) ?? '';
      expect(filled(other), place).toEqual(filled(text));
      if (!alike.includes(place)) expect(other, place).not.toBe(text);
    }
  });
});
