import { expect, it } from 'vitest';
import type { LatchkeyError } from '../../errors/latchkey-error.js';
import type { ActionResult } from '../../types.js';
import { flowOver } from './port-requests.js';

it("the host's onError hears of each transaction of a batch, as in the page", async () => {
  const outcome = { status: { Failure: 'panicked' } };
  const results: readonly ActionResult[] = [
    { success: true, fate: 'executed', transactionId: 'one', result: {} },
    {
      success: false,
      fate: 'failed',
      transactionId: 'two',
      result: outcome,
      error: 'no',
      errorCode: 'TRANSACTION_FAILED',
    },
    {
      success: false,
      fate: 'not-sent',
      transactionId: 'three',
      result: null,
      error: 'x',
      errorCode: 'NOT_SENT',
    },
  ];
  const told: LatchkeyError[] = [];
  const options = { onError: (error: LatchkeyError) => void told.push(error) };
  expect(await flowOver('action', options, async () => results)).toBe(results);
  expect(told).toMatchObject([
    { code: 'TRANSACTION_FAILED', details: { fate: 'failed', transactionId: 'two', outcome, results } },
  ]);
});
