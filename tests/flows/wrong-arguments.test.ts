// Calls with wrong arguments, as a page without types makes them.
// Specification: frame 8
import { callWrongly, EXPECTED } from '../support/wrong-arguments.js';
import { expect, test } from './wallet.js';

test('a wrong argument is named before the wallet asks the user or sends anything', async ({
  wallet,
  stack,
}) => {
  const { accountId, facade } = wallet;
  const balance = await stack.oracle.balance(accountId);
  const asked = { prompts: wallet.prompts.length, confirmations: wallet.shown.length };
  expect(await callWrongly(accountId, facade)).toEqual(
    EXPECTED.map(([name, how, text]) => [name, how, expect.stringContaining(text ?? '')]),
  );
  // One of each for the transaction that was signed.
  expect({ prompts: wallet.prompts.length, confirmations: wallet.shown.length }).toEqual({
    prompts: asked.prompts + 1,
    confirmations: asked.confirmations + 1,
  });
  expect(await stack.oracle.balance(accountId)).toBe(balance);
});
