// The wallet's own transaction button in a host's page: it shows what it signs, and one click there confirms.
// Specification: button 10
import type { Locator } from '@playwright/test';
import type { TransactionInput, WalletTransactionButton } from 'latchkey';
import { RELAYER } from '../../dev/services/services.js';
import { drawnIn } from '../support/wallet.js';
import { type Facade, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, WHOLE_BROWSER } from './fixtures.js';

declare const facade: FacadePage;
declare const pay: WalletTransactionButton & { end?: unknown };

const transfer = (yocto: string): TransactionInput => ({
  receiverId: RELAYER,
  actions: [{ type: 'Transfer', amount: yocto }],
});

/** Lays the button over an element of so much height. */
async function mount({ page, accountId }: Facade, height: number, ...transactions: TransactionInput[]) {
  await page.evaluate(
    async (wanted) => {
      document.querySelector('#pay')?.remove();
      const container = document.createElement('div');
      container.id = 'pay';
      container.style.cssText = `margin: 40px auto; width: 300px; height: ${wanted.height}px`;
      document.body.append(container);
      const { nearAccountId, transactions } = wanted;
      const button = await facade.manager.transactionButton({ container, nearAccountId, transactions });
      Object.assign(globalThis, { pay: button });
      button.sent.then(
        (end) => Object.assign(button, { end }),
        ({ code }) => Object.assign(button, { end: code }),
      );
    },
    { nearAccountId: accountId, transactions, height },
  );
  return drawnIn(page).locator('button.pay');
}

/** Presses the button, as a user does, until a press has counted. */
async function pressUntilSent(button: Locator): Promise<void> {
  await expect(async () => {
    await expect(button).toHaveAttribute('aria-disabled', 'false', { timeout: 3_000 });
    await button.hover();
    await button.click({ timeout: 3_000 });
    await expect(button).toHaveCount(0, { timeout: 3_000 });
  }).toPass();
}

const end = ({ page }: Facade) => page.evaluate(() => pay.end);

test("one click on the wallet's transaction button confirms what it shows, and marks a recipient the first time, without another screen", async ({
  facade: wallet,
  stack,
}) => {
  const before = await stack.oracle.balance(RELAYER);
  const confirmations = wallet.confirmations();
  const button = await mount(
    wallet,
    400,
    transfer('100000000000000000000'),
    transfer('200000000000000000000'),
  );
  await expect(button).toHaveText('Send 0.0003 NEAR');
  const shown = drawnIn(wallet.page).getByRole('region', { name: 'What this signs' });
  await expect(shown).toContainText('0.0001 NEAR');
  await expect(shown).toContainText(RELAYER);
  await expect(shown.getByText('First time')).toHaveCount(2);
  const cost = drawnIn(wallet.page).locator('.cost');
  await expect(cost).toHaveText(/^Network feeabout 0\.0\d+ NEAR, at most 0\.0\d+ NEAR$/);
  const { prompts } = await wallet.during(async () => {
    await pressUntilSent(button);
    await expect
      .poll(() => end(wallet), { timeout: 60_000 })
      .toMatchObject([{ success: true }, { success: true }]);
  });
  expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
  await expect.poll(() => stack.oracle.balance(RELAYER)).toBeGreaterThanOrEqual(before + 3n * 10n ** 20n);

  const again = await mount(wallet, 320, transfer('100000000000000000000'));
  await expect(cost).toContainText('at most');
  await expect(drawnIn(wallet.page).getByText('First time')).toHaveCount(0);
  await pressUntilSent(again);
  await expect.poll(() => end(wallet), { timeout: 60_000 }).toMatchObject([{ success: true }]);
  expect(wallet.confirmations()).toBe(confirmations);
});

test(
  "a wallet's transaction button takes no click where the host covers it, and opens the confirmation where it has no room",
  WHOLE_BROWSER,
  async ({ facade: wallet }) => {
    const { page } = wallet;
    const confirmations = wallet.confirmations();
    const covered = await mount(wallet, 320, transfer('100000000000000000000'));
    await expect(covered).toHaveAttribute('aria-disabled', 'false');
    await page.evaluate(() => {
      const cloth = document.createElement('div');
      cloth.id = 'cloth';
      cloth.textContent = 'Win a prize';
      const { left, top, width } = document.querySelector('#pay')?.getBoundingClientRect() ?? new DOMRect();
      cloth.style.cssText = `position:fixed;left:${left}px;top:${top}px;width:${width}px;height:120px;background:white;z-index:2147483647;pointer-events:none`;
      document.body.append(cloth);
    });
    await expect(covered).toHaveAttribute('aria-disabled', 'true');
    const { prompts } = await wallet.during(async () => {
      await covered.click({ force: true });
      await covered.click({ force: true });
      await page.evaluate(() => facade.manager.getLoginState().then(() => undefined));
    });
    expect(prompts).toEqual([]);
    expect(await end(wallet)).toBeUndefined();
    expect(wallet.confirmations()).toBe(confirmations);

    await page.evaluate(() => document.querySelector('#cloth')?.remove());
    const small = await mount(wallet, 56, transfer('100000000000000000000'));
    await expect(small).toHaveText('Send 0.0001 NEAR…');
    await small.click();
    await expect.poll(() => end(wallet), { timeout: 60_000 }).toMatchObject([{ success: true }]);
    expect(wallet.confirmations()).toBe(confirmations + 1);
  },
);

test('the button shows which tokens a call moves, and asks for the confirmation where it cannot list them', async ({
  facade: wallet,
}) => {
  const confirmations = wallet.confirmations();
  const call = (args: Readonly<Record<string, string>>): TransactionInput => ({
    receiverId: RELAYER,
    actions: [{ type: 'FunctionCall', methodName: 'ft_transfer', args, gas: '30000000000000', deposit: '1' }],
  });
  const button = await mount(wallet, 560, call({ receiver_id: 'guestbook.testnet', amount: '5' }));
  const glance = drawnIn(wallet.page).getByRole('region', { name: 'What it does' });
  await expect(glance).toContainText(`5 units of ${RELAYER} to guestbook.testnet`);
  await expect(button).toHaveAttribute('aria-disabled', 'false');

  const unlisted = await mount(wallet, 560, call({ to: 'guestbook.testnet' }));
  await expect(glance).toContainText('in a way we can’t show');
  await pressUntilSent(unlisted);
  await expect.poll(() => wallet.confirmations()).toBe(confirmations + 1);
});
