// Calls with wrong arguments, as a page without types makes them, to a wallet in a frame.
import { callWrongly, EXPECTED } from '../support/wrong-arguments.js';
import { test } from './facade-page/fixture.js';
import { expect } from './fixtures.js';

test('a wrong argument is named before the wallet asks the user or sends anything', async ({
  facade: { page, accountId, prompts, confirmations },
  stack,
}) => {
  const balance = await stack.oracle.balance(accountId);
  const asked = { prompts: prompts.length, confirmations: confirmations() };
  expect(await page.evaluate(callWrongly, accountId)).toEqual(
    EXPECTED.map(([name, how, text]) => [name, how, expect.stringContaining(text ?? '')]),
  );
  // One of each for the transaction that was signed.
  expect({ prompts: prompts.length, confirmations: confirmations() }).toEqual({
    prompts: asked.prompts + 1,
    confirmations: asked.confirmations + 1,
  });
  expect(await stack.oracle.balance(accountId)).toBe(balance);
});
