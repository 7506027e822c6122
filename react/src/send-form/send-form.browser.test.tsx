import axe from 'axe-core';
import type { ActionResult, ExecuteActionArgs, PasskeyManager } from 'latchkey';
import type { Token } from 'latchkey/tokens';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { emulateMedia } from '../testing/emulate-media.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { overflowing, pseudo } from '../testing/pseudo.js';
import { render, unmount } from '../testing/render.js';
import { type Catalogue, english } from '../texts/english.js';
import { german } from '../texts/german.js';
import { SendForm, type SendFormProps } from './send-form.js';

const BOB = 'bob.testnet';
const STORAGE = '1250000000000000000000';
const coin: Token = {
  contractId: 'coin.testnet',
  name: 'Test coin',
  symbol: 'TEST',
  decimals: 2,
  balance: '5000',
};
const fake: Token = { ...coin, contractId: 'fake.testnet', symbol: 'NEAR', imitates: 'NEAR' };

const field = (name: string) => page.getByRole('textbox', { name });
const send = page.getByRole('button', { name: 'Send', exact: true });

/** The node's answers: every account is there, with 2 NEAR, and has no room in a token's contract. */
function answerAsNode(): void {
  const block = { block_height: 7, block_hash: '1'.repeat(32) };
  const account = {
    amount: `2${'0'.repeat(24)}`,
    locked: '0',
    code_hash: '1'.repeat(32),
    storage_usage: 182,
  };
  const views: Readonly<Record<string, unknown>> = {
    storage_balance_of: null,
    storage_balance_bounds: { min: STORAGE, max: STORAGE },
  };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const { params } = JSON.parse(String(init?.body));
    const returned = [...new TextEncoder().encode(JSON.stringify(views[params.method_name]))];
    const isCall = params.request_type === 'call_function';
    const result = isCall ? { ...block, result: returned, logs: [] } : { ...block, ...account };
    return Response.json({ jsonrpc: '2.0', id: '1', result });
  });
}

function show(
  result: Partial<ActionResult> = {},
  props: SendFormProps = {},
  texts: Catalogue = english,
  thrown?: Error,
) {
  const manager = managerOf(ALICE, { rpcUrl: 'http://localhost:1' });
  const asked: ExecuteActionArgs[] = [];
  vi.spyOn(manager, 'executeAction').mockImplementation((async (args: ExecuteActionArgs) => {
    asked.push(args);
    if (thrown) throw thrown;
    return { success: true, fate: 'executed', transactionId: 't', result: null, ...result };
  }) as PasskeyManager['executeAction']);
  render(manager, <SendForm {...props} />, texts);
  return asked;
}

async function fill(receiver: string, amount: string, of = 'Amount in NEAR'): Promise<void> {
  await field('Receiver').fill(receiver);
  await page.getByRole('textbox', { name: of }).fill(amount);
  await send.click();
}

beforeEach(answerAsNode);
afterEach(async () => {
  unmount();
  vi.restoreAllMocks();
  await emulateMedia('prefers-reduced-motion', '');
  await page.viewport(1280, 1000);
});

describe('the form that sends', () => {
  it('has the wallet transfer NEAR, and says what became of it', async () => {
    const asked = show();
    await fill(` ${BOB.toUpperCase()} `, '0.5');
    await expect.element(page.getByRole('status')).toHaveTextContent('Done It went through.');
    expect(asked).toMatchObject([
      {
        nearAccountId: ALICE,
        receiverId: BOB,
        actionArgs: { type: 'Transfer', amount: `5${'0'.repeat(23)}` },
      },
    ]);
    await expect.element(field('Receiver')).toHaveValue('');
  });

  it('has it transfer a token with the storage that the receiver lacks, in one request', async () => {
    const onSent = vi.fn();
    const asked = show({}, { tokens: [coin], contractId: 'coin.testnet', onSent });
    await fill(BOB, '12.34', 'Amount in');
    await expect.poll(() => onSent.mock.calls.length).toBe(1);
    expect(asked).toMatchObject([
      {
        receiverId: 'coin.testnet',
        actionArgs: [
          { methodName: 'storage_deposit', args: { account_id: BOB }, deposit: STORAGE },
          { methodName: 'ft_transfer', args: { receiver_id: BOB, amount: '1234' } },
        ],
      },
    ]);
    expect(asked[0]).not.toHaveProperty('storageDeposit');
    expect(onSent.mock.lastCall).toMatchObject([
      { receiverId: BOB, amount: '1234', token: coin, storageDeposit: STORAGE },
    ]);
  });

  it('says itself that the storage was paid too, where the page does not', async () => {
    show({}, { tokens: [coin], contractId: 'coin.testnet' });
    await fill(BOB, '1', 'Amount in');
    await expect
      .element(page.getByRole('status'))
      .toHaveTextContent('You also paid 0.00125 NEAR, so that bob.testnet can hold this token.');
  });

  it('refuses before a request what NEAR cannot be sent', async () => {
    const asked = show();
    for (const [receiver, amount, problem] of [
      ['', '1', 'Type the account that gets it.'],
      ['not an account', '1', 'No account can have this name.'],
      [ALICE, '1', 'the account that you send from'],
      [BOB, '', 'Type how much'],
      [BOB, '1,5', 'Write the amount in digits with a point'],
      [BOB, '0.0000000000000000000000001', 'at most 24 decimals'],
      [BOB, '0', 'more than 0'],
      [BOB, '1000000', 'more than you can spend'],
    ] as const) {
      await fill(receiver, amount);
      await expect.element(page.getByRole('alert').filter({ hasText: problem })).toBeVisible();
    }
    expect(asked).toEqual([]);
  });

  it('refuses before a request what a token cannot send', async () => {
    const asked = show({}, { tokens: [coin], contractId: 'coin.testnet' });
    for (const [receiver, amount, problem] of [
      ['coin.testnet', '1', 'This is the token’s own address'],
      [BOB, '50.01', 'more than you can spend'],
      [BOB, '0.001', 'at most 2 decimals'],
      [ALICE, '1', 'the account that you send from'],
    ] as const) {
      await fill(receiver, amount, 'Amount in');
      await expect.element(page.getByRole('alert').filter({ hasText: problem })).toBeVisible();
    }
    await page.getByRole('button', { name: 'All of it' }).click();
    await expect.element(page.getByRole('textbox', { name: 'Amount in' })).toHaveValue('50');
    expect(asked).toEqual([]);
  });

  it('warns of a token that calls itself like NEAR, and names the token’s contract in the choice', async () => {
    show({}, { tokens: [coin, fake] });
    await page.getByRole('combobox', { name: 'What' }).selectOptions('fake.testnet');
    await expect.element(page.getByText('Its name reads like NEAR, and it is something else.')).toBeVisible();
    const choices = page.getByRole('combobox', { name: 'What' }).element().textContent;
    expect(choices).toContain('50 (fake.testnet)');
    expect(choices).toContain('NEAR, 2');
  });

  it('says that nothing was sent where the user does not approve', async () => {
    show({ success: false, errorCode: 'CANCELLED', transactionId: null, fate: undefined } as never);
    await fill(BOB, '1');
    await expect.element(page.getByRole('alert').filter({ hasText: 'Nothing was sent' })).toBeVisible();
    await expect.element(field('Receiver')).toHaveValue(BOB);
  });

  it('says that the device is offline where a part of the page cannot load, and keeps what was typed', async () => {
    show({}, {}, english, new TypeError('Failed to fetch dynamically imported module'));
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await fill(BOB, '1');
    await expect.element(page.getByRole('alert').filter({ hasText: 'offline' })).toBeVisible();
    await expect.element(page.getByText('dynamically imported')).not.toBeInTheDocument();
    await expect.element(field('Receiver')).toHaveValue(BOB);
  });

  it('shows what an amount is worth where the app knows', async () => {
    show({}, { worthOf: async ({ amount }) => `€${Number(amount) / 1e24}` });
    await page.getByRole('textbox', { name: 'Amount in NEAR' }).fill('0.25');
    await expect.element(page.getByText('€0.25')).toBeVisible();
  });

  it('violates no axe rule, and fits 320 pixels in a longer language', async () => {
    // Without fades, every colour that is measured is final.
    await emulateMedia('prefers-reduced-motion', 'reduce');
    show({}, { tokens: [coin, fake], contractId: 'fake.testnet' });
    await fill('', '', 'Amount in');
    const host = (field('Receiver').element().getRootNode() as ShadowRoot).host;
    const { violations } = await axe.run(host, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.viewport(320, 640);
    for (const [texts, title] of [
      [pseudo, /ř/],
      [german, 'Empfänger'],
    ] as const) {
      show({}, { tokens: [coin, fake], contractId: 'fake.testnet' }, texts);
      await expect.element(page.getByRole('textbox', { name: title }).first()).toBeVisible();
      await expect.poll(() => overflowing()).toEqual([]);
    }
  });
});
