import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KNOWN_FEES } from '../../near/fees.js';
import type { TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { refuseWhatIsTooDear } from './cost.js';

const ALICE = 'alice.testnet';
const NEAR = 10n ** 24n;
const PAYMENT = [
  { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: String(NEAR) }] },
] as unknown as readonly TransactionRequest[];

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** What the wallet says of a payment of 1 NEAR, on a chain with a block each `blockMs`, whose balance is `amountAt`. */
async function verdictOf(
  blockMs: number,
  amountAt: (height: number) => bigint,
  transactions: readonly TransactionRequest[] = PAYMENT,
) {
  const begin = Date.now();
  const heights: number[] = [];
  const viewAccount = async () => {
    const height = 100 + Math.floor((Date.now() - begin) / blockMs);
    heights.push(height);
    return { amount: String(amountAt(height)), locked: '0', storage_usage: 182, block_height: height };
  };
  const context = {
    rpc: { protocolConfig: async () => KNOWN_FEES, viewAccount },
    config: { logger: { warn: () => undefined } },
  } as unknown as FlowContext;
  let verdict: unknown;
  let text = '';
  refuseWhatIsTooDear(context, ALICE, transactions).then(
    () => {
      verdict = 'left to the chain';
    },
    ({ code, message }) => {
      verdict = code;
      text = message;
    },
  );
  while (verdict === undefined) await vi.advanceTimersByTimeAsync(100);
  return { verdict, text, heights };
}

describe('a balance that is too low (core 8)', () => {
  it.each([200, 600, 2_000])(
    'is reported once three more blocks show it, at a block each %i ms',
    async (blockMs) => {
      const { verdict, heights } = await verdictOf(blockMs, () => NEAR / 2n);
      expect(verdict).toBe('INSUFFICIENT_BALANCE');
      expect(heights.at(-1)).toBeGreaterThanOrEqual(103);
      expect(heights.slice(0, -1).every((height) => height < 103)).toBe(true);
    },
  );

  it.each([200, 600, 2_000])(
    'is not reported when a refund comes three blocks later, of %i ms each',
    async (blockMs) => {
      const { verdict } = await verdictOf(blockMs, (height) => (height < 103 ? NEAR / 2n : NEAR * 2n));
      expect(verdict).toBe('left to the chain');
    },
  );

  it('is said to come back only of gas that a call may leave over, not of what a payment or a deposit takes', async () => {
    const call = (deposit: string) =>
      [
        {
          receiverId: 'app.testnet',
          actions: [{ type: 'FunctionCall', methodName: 'm', args: '{}', gas: '300000000000000', deposit }],
        },
      ] as unknown as readonly TransactionRequest[];
    const textOf = async (transactions: readonly TransactionRequest[]) =>
      (await verdictOf(200, () => 10n ** 18n, transactions)).text;
    expect(await textOf(call('0'))).toContain('for gas and deposit. Most of it comes back. Send some NEAR');
    for (const transactions of [PAYMENT, call(String(NEAR)), [...call('0'), ...PAYMENT]])
      expect(await textOf(transactions)).toMatch(/for gas and deposit\. Send some NEAR to the account/);
  });

  it('is left to a chain that makes no blocks', async () => {
    expect((await verdictOf(60_000, () => 0n)).verdict).toBe('left to the chain');
  });
});
