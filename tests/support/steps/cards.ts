// A user's steps in the demo: the first page's payment, and the cards for the greeting, batches and messages.
import type { Locator, Page } from 'playwright-core';
import type { SignedMessage } from '../oracle.js';
import type { Wallet } from '../wallet.js';
import { approveUntil } from './confirmation.js';
import { toDemos, toHome } from './pages.js';
import { textOf } from './press.js';

const latestTransaction = (page: Page): Locator => page.getByRole('region', { name: 'Latest transaction' });

/** Types a greeting and presses Set greeting. */
export async function startGreeting({ page }: Wallet, text: string): Promise<void> {
  await toHome(page);
  await page.getByRole('textbox', { name: 'New greeting' }).fill(text);
  await page.getByRole('button', { name: 'Set greeting' }).click();
}

/** Sets the greeting and waits for its transaction, whose id it returns. */
export async function setGreeting(wallet: Wallet, text: string): Promise<string> {
  await toHome(wallet.page);
  const id = wallet.page.getByTestId('transaction-id');
  const before = (await id.isVisible()) ? await textOf(id) : '';
  await startGreeting(wallet, text);
  await approveUntil(
    wallet.page,
    latestTransaction(wallet.page).filter({ has: id, hasNotText: before || '\0' }),
  );
  const outcome = await textOf(latestTransaction(wallet.page));
  if (!outcome.includes('Success')) throw new Error(`The greeting was not set: ${outcome}`);
  return textOf(id);
}

/** The first page's second step. */
export const paymentStep = (page: Page): Locator => page.getByRole('region', { name: 'Pay', exact: true });

/** Presses the first page's button that pays a little. */
export async function startPayment({ page }: Wallet): Promise<void> {
  await toHome(page);
  await paymentStep(page).getByRole('button', { name: 'Pay 0.001 NEAR' }).click();
}

/** Pays on the first page, and returns the id of the transaction. */
export async function pay(wallet: Wallet): Promise<string> {
  const { page } = wallet;
  await startPayment(wallet);
  const paid = paymentStep(page).getByRole('listitem');
  await approveUntil(page, paid);
  return textOf(paid.getByRole('link'));
}

const batchCard = (page: Page): Locator => page.getByRole('region', { name: 'Send to several' });

/** One transfer of a batch; the amount in NEAR. */
export interface Transfer {
  recipient: string;
  near: string;
}

/** Fills in a row for each transfer, removes the rows after them, and presses Send all. */
export async function startBatch({ page }: Wallet, transfers: readonly Transfer[]): Promise<void> {
  await toDemos(page);
  const card = batchCard(page);
  const rowOf = (index: number): Locator => card.getByRole('group', { name: `Transfer ${index + 1}` });
  // A page that is not drawn yet shows no row either.
  await rowOf(0).waitFor();
  for (const [index, { recipient, near }] of transfers.entries()) {
    const row = rowOf(index);
    if (!(await row.isVisible())) await card.getByRole('button', { name: 'Add transfer' }).click();
    await row.getByRole('textbox', { name: 'Recipient' }).fill(recipient);
    await row.getByRole('textbox', { name: 'NEAR' }).fill(near);
  }
  while (await rowOf(transfers.length).isVisible()) {
    await card.getByRole('button', { name: `Remove transfer ${transfers.length + 1}` }).click();
  }
  await card.getByRole('button', { name: 'Send all' }).click();
}

/** Sends the transfers with one confirmation and returns the page's result for each. */
export async function sendBatch(wallet: Wallet, transfers: readonly Transfer[]): Promise<string[]> {
  await startBatch(wallet, transfers);
  const ends = batchCard(wallet.page).getByRole('list', { name: 'What became of each' });
  await approveUntil(wallet.page, ends);
  return ends.getByRole('listitem').allInnerTexts();
}

const messageCard = (page: Page): Locator => page.getByRole('region', { name: 'Sign a message' });

/** Fills in a message for a recipient and presses Sign message. */
export async function startMessage({ page }: Wallet, message: string, recipient: string): Promise<void> {
  await toDemos(page);
  const card = messageCard(page);
  await card.getByRole('textbox', { name: 'Message' }).fill(message);
  await card.getByRole('textbox', { name: 'Recipient' }).fill(recipient);
  await card.getByRole('button', { name: 'Sign message' }).click();
}

/** Signs a message for a recipient and returns it with its signature. */
export async function signMessage(wallet: Wallet, message: string): Promise<SignedMessage> {
  const { page } = wallet;
  const recipient = 'guestbook.testnet';
  const card = messageCard(page);
  await startMessage(wallet, message, recipient);
  await approveUntil(page, card.getByTestId('nep413-signature'));
  const [signature, publicKey, nonce] = await Promise.all(
    ['signature', 'public-key', 'nonce'].map((part) => textOf(card.getByTestId(`nep413-${part}`))),
  );
  const inExplorer = page.getByRole('banner').getByRole('link', { name: 'in the explorer' });
  return {
    accountId: (await inExplorer.getAttribute('title')) ?? '',
    message,
    recipient,
    signature: signature ?? '',
    publicKey: publicKey ?? '',
    nonce: nonce ?? '',
  };
}
