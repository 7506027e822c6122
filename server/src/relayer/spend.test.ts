import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Refusal } from '../http/refusal.js';
import { createLog } from '../observe/log.js';
import {
  burntYocto,
  createMemorySpendMeter,
  gasReserveYocto,
  type KeptSpend,
  type SpendReservation,
} from './spend.js';

const HOUR_MS = 3_600_000;

interface MeterOptions {
  readonly clock?: { ms: number };
  readonly kept?: KeptSpend;
}

/** A meter with a manual clock, and the lines it logged. */
function meter(capYocto: bigint | null, { clock = { ms: 1_000 * HOUR_MS }, kept }: MeterOptions = {}) {
  const lines: string[] = [];
  const made = createMemorySpendMeter({
    capYocto,
    log: createLog((line) => lines.push(line)),
    now: () => clock.ms,
    ...(kept && { kept }),
  });
  const reserve = (yocto: bigint) => made.reserve(yocto) as SpendReservation;
  const refusal = (yocto: bigint): Refusal => {
    try {
      reserve(yocto);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
    return expect.fail('it was reserved');
  };
  return { reserve, refusal, clock, lines };
}

describe('the spend meter', () => {
  it('reserves up to the cap and not a yocto more [S51]', () => {
    const { reserve, refusal } = meter(100n);
    reserve(60n);
    expect(refusal(41n)).toMatchObject({ code: 'spend_cap', status: 429 });
    reserve(40n);
    expect(refusal(1n)).toMatchObject({ code: 'spend_cap' });
  });

  it('replaces a reservation with the amount spent, once', () => {
    const { reserve, refusal } = meter(100n);
    const reservation = reserve(100n);
    reservation.commit(30n);
    reservation.commit(0n);
    reservation.release();
    expect(refusal(71n)).toMatchObject({ code: 'spend_cap' });
    reserve(70n);
  });

  it('frees the amount of a released reservation', () => {
    const { reserve } = meter(100n);
    reserve(100n).release();
    reserve(100n);
  });

  it('keeps an unsettled reservation', () => {
    const { refusal, reserve, clock } = meter(100n);
    reserve(100n);
    clock.ms += 23 * HOUR_MS;
    expect(refusal(1n)).toMatchObject({ code: 'spend_cap' });
  });

  it('drops spending from the window after 24 hours, and reports when', () => {
    const { reserve, refusal, clock } = meter(100n);
    reserve(60n).commit(60n);
    clock.ms += 12 * HOUR_MS;
    reserve(40n).commit(40n);
    const { retryAfterSeconds = 0, message } = refusal(50n);
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(12 * 3600);
    expect(retryAfterSeconds).toBeLessThanOrEqual(12 * 3600 + 300);
    expect(message).toContain('try again in 13 hours');
    clock.ms += retryAfterSeconds * 1000 - 1000;
    expect(refusal(50n)).toMatchObject({ code: 'spend_cap' });
    clock.ms += 1000;
    reserve(50n).commit(50n);
    expect(refusal(11n)).toMatchObject({ code: 'spend_cap' });
  });

  it('asks to retry within seconds while unsettled reservations fill the cap', () => {
    const { reserve, refusal } = meter(100n);
    reserve(50n).commit(5n);
    reserve(90n);
    expect(refusal(90n)).toMatchObject({ retryAfterSeconds: 10 });
  });

  it('does not expect overdue reservations to settle', () => {
    const { reserve, refusal, clock } = meter(100n);
    reserve(100n);
    clock.ms += 25 * HOUR_MS;
    reserve(100n).commit(100n);
    expect(refusal(50n).retryAfterSeconds).toBeGreaterThan(24 * 3600 - 1);
  });

  it('keeps its count when the machine’s clock is set forward', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const capped = createMemorySpendMeter({ capYocto: 100n, log: createLog(() => undefined) });
      capped.reserve(100n);
      vi.setSystemTime(Date.now() + 48 * HOUR_MS);
      expect(() => capped.reserve(1n)).toThrow(Refusal);
    } finally {
      vi.useRealTimers();
    }
  });

  it('counts a late settlement from its own time', () => {
    const { reserve, refusal, clock } = meter(100n);
    const late = reserve(90n);
    clock.ms += 25 * HOUR_MS;
    late.commit(80n);
    expect(refusal(21n)).toMatchObject({ code: 'spend_cap' });
    reserve(20n);
  });

  it('logs the reached cap once, until money is free again', () => {
    const { reserve, refusal, lines } = meter(100n);
    const held = reserve(100n);
    refusal(7n);
    refusal(7n);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'error',
        event: 'spend_cap',
        capYocto: '100',
        countedYocto: '100',
        neededYocto: '7',
      }),
    ]);
    held.release();
    reserve(100n);
    refusal(7n);
    expect(lines).toHaveLength(2);
  });

  it("continues from a former one's count, including its reservations, until they leave the window", () => {
    const clock = { ms: 1_000 * HOUR_MS };
    const disk = new Map<number, bigint>();
    const write = (slice: number, yocto: bigint) =>
      void (yocto ? disk.set(slice, yocto) : disk.delete(slice));
    const start = () => meter(100n, { clock, kept: { former: new Map(disk), write } });

    const first = start();
    first.reserve(50n).commit(20n);
    first.reserve(30n).release();
    clock.ms += HOUR_MS;
    first.reserve(40n);

    const second = start();
    expect(second.refusal(41n)).toMatchObject({ code: 'spend_cap' });
    second.reserve(40n).commit(40n);
    clock.ms += 23.1 * HOUR_MS;
    expect(start().refusal(21n)).toMatchObject({ code: 'spend_cap' });
    start().reserve(20n);
    clock.ms += 25 * HOUR_MS;
    start().reserve(100n).release();
    expect([...disk]).toEqual([]);
  });

  it('refuses nothing without a cap', () => {
    const { reserve } = meter(null);
    for (let count = 0; count < 100; count += 1) reserve(10n ** 30n);
  });

  it('never lets spending exceed the cap within a window, whatever the requests', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 0, max: 8 * HOUR_MS }),
      yocto: fc.bigInt({ min: 0n, max: 60n }),
      end: fc.constantFrom('commit', 'commit part', 'release', 'leave'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { reserve, clock } = meter(100n);
        const spent: { at: number; yocto: bigint }[] = [];
        for (const { waitMs, yocto, end } of steps) {
          clock.ms += waitMs;
          let reservation: SpendReservation;
          try {
            reservation = reserve(yocto);
          } catch (error) {
            expect(error).toMatchObject({ code: 'spend_cap' });
            continue;
          }
          const actual = end === 'commit part' ? yocto / 2n : yocto;
          if (end === 'release') reservation.release();
          else if (end !== 'leave') reservation.commit(actual);
          if (end !== 'release') spent.push({ at: clock.ms, yocto: actual });
          const inWindow = spent.filter(({ at }) => at > clock.ms - 24 * HOUR_MS);
          expect(inWindow.reduce((sum, entry) => sum + entry.yocto, 0n)).toBeLessThanOrEqual(100n);
        }
      }),
    );
  });
});

describe('the cost of a transaction', () => {
  const part = (tokens_burnt: string, id = '11111111111111111111111111111111', ...made: string[]) => ({
    id,
    outcome: {
      executor_id: 'a.testnet',
      gas_burnt: 1,
      tokens_burnt,
      logs: [],
      receipt_ids: made,
      status: 'Unknown' as const,
    },
  });
  const outcome = { transactionId: 'tx', final_execution_status: 'FINAL' as const };

  it('is the sum that the transaction and all its receipts burnt', () => {
    const receipts = [part('20'), part('0'), part('3')];
    expect(burntYocto({ ...outcome, transaction_outcome: part('100'), receipts_outcome: receipts })).toBe(
      123n,
    );
  });

  it('is unknown when the node reports only half of it', () => {
    expect(burntYocto(outcome)).toBeUndefined();
    expect(burntYocto({ ...outcome, transaction_outcome: part('100') })).toBeUndefined();
  });

  it('is unknown when a created receipt is missing', () => {
    const burnt = (...receipts: ReturnType<typeof part>[]) =>
      burntYocto({
        ...outcome,
        transaction_outcome: part('100', 'transaction', 'call'),
        receipts_outcome: receipts,
      });
    expect(burnt()).toBeUndefined();
    expect(burnt(part('20', 'call'))).toBe(120n);
    expect(burnt(part('20', 'call', 'refund'))).toBeUndefined();
    expect(burnt(part('20', 'call', 'refund'), part('3', 'refund'))).toBe(123n);
  });

  it('is reserved at the gas purchase price', () => {
    expect(gasReserveYocto(85n * 10n ** 12n)).toBe(90n * 10n ** 21n);
  });
});
