/** Both ends of the port over a real MessageChannel, for every message of the table. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ConfirmationWish } from '../types.js';
import { carrierOf, MESSAGES, type MessageType, messageNamed } from './protocol/index.js';
import type { Case } from './testing/case.js';
import { CASES } from './testing/cases.js';
import { type Connected, connect, rawHost, type Told } from './testing/recording-wallet.js';

const TYPES = Object.keys(MESSAGES) as MessageType[];
const caseOf = (type: MessageType): Case<MessageType> => CASES[type] as unknown as Case<MessageType>;

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** The answers of a case's wallet. */
function answersOf(type: MessageType, change: (gives: unknown) => unknown = (gives) => gives) {
  const { method, gives } = caseOf(type);
  const answer = typeof gives === 'function' ? (gives as () => unknown) : async () => change(gives);
  return method ? { [method]: answer } : {};
}

function connectFor(type: MessageType, change?: (gives: unknown) => unknown): Connected {
  const both = connect(answersOf(type, change));
  open.push(both);
  return both;
}

function rawHostFor(type: MessageType) {
  const host = rawHost(answersOf(type));
  open.push(host);
  return host;
}

/** Every place in a payload: its path, and the payload with another value there. */
function* places(
  value: unknown,
  path: string[] = [],
): Generator<{ path: string[]; put: (other: unknown) => unknown }> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) {
    yield { path, put: (other) => other };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    for (const { path: rest, put } of places(inner, [...path, key])) {
      const replaced = (other: unknown) =>
        Array.isArray(value)
          ? value.map((item, index) => (String(index) === key ? put(other) : item))
          : { ...value, [key]: put(other) };
      yield { path: rest, put: replaced };
    }
  }
}

/** Places that take any JSON, or much text. */
const ANYTHING = /\bargs\b|originPolicy|uiRegistry/;

/** Every object of a result with an extra field. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, planted(inner)]);
  return {
    ...Object.fromEntries(fields),
    privateKey: SECRET,
    bytes: new TextEncoder().encode(SECRET),
    tell: () => SECRET,
  };
}
const SECRET = 'ed25519:PLANTED';
const SECRET_BYTES = [...new TextEncoder().encode(SECRET)].join();

/** All sent messages, bytes as numbers. */
const heard = (said: readonly Told[]): string =>
  JSON.stringify(said, (_, value) => (value instanceof Uint8Array ? [...value] : value));

const fieldOf = ({ payload }: Told): string => String((payload?.details as { field?: string })?.field);

describe('The table of messages (frame 7)', () => {
  it('has a case here for every message', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(TYPES.toSorted());
  });

  it('knows no message by a name that objects inherit', () => {
    expect(messageNamed('constructor')).toBeUndefined();
    expect(messageNamed('__proto__')).toBeUndefined();
    expect(messageNamed('toString')).toBeUndefined();
  });
});

describe.each(TYPES)('%s (frame 7)', (type) => {
  const { payload, method, args, gives, end, refused } = caseOf(type);
  const result = 'result' in caseOf(type) ? caseOf(type).result : gives;
  const isPong = Boolean(messageNamed(type)?.pong);

  it('reaches the wallet with its arguments, and answers with its result', async () => {
    const { client, calls, said } = connectFor(type);
    const answer = client.request(type, payload);
    if (refused) {
      await expect(answer).rejects.toMatchObject({ code: refused });
      expect(calls).toEqual([]);
      return;
    }
    expect(await answer).toEqual(result);
    expect(calls).toEqual(method ? [{ method, args }] : []);
    expect(said.map((one) => one.type)).toContain(isPong ? 'PONG' : 'PM_RESULT');
  });

  if (end)
    it('reports its end after its result', async () => {
      const { client, said } = connectFor(type);
      const told = await new Promise((resolve) => {
        void client.request(type, payload, { onEnd: resolve });
      });
      expect(told).toEqual({ ok: true, result: end });
      const types = said.map((one) => one.type);
      expect(types.lastIndexOf('WALLET_UI_CLOSED')).toBeGreaterThan(types.indexOf('PM_RESULT'));
    });

  if (gives)
    it('passes only the fields of its result', async () => {
      const { client, said } = connectFor(type, planted);
      expect(await client.request(type, payload)).toEqual(result);
      if (end)
        await expect
          .poll(() => said.some((one) => one.type === 'WALLET_UI_CLOSED' && one.payload))
          .toBeTruthy();
      expect(heard(said)).not.toContain(SECRET);
      expect(heard(said)).not.toContain(SECRET_BYTES);
    });

  if (!refused)
    it('refuses an invalid field by its name [S16]', async () => {
      const { ask, answersTo, calls } = rawHostFor(type);
      const wrongs = [{ surprise: true }, 'x'.repeat(70_000), Array(1_001).fill(0)];
      const asked = [...places(payload)]
        .filter(({ path }) => path.length > 0 && !ANYTHING.test(path.join('.')))
        .flatMap(({ path, put }) => wrongs.map((wrong) => ({ path, id: ask(type, put(wrong)) })));
      asked.push({ path: ['surprise'], id: ask(type, { ...(payload as object), surprise: 1 }) });
      for (const { path, id } of asked) {
        const [refusal, ...others] = await answersTo(id);
        expect(refusal, path.join('.')).toMatchObject({
          type: 'ERROR',
          payload: { code: 'INVALID_MESSAGE' },
        });
        const place = ['payload', ...path].join('.');
        const field = fieldOf(refusal as Told);
        expect(field.startsWith(place) || place.startsWith(`${field}.`), `${field} for ${place}`).toBe(true);
        expect(others).toEqual([]);
      }
      expect(calls).toEqual([]);
    });
});

describe("a host's own check before anything crosses", () => {
  it.each(['registerPasskey', 'signNEP413Message', 'setConfirmationConfig'] as const)(
    'refuses a confirmation setting that does not exist, by name: %s',
    (call) => {
      const misspelt = { uimode: 'skip' } as ConfirmationWish;
      const args = {
        registerPasskey: ['alice.testnet', { confirmationConfig: misspelt }],
        signNEP413Message: [
          {
            nearAccountId: 'alice.testnet',
            params: { message: 'm', recipient: 'r' },
            options: { confirmationConfig: misspelt },
          },
        ],
        setConfirmationConfig: [misspelt],
      }[call];
      expect(() => carrierOf(call).pack(args as never)).toThrow('confirmationConfig has no setting uimode');
    },
  );
});
