import axe from 'axe-core';
import { LatchkeyError } from 'latchkey/internal';
import type { AccountTokens, Token } from 'latchkey/tokens';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { emulateMedia } from '../testing/emulate-media.js';
import { managerOf } from '../testing/manager.js';
import { overflowing, pseudo, textsOutside } from '../testing/pseudo.js';
import { render, unmount } from '../testing/render.js';
import { type Catalogue, english } from '../texts/english.js';
import { german } from '../texts/german.js';
import { TokenList, type TokenListProps } from './token-list.js';

const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/%3E";
const coin: Token = {
  contractId: 'coin.testnet',
  name: 'Test coin',
  symbol: 'TEST',
  decimals: 2,
  balance: '123456',
  icon: ICON,
};
const bank: Token = {
  ...coin,
  contractId: 'scam.testnet',
  name: 'Deutsche Bank AG',
  symbol: 'ΝΕΑR',
  imitates: 'NEAR',
};
const copy: Token = {
  ...coin,
  contractId: 'copy.testnet',
  icon: 'data:image/png;base64,AAAA',
  imitates: 'coin.testnet',
};
const unread = {
  contractId: 'bad.testnet',
  error: new LatchkeyError({ code: 'TOKEN_UNUSABLE', text: 'it panics' }),
};

const rows = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');

function show(
  read: Partial<AccountTokens> | undefined,
  props: Omit<TokenListProps, 'tokens'> = {},
  texts: Catalogue = english,
): void {
  const value = read && { tokens: [], unread: [], ...read };
  const tokens = { value, error: undefined, isLoading: value === undefined, reload: async () => undefined };
  render(managerOf(), <TokenList tokens={tokens} {...props} />, texts);
}

afterEach(async () => {
  unmount();
  vi.restoreAllMocks();
  await emulateMedia('prefers-reduced-motion', '');
  await page.viewport(1280, 1000);
});

describe('the list of tokens', () => {
  it('shows what the account has, the contract’s words in quotes, and the contract itself [S92]', async () => {
    show({ tokens: [coin] }, { worthOf: ({ amount, decimals }) => `€${Number(amount) / 10 ** decimals}` });
    await expect
      .element(rows.nth(0))
      .toHaveTextContent('“TEST”“Test coin”Token’s address: coin.testnet1,234.56€1234.56');
    await expect.element(rows.nth(0).getByRole('button')).not.toBeInTheDocument();
  });

  it('marks a token that calls itself like NEAR or like another, with what it imitates', async () => {
    show({ tokens: [coin, bank, copy] });
    await expect.element(rows.nth(1)).toHaveTextContent(/Token’s address: scam\.testnetNot NEAR/);
    await expect
      .element(rows.nth(2))
      .toHaveTextContent(/Copied name Its name is that of the token at coin\.testnet/);
    await expect.element(rows.nth(0)).not.toHaveTextContent(/Copied|Not NEAR/);
  });

  it('draws a broken picture as a letter', async () => {
    show({ tokens: [copy] });
    await expect.element(rows.nth(0)).toHaveTextContent(/^T“TEST”/);
  });

  it('says which contract could not be read, and why under Details', async () => {
    show({ unread: [unread] }, { onHide: () => undefined });
    await expect.element(rows.nth(0)).toHaveTextContent(/bad\.testnetThis token could not be read\./);
    await rows.nth(0).getByText('Details').click();
    await expect.element(rows.nth(0)).toHaveTextContent(/TOKEN_UNUSABLE .*it panics/);
    await expect.element(rows.nth(0).getByRole('button', { name: 'Hide bad.testnet' })).toBeVisible();
  });

  it('calls its page with the token that is to be sent or hidden', async () => {
    const [onSend, onHide] = [vi.fn(), vi.fn()];
    show({ tokens: [coin] }, { onSend, onHide });
    await page.getByRole('button', { name: 'Send “TEST”' }).click();
    await page.getByRole('button', { name: 'Hide coin.testnet' }).click();
    expect([onSend.mock.lastCall, onHide.mock.lastCall]).toEqual([[coin], ['coin.testnet']]);
  });

  it('refuses to add what is no address, without a request', async () => {
    const onAdd = vi.fn();
    show({}, { onAdd });
    await expect.element(page.getByText('No tokens yet')).toBeVisible();
    await page.getByText('Add a token').click();
    for (const [typed, problem] of [
      ['', 'Type the token’s address.'],
      ['Not An Address', 'No token can have this address.'],
    ] as const) {
      await page.getByRole('textbox', { name: 'Token’s address' }).fill(typed);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect.element(page.getByRole('alert')).toHaveTextContent(problem);
    }
    expect(onAdd).not.toHaveBeenCalled();
  });

  it('violates no axe rule, has no text of its own, and fits 320 pixels', async () => {
    // Without fades, every colour that is measured is final.
    await emulateMedia('prefers-reduced-motion', 'reduce');
    const all = { onSend: () => undefined, onAdd: () => undefined, onHide: () => undefined };
    show({ tokens: [coin, bank, copy], unread: [unread] }, all);
    await expect.element(rows.nth(3)).toBeVisible();
    const host = (rows.nth(0).element().getRootNode() as ShadowRoot).host;
    const { violations } = await axe.run(host, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] });
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.viewport(320, 640);
    show({ tokens: [coin, bank, copy], unread: [unread] }, all, pseudo);
    await expect.poll(() => textsOutside(['T', 'Ν', '?', '1,234.56'])).toEqual([]);
    expect(overflowing()).toEqual([]);
    show({ tokens: [coin, bank, copy], unread: [unread] }, all, german);
    await expect.element(page.getByText('Kopierter Name')).toBeVisible();
    expect(overflowing()).toEqual([]);
  });
});
