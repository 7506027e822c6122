// A chain that does not answer while a recovery phrase is added or used. The user reads what happened, whether the account is
// safe, and what to do.
import { parseSeedPhrase } from 'near-seed-phrase';
import { fromTransaction } from '../support/fault-proxy.js';
import { holdEverywhere } from '../support/local-stack.js';
import { keyViewer } from '../support/steps.js';
import { drawnIn } from '../support/wallet.js';
import { openFacade, test, withAccount } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, REQUEST_FAILED, settle } from './fixtures.js';
import { layer as keyViewerLayer } from './key-viewer.js';
import {
  accountWithPhrase,
  startAdding,
  startRestoring,
  typePhrase,
  typeTwo,
  words,
} from './phrase-viewer.js';

declare const facade: FacadePage;

test('a page that ends between the AddKey and the registration continues with the same words and the same passkey', async ({
  context,
  stack,
  facadeUrl,
  username,
  expectedConsole,
}) => {
  const wallet = await openFacade(context, stack, facadeUrl);
  const { page } = wallet;
  const { accountId, phrase } = await accountWithPhrase(stack, username);
  let met = (): void => undefined;
  const isMet = new Promise<void>((resolve) => {
    met = resolve;
  });
  expectedConsole.push(REQUEST_FAILED, /^warning:/);
  // The AddKey passes, the registration does not.
  const options = { where: fromTransaction(2), onMet: () => met() };
  for (const node of stack.nodes) node.fail('send_tx', { kind: 'refuse' }, undefined, options);
  const lost = startRestoring(wallet, accountId).catch(() => undefined);
  await typePhrase(keyViewer(page), phrase);
  await isMet;
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(3);
  await page.reload();
  await lost;
  for (const node of stack.nodes) node.heal();

  const before = wallet.prompts.length;
  const restoring = startRestoring(wallet, accountId);
  await typePhrase(keyViewer(page), phrase);
  expect(await restoring).toMatchObject({ success: true, deviceNumber: 1 });
  // The journal had the signed registration, so the passkey is asked at the login alone.
  expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
    success: true,
  });
  expect(wallet.prompts.slice(before).map(({ kind }) => kind)).toEqual(['get']);
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(3);
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(1);
  settle(stack, wallet, expectedConsole);
});

test('an AddKey whose answer is lost is named in doubt, with the words to keep, and the list shows its key', async ({
  facade: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /^warning:/);
  const { page, accountId } = wallet;
  const adding = startAdding(wallet, accountId);
  const phrase = await words(page);
  const { publicKey } = parseSeedPhrase(phrase.join(' '));
  for (const node of stack.nodes) {
    node.fail('send_tx', { kind: 'drop-answer' }, 1, {
      onMet: () => {
        for (const each of stack.nodes) each.fail('*', { kind: 'refuse' });
      },
    });
  }
  await typeTwo(page, phrase);
  const added = await adding;
  expect(added).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_IN_DOUBT', publicKey });
  expect(added.error).toContain(
    `Keep the words. They open the account once its list of devices shows the recovery key ${publicKey}`,
  );
  for (const node of stack.nodes) node.heal();
  expect(await page.evaluate((id) => facade.manager.getLinkedDevices(id), accountId)).toMatchObject({
    recoveryKeys: [publicKey],
  });
});

test('an AddKey of the phrase that reaches no node is named in doubt after a minute, and the same words finish it', async ({
  context,
  stack,
  facadeUrl,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /^warning:/);
  await context.clock.install();
  const wallet = await openFacade(context, stack, facadeUrl);
  const { page } = wallet;
  const { accountId, phrase } = await accountWithPhrase(stack, username);
  const keys = await stack.oracle.fullAccessKeys(accountId);
  let tries = 0;
  const onMet = (): void => {
    tries += 1;
  };
  for (const node of stack.nodes) node.fail('send_tx', { kind: 'refuse' }, undefined, { onMet });

  let isOver = false;
  const restoring = startRestoring(wallet, accountId).finally(() => {
    isOver = true;
  });
  await typePhrase(keyViewer(page), phrase);
  await expect.poll(() => tries).toBeGreaterThan(0);
  await expect(async () => {
    await context.clock.fastForward(10_000);
    expect(isOver).toBe(true);
  }).toPass();
  const restored = await restoring;
  expect(restored).toMatchObject({ success: false, errorCode: 'RECOVERY_PHRASE_IN_DOUBT' });
  for (const part of [
    `It is not known yet whether ${accountId} has the key of the new passkey.`,
    'The account is safe, and the words still open it.',
    'Try again with the same words: no second passkey is needed.',
  ])
    expect(restored.error).toContain(part);
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(keys);

  for (const node of stack.nodes) node.heal();
  const again = startRestoring(wallet, accountId);
  await typePhrase(keyViewer(page), phrase);
  expect(await again).toMatchObject({ success: true, deviceNumber: 1 });
  expect(wallet.prompts.filter(({ kind }) => kind === 'create')).toHaveLength(1);
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(keys.length + 1);
  settle(stack, wallet, expectedConsole);
});

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
