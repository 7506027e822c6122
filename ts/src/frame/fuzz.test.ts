/** Random and mutated messages against the wallet end. FUZZ_RUNS sets how many; FUZZ_SEED repeats a run. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, SIGNING_FAILED } from '../errors/account.js';
import { MESSAGES } from './protocol/index.js';
import type { Case } from './testing/case.js';
import { CASES } from './testing/cases.js';
import { type Answers, rawHost, type Told } from './testing/recording-wallet.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 300);
const SEED = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {};
const SECRET = 'ed25519:PLANTED-SECRET';
const SECRET_BYTES = new TextEncoder().encode(SECRET);
const TYPES = Object.keys(MESSAGES);
const CANCELLED_LATER = ['PM_RESULT', 'ERROR', 'CANCELLED'];
type Cases = Readonly<Record<string, Case<'PING'>>>;

/** All sent messages, bytes as text. */
const heard = (said: readonly Told[]): string =>
  JSON.stringify(said, (_, value) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : value));

// ---------------------------------------------------------------- a wallet that leaks wherever it can

const holdingSecret: readonly (() => unknown)[] = [
  () => SECRET_BYTES,
  () => ({ privateKey: SECRET, prf: { first: SECRET_BYTES } }),
  () => new Map([[SECRET, SECRET_BYTES]]),
  () => new Error(SECRET),
  () => () => SECRET,
  () => Object.assign(Object.create(null), { toJSON: () => SECRET, secret: SECRET }),
];

/** A value with secrets added to its content, and sometimes in place of it. */
function leaking(value: unknown, pick: (below: number) => number): unknown {
  // A schema cannot detect secret bytes in place of other bytes.
  if (value instanceof Uint8Array) return value;
  if (pick(12) === 0) return holdingSecret[pick(holdingSecret.length)]?.();
  if (Array.isArray(value)) return value.map((item) => leaking(item, pick));
  if (typeof value !== 'object' || value === null) return value;
  // A call's arguments are any bytes, so a schema cannot detect secret ones there either.
  const fields = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'args' ? inner : leaking(inner, pick),
  ]);
  return { ...Object.fromEntries(fields), privateKey: SECRET, key: SECRET_BYTES, hidden: { deeper: SECRET } };
}

function leakingError(pick: (below: number) => number): Error {
  if (pick(2) === 0) return Object.assign(new Error(SECRET), { details: SECRET, code: SECRET });
  const details = {
    secret: SECRET,
    reason: { SECRET },
    nodes: [SECRET_BYTES],
    outcome: { SECRET },
    fate: SECRET_BYTES,
  };
  return new LatchkeyError(SIGNING_FAILED, {
    values: { reason: 'no' },
    details: leaking(details, pick) as Record<string, unknown>,
    cause: new Error(SECRET, { cause: SECRET_BYTES }),
  });
}

/** Calls without a result, which cannot leak anything. */
const DRAWING: ReadonlySet<string> = new Set(['showRegisterButton', 'showTransactionButton']);

function leakyAnswers(pick: (below: number) => number): Answers {
  const methods = Object.values(CASES as unknown as Cases).flatMap(({ method, gives }) =>
    method && !DRAWING.has(method) ? [{ method, gives }] : [],
  );
  const drawing = [...DRAWING].map((method) => [method, async () => undefined] as const);
  return Object.fromEntries([
    ...drawing,
    ...methods.map(
      ({ method, gives }) =>
        [
          method,
          async (...args: readonly unknown[]) => {
            const last = args.at(-1) as { options?: object } | undefined;
            const { onEvent } = (last?.options ?? last ?? {}) as { onEvent?: (event: unknown) => void };
            const data = { hash: 'h', secret: SECRET, qrData: { SECRET }, digest: SECRET_BYTES };
            onEvent?.(
              leaking({ step: 1, phase: 'preparation', status: 'progress', message: '', data }, pick),
            );
            if (pick(4) === 0) throw leakingError(pick);
            return leaking(typeof gives === 'function' ? {} : gives, pick);
          },
        ] as const,
    ),
  ]);
}

// ---------------------------------------------------------------- a host that sends anything

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withObjectString: true,
  maxDepth: 3,
});
const odd = fc.oneof(
  anything,
  fc.constantFrom('__proto__', 'constructor', '', '\u0000', Number.NaN, -1, 2 ** 53, null, undefined, [], {}),
);

/** A valid payload with one place changed, or any value. */
const payloadOf = (type: string): fc.Arbitrary<unknown> => {
  const good = (CASES as unknown as Cases)[type]?.payload as unknown;
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(good) },
    { weight: 4, arbitrary: fc.tuple(fc.nat(), odd).map(([place, other]) => mutated(good, place, other)) },
    { weight: 1, arbitrary: anything },
  );
};

function mutated(value: unknown, place: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return other;
  const entries = Object.entries(value);
  const index = place % (entries.length + 1);
  const chosen = entries[index];
  if (!chosen) return Array.isArray(value) ? [...value, other] : { ...value, surprise: other };
  const [key, inner] = chosen;
  const changed = place % 3 === 0 ? other : mutated(inner, Math.floor(place / 3), other);
  return Array.isArray(value)
    ? value.map((item, at) => (at === index ? changed : item))
    : { ...value, [key]: changed };
}

const requestId = fc.oneof(
  { weight: 6, arbitrary: fc.constant('next') },
  { weight: 1, arbitrary: fc.constant('again') },
  { weight: 1, arbitrary: odd },
);
const message = fc.constantFrom(...TYPES, 'PM_NOTHING', 'toString').chain((type) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant<unknown>(type),
        requestId,
        payload: payloadOf(type),
        options: fc.constantFrom<unknown>(undefined, { sticky: true }, { sticky: 1 }, 'sticky'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: odd, requestId, payload: odd, options: odd }) },
    { weight: 1, arbitrary: anything },
  ),
);

// ----------------------------------------------------------------

/** Node ends a test run on each of these. A page would report them. */
const problems: unknown[] = [];
const note = (error: unknown): void => void problems.push(error);

describe('The wallet end of the port (frame 7)', () => {
  beforeEach(() => {
    problems.length = 0;
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
    vi.useRealTimers();
  });

  it('answers only requests, throws nothing, and reveals no secret [S16]', async () => {
    let results = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (sent, numbers) => {
          const pick = (below: number): number => (numbers.next().value ?? 0) % below;
          const host = rawHost(leakyAnswers(pick));
          const asked = new Set<string>();
          let counter = 0;
          for (const one of sent) {
            const wanted = isRecord(one) ? one.requestId : undefined;
            if (wanted === 'next') counter += 1;
            const id = `1-${counter}`;
            const isOurs = wanted === 'next' || wanted === 'again';
            if (isOurs) asked.add(id);
            try {
              host.post(isOurs ? { ...(one as object), requestId: id } : one);
            } catch (error) {
              // A host cannot send a value that cannot be cloned.
              expect((error as Error).name).toBe('DataCloneError');
            }
          }
          // Waits until the wallet has also handled requests under other ids.
          host.post({ type: 'PING', requestId: '1-999999999999' });
          await expect
            .poll(() => host.said.some(({ requestId: id }) => id === '1-999999999999'), { interval: 1 })
            .toBe(true);
          await new Promise((resolve) => setImmediate(resolve));
          host.close();

          results += host.said.filter(({ type }) => type === 'PM_RESULT').length;
          expect(problems).toEqual([]);
          expect(heard(host.said)).not.toContain('PLANTED');
          for (const { type, requestId: id } of host.said) {
            if (id === undefined) expect(type).toBe('ERROR');
            else if (id !== '1-999999999999') expect([...asked, ...idsOf(sent)]).toContain(id);
          }
          for (const id of asked) {
            const ends = host.said.filter(
              (one) => one.requestId === id && ['PM_RESULT', 'PONG', 'ERROR'].includes(one.type),
            );
            // Also cancels a sticky message after its result.
            const [first, second, ...others] = ends;
            if (second) expect([first?.type, second.type, second.payload?.code]).toEqual(CANCELLED_LATER);
            expect(others, id).toEqual([]);
          }
        },
      ),
      { numRuns: RUNS, ...SEED },
    );
    // The wallet must answer some messages, because only answers could leak. About a third of the runs have one.
    expect(results).toBeGreaterThan(RUNS / 10);
  });
});

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The ids in random messages. */
function idsOf(sent: readonly unknown[]): unknown[] {
  return sent.map((one) => (isRecord(one) ? one.requestId : undefined));
}
