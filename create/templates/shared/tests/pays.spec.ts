import { approveUntil, expect, test } from 'latchkey-dev/playwright';
import { register } from './register';

/** The registry of the local chain. Accounts are below it. */
const REGISTRY = 'w3a-v1.testnet';

test('a user registers and pays', async ({ page, passkeys }) => {
  // The chain keeps accounts from one run to the next.
  const name = `t${Date.now()}`;
  await page.goto('/');
  await register(page, name);
  await approveUntil(page, page.getByRole('heading', { name: `Hello, ${name}.${REGISTRY}` }));
  expect(passkeys.list()).toHaveLength(1);

  await page.getByLabel('Receiver').fill(REGISTRY);
  await page.getByRole('button', { name: 'Send 0.001 NEAR' }).click();
  const [confirmed] = await approveUntil(page, page.getByText(/^Sent in \w+$/));
  expect(confirmed).toContain('0.001 NEAR');
});
