// Several transactions from the demo's cards: one confirmation, one prompt, and one result for each.
// Specification: button 8, demo 2, demo 4, demo 5

import type { Page } from '@playwright/test';
import { REGISTRY, RELAYER } from '../../dev/services/services.js';
import {
  AGREE,
  agree,
  approveUntil,
  cancel,
  confirmDialog,
  register,
  sendBatch,
  startBatch,
  toDemos,
  toHome,
  uncovered,
} from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expect, expectCallsOf, expectFinal, REQUEST_FAILED, test } from './fixtures.js';

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const results = (page: Page, name: string) => card(page, name).getByRole('listitem');

test('each card that sends several transactions asks once, and says what became of each', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await register(wallet, username);

  await test.step('the embedded button shows its two transfers before a click, which sends them', async () => {
    const name = 'Two transfers, one button';
    const frame = card(page, name).frameLocator('iframe');
    const button = frame.getByRole('button', { name: 'Send two transfers' });
    // The tooltip's side follows the place of the button in the window.
    await card(page, name).scrollIntoViewIfNeeded();
    await button.hover();
    const tooltip = frame.getByRole('region', { name: 'What this signs' });
    await expect(tooltip).toContainText('You send 0.0003 NEAR');
    for (const near of ['0.0001 NEAR', '0.0002 NEAR']) await expect(tooltip).toContainText(near);
    await expect(confirmDialog(page)).toHaveCount(0);

    const { prompts } = await wallet.during(() =>
      expectFinal(stack, async () => {
        // A click that comes before the tooltip was seen for half a second does not count, and starts that time again.
        await expect(async () => {
          await button.click();
          await expect(button).toHaveAttribute('aria-busy', 'true', { timeout: 700 });
        }).toPass();
        await expect(results(page, name)).toHaveText([/0\.0001 NEAR.*Final/, /0\.0002 NEAR.*Final/]);
      }),
    );
    expect(prompts).toHaveLength(1);
    const latest = page.getByTestId('transaction-id');
    await expect(latest).toBeVisible();
    const id = ((await latest.textContent()) ?? '').trim();
    expect((await stack.oracle.transaction(id, accountOf(username))).succeeded).toBe(true);
    await uncovered(page);
  });

  await test.step('of the transfers to several, one that fails does not stop the others', async () => {
    const before = await stack.oracle.balance(RELAYER);
    let ends: string[] = [];
    const { prompts, rpc } = await wallet.during(() =>
      expectFinal(stack, async () => {
        ends = await sendBatch(wallet, [
          { recipient: RELAYER, near: '0.001' },
          { recipient: accountOf(`${username}-nobody`), near: '0.002' },
          { recipient: RELAYER, near: '0.003' },
        ]);
      }),
    );
    expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
    expectCallsOf('send_tx', rpc, 3);
    expect(ends.map((text) => text.split('\n').slice(0, 2))).toEqual([
      [`0.001 NEAR to ${RELAYER}`, 'Final'],
      [`0.002 NEAR to ${accountOf(`${username}-nobody`)}`, 'Failed'],
      [`0.003 NEAR to ${RELAYER}`, 'Final'],
    ]);
    expect(await stack.oracle.balance(RELAYER)).toBeGreaterThanOrEqual(before + 4n * 10n ** 21n);
    await uncovered(page);
  });

  await test.step('a combined transaction signs the filled fields, and a stake that the chain refuses fails alone', async () => {
    const combined = card(page, 'Combined transaction');
    const [transfer, stake] = ['Transfer in NEAR', 'Stake in NEAR'].map((name) =>
      combined.getByRole('spinbutton', { name }),
    );
    for (const [field, amount] of [
      [transfer!, '0.001'],
      [stake!, '0.1'],
    ] as const) {
      await expect(field).toHaveValue(amount);
      await expect(field).toHaveAttribute('step', '0.001');
      await expect(field).toHaveAttribute('min', '0');
      await field.fill('0');
    }
    const send = combined.getByRole('button', { name: 'Sign combined transaction' });
    await send.click();
    await expect(combined.getByRole('alert')).toHaveText('No valid actions to execute');

    await combined.getByRole('textbox', { name: 'Greeting to set' }).fill(`combined, ${username}`);
    await transfer!.fill('0.002');
    await stake!.fill('0.001');
    const before = await stack.oracle.balance(REGISTRY);
    const { prompts } = await wallet.during(async () => {
      await send.click();
      await approveUntil(page, results(page, 'Combined transaction').nth(1));
    });
    expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
    const [first, second] = await results(page, 'Combined transaction').allInnerTexts();
    expect(first).toMatch(new RegExp(`^Greeting and 0.002 NEAR to ${REGISTRY}\\s+Final`));
    expect(second).toMatch(new RegExp(`^Stake of 0.001 NEAR to ${accountOf(username)}\\s+Failed`));
    expect(second).toContain('InsufficientStake');
    expect(await stack.oracle.greeting()).toContain(`combined, ${username}`);
    expect(await stack.oracle.balance(REGISTRY)).toBeGreaterThanOrEqual(before + 2n * 10n ** 21n);
    await toHome(page);
    await expect(page.getByTestId('greeting')).toContainText(`combined, ${username}`);
    await toDemos(page);
    await uncovered(page);
  });

  await test.step('a batch of three sends each without waiting for another, and refuses an amount of 0', async () => {
    const three = card(page, 'Batch of three');
    const amount = three.getByRole('spinbutton', { name: 'NEAR for each transfer' });
    await expect(amount).toHaveValue('0.001');
    const send = three.getByRole('button', { name: 'Sign three transfers' });
    await amount.fill('0');
    await send.click();
    await expect(three.getByRole('alert')).toHaveText('Invalid transfer amount');

    await amount.fill('0.002');
    // The wallet runs in this page: the pauses before its sends are timers of the page.
    await page.evaluate(() => {
      const { setTimeout: start } = window;
      const pauses: unknown[] = [];
      Object.assign(window, { pauses });
      window.setTimeout = ((work: () => void, ms?: number) => {
        pauses.push(ms);
        return start(work, ms);
      }) as typeof window.setTimeout;
    });
    // None of them waits for the answer of another.
    const release = stack.chain.hold('send_tx');
    const before = stack.chain.calls.length;
    const leaving = () => stack.chain.calls.slice(before).filter(({ name }) => name === 'send_tx');
    const { prompts } = await wallet.during(async () => {
      await send.click();
      await agree(confirmDialog(page), AGREE);
      await expect.poll(() => leaving().length).toBe(3);
      release();
      await expect(results(page, 'Batch of three')).toHaveCount(3);
    });
    expect(prompts.map(({ kind }) => kind)).toEqual(['get']);
    const pauses = await page.evaluate(() => (window as unknown as { pauses: unknown[] }).pauses);
    expect(` ${pauses.join(' ')} `).toContain(' 0 500 1000 ');
    for (const text of await results(page, 'Batch of three').allInnerTexts())
      expect(text).toMatch(new RegExp(`^0.002 NEAR to ${REGISTRY}\\s+Final`));
  });
});

test('a batch that is not sent says why: its amount, a chain that does not answer, or the user who does not confirm it', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /A background refresh failed/);
  await register(wallet, username);
  const { page } = wallet;
  const transfer = { recipient: RELAYER, near: '0.001' };
  await toDemos(page);
  const several = card(page, 'Send to several');
  await several.getByRole('textbox', { name: 'NEAR 1' }).fill('1e3');
  await expect(several.getByRole('status')).toHaveText('An amount is a number above 0, such as 0.001.');
  await expect(several.getByRole('button', { name: 'Send all' })).toBeDisabled();

  for (const node of stack.nodes)
    for (const view of ['query:view_account', 'query:view_access_key'])
      node.fail(view, { kind: 'status', status: 503, body: '' });
  await startBatch(wallet, [transfer]);
  const reason = 'RPC request failed: 503 Service Unavailable';
  await expect(several.getByRole('alert')).toHaveText(`Failed to sign batch transactions: ${reason}`);
  await expect(
    page.getByText('Transfer failed: The network didn’t answer. Your keys and money are safe.'),
  ).toBeVisible();
  for (const node of stack.nodes) node.heal();

  const { rpc } = await wallet.during(async () => {
    await startBatch(wallet, [transfer]);
    await expect(confirmDialog(page)).toHaveAccessibleName('Send 0.001 NEAR');
    await cancel(wallet);
    await expect(several.getByRole('alert')).toHaveText(/^Operation was cancelled/);
  });
  expect(rpc).not.toContain('send_tx');
});
