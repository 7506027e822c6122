// A chain that does not answer while a recovery phrase is added. The user reads what happened, and what the words are worth.
import { holdEverywhere } from '../support/local-stack.js';
import { drawnIn } from '../support/wallet.js';
import { openFacade, test, withAccount } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, REQUEST_FAILED, settle } from './fixtures.js';
import { layer as keyViewerLayer } from './key-viewer.js';
import { startAdding, typeTwo, words } from './phrase-viewer.js';

declare const facade: FacadePage;

test('a chain that freezes while the phrase is added is named, and Cancel tells what the words are worth', async ({
  context,
  stack,
  facadeUrl,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED);
  await context.clock.install();
  const wallet = await withAccount(await openFacade(context, stack, facadeUrl), username);
  const { page, accountId } = wallet;
  await page.evaluate(() => facade.useModal());
  const before = await stack.oracle.fullAccessKeys(accountId);
  const waiting = drawnIn(page).getByRole('dialog', { name: 'Waiting for the network' });
  const cancel = waiting.getByRole('button', { name: 'Cancel' });

  const { release: unfreeze } = holdEverywhere(stack, '*');
  const early = startAdding(wallet, accountId);
  await expect(waiting).toContainText('No transaction was signed or sent.');
  await cancel.click();
  expect(await early).toMatchObject({ success: false, errorCode: 'CANCELLED', publicKey: null });
  await expect(keyViewerLayer(page)).toHaveCount(0);
  unfreeze();

  const adding = startAdding(wallet, accountId);
  const phrase = await words(page);
  // What the wallet has read ahead is too old by now.
  await context.clock.fastForward(60_000);
  const { release } = holdEverywhere(stack, '*');
  await typeTwo(page, phrase);
  await expect(waiting).toContainText('No transaction was signed or sent.');
  await cancel.click();
  const refused = await adding;
  expect(refused).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_NOT_ADDED' });
  for (const part of [
    `The recovery key was not added to ${accountId}`,
    'The account is as it was.',
    'The words that you wrote down open nothing: destroy them, and make new ones.',
  ])
    expect(refused.error).toContain(part);
  release();
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
  settle(stack, wallet, expectedConsole);
});
