import { describe, expect, it } from 'vitest';
import type { ActionResult, TransactionFate } from '../../types.js';
import { endText } from './action-result.js';

const ended = (fate: TransactionFate): ActionResult => ({
  success: true,
  transactionId: 'h',
  result: null,
  fate,
});

describe('the end of an action', () => {
  it('says that the chain executed it where all of it is executed', () => {
    expect(endText(ended('executed'), ended('executed'))).toBe('It went through');
  });

  it('says no more than that the chain has it where a part is only sent', () => {
    expect(endText(ended('executed'), ended('sent'))).toBe('Sent to the network');
    expect(endText(ended('sent'))).toBe('Sent to the network');
  });
});
