import type { Device2Linking, TransactionRequest } from 'latchkey';
import type { PopupScreen } from 'latchkey/wallet';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { transfer } from '../src/testing/confirmation.js';
import { managerOf } from '../src/testing/manager.js';
import { overflowing, overflowingMirrored, pseudo, textsOutside } from '../src/testing/pseudo.js';
import { setTexts } from '../src/texts/current.js';
import { english } from '../src/texts/english.js';
import { showFailure, showHostNotAllowed, showLost } from './notice.js';
import { showPasskeyField } from './passkey-field.js';
import { continueByClick, drawPopupScreen } from './popup.js';
import { showRegisterButton } from './register-button.js';
import { showTransactionButton } from './transaction-button.js';
import { openSettings, showLinkingCode } from './ui.js';

const LONG = 'a-name-that-is-as-long-as-names-may-be.w3a-v1.testnet';
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
const nothing = (): void => undefined;

let over: AbortController;
beforeEach(async () => {
  over = new AbortController();
  await page.viewport(320, 700);
});
afterEach(async () => {
  over.abort();
  for (const notice of document.querySelectorAll('main.notice')) notice.parentElement?.remove();
  setTexts(english);
  vi.restoreAllMocks();
  await page.viewport(1280, 1000);
});

/** Changes the language of what shows, waits for one of its texts, and checks every text and width. */
async function check(shows: string, known: string[] = []) {
  setTexts(pseudo);
  await expect.element(page.getByText(shows, { exact: true }).first()).toBeVisible();
  // A modal has its opening animation behind it.
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(nothing)));
  expect(textsOutside(known)).toEqual([]);
  expect(overflowing()).toEqual([]);
  expect(await overflowingMirrored()).toEqual([]);
}

describe("every text of the wallet's page is in its catalogue, and has room at 320 pixels", () => {
  const { walletPage: words, facts } = pseudo.confirm;

  it('on the transaction button', async () => {
    const call = {
      type: 'FunctionCall',
      methodName: '7',
      args: '{"a":"5"}',
      gas: '7',
      deposit: '1',
    } as const;
    const transactions = [
      { receiverId: LONG, actions: [transfer('1'), call] },
      { receiverId: LONG, actions: [transfer('2')] },
    ] as readonly TransactionRequest[];
    showTransactionButton(
      {
        nearAccountId: LONG,
        transactions,
        askedBy: 'https://shop.example',
        theme: 'light',
        preview: Promise.resolve({
          cost: { gas: '7', deposit: '5', total: '12', available: '3' },
          recipients: [{ accountId: LONG, isNew: true, looksLike: LONG }],
        }),
        sign: async () => undefined,
      },
      over.signal,
    );
    await check(facts.fee);
  });

  it('on the register button', async () => {
    showRegisterButton(
      { nearAccountId: LONG, theme: 'dark', register: () => new Promise(nothing) },
      over.signal,
    );
    await check(words.createPasskey);
  });

  it('in the passkey field', async () => {
    // Where the frame covers the page, it is hidden.
    await page.viewport(320, 60);
    showPasskeyField('dark', over.signal);
    setTexts(pseudo);
    await expect.element(page.getByRole('textbox')).toHaveAttribute('placeholder', words.choosePasskey);
  });

  it.each([
    ['needed', words.windowNeeded],
    ['blocked', words.windowBlocked],
    ['open', words.windowOpen],
  ] as const)('where it needs its own window: %s', async (state, shows) => {
    const shown: Parameters<PopupScreen['show']>[0] = { state, theme: 'light' };
    drawPopupScreen(shown, { open: nothing, cancel: nothing }, over.signal);
    await check(shows);
  });

  it.each([
    ['create', words.create],
    ['get', words.use],
  ] as const)('in that window, before a prompt to %s', async (kind, shows) => {
    void continueByClick({ kind, rpId: 'wallet.example' } as never, over.signal);
    await check(shows);
  });

  it.each([
    [
      'in an app that it does not allow',
      words.notAllowedTitle,
      () => showHostNotAllowed('https://shop.example'),
    ],
    ['whose opener is gone', words.lostTitle, () => showLost('7')],
    ['that cannot start', words.failedTitle, () => showFailure('7')],
  ] as const)('on a page %s', async (_, shows, show) => {
    show();
    await check(shows);
  });

  it('in the code that links this device', async () => {
    const linking = {
      qrData: {},
      qrCodeDataURL: PIXEL,
      checkCode: 'ABCD2345EFGH6723',
      expiresAt: Date.now() + 900_000,
    } as unknown as Device2Linking;
    showLinkingCode(linking, {
      theme: 'light',
      signal: over.signal,
      follow: nothing,
      onClose: nothing,
    });
    await check(words.linkLead);
  });

  it('in the settings of a page that the user told to stop', async () => {
    const manager = managerOf();
    vi.spyOn(manager, 'getUserPreferences').mockResolvedValue({ useRelayer: true, useNetwork: 'testnet' });
    vi.spyOn(manager, 'getConfirmationConfig').mockResolvedValue({
      uiMode: 'modal',
      behavior: 'requireClick',
      autoProceedDelayMs: 500,
      theme: 'dark',
    });
    const stopped = { host: 'https://shop.example', allow: async () => undefined };
    void openSettings(manager, over.signal, stopped);
    await check(pseudo.settings.allow);
  });
});
