// What a user does wrong with a recovery phrase, and reads then.
import { actions, PublicKey } from 'near-api-js';
import { generateSeedPhrase } from 'near-seed-phrase';
import { keyViewer } from '../support/steps.js';
import { expectNothingSideways, expectNoViolations } from './accessible.js';
import { openFacade, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, settle } from './fixtures.js';
import { button, field, startAdding, startRestoring, typePhrase, words } from './phrase-viewer.js';

declare const facade: FacadePage;

test('words that were only seen add nothing: a wrong word is named by its position, and leaving cancels', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const before = await stack.oracle.fullAccessKeys(accountId);
  const adding = startAdding(wallet, accountId);
  await words(page);
  const viewer = keyViewer(page);
  await button(viewer, 'I wrote them down').click();
  const [first = ''] = await viewer.locator('label').allTextContents();
  await button(viewer, 'Continue').click();
  await expect(viewer.getByRole('alert')).toHaveText(`${first} is another one. Compare it with the words.`);
  await button(viewer, 'Back').click();
  await expect(viewer.getByRole('listitem')).toHaveCount(12);
  await button(viewer, 'Cancel').click();
  expect(await adding).toMatchObject({ success: false, errorCode: 'CANCELLED' });
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
});

test('an account from elsewhere is opened by its phrase in one paste, and the viewer names each mistake before', async ({
  context,
  stack,
  facadeUrl,
  username,
  expectedConsole,
}, testInfo) => {
  const wallet = await openFacade(context, stack, facadeUrl);
  const { page } = wallet;
  const { account, accountId } = await stack.oracle.makeAccountElsewhere(username);
  const [right, limited, unknown] = [generateSeedPhrase(), generateSeedPhrase(), generateSeedPhrase()];
  await account.signAndSendTransaction({
    receiverId: accountId,
    actions: [
      actions.addFullAccessKey(PublicKey.fromString(right.publicKey)),
      actions.addFunctionCallAccessKey(PublicKey.fromString(limited.publicKey), 'app.testnet', [], 1n),
    ],
  });
  const phrase = right.seedPhrase.split(' ');
  const restoring = startRestoring(wallet);
  const viewer = keyViewer(page);
  const alert = viewer.getByRole('alert');
  await viewer.getByRole('textbox', { name: 'Account' }).fill(accountId);

  await typePhrase(viewer, phrase.with(6, 'latchkey'));
  await expect(alert).toContainText('Word 7 is not a word');
  await typePhrase(viewer, phrase.with(6, ''));
  await expect(alert).toContainText('these are 11');
  // The pictures show no mistake.
  await page.setViewportSize({ width: 320, height: 700 });
  await expectNothingSideways(page);
  for (const theme of ['light', 'dark'] as const) await expectNoViolations(page, theme, 'mistake', testInfo);
  await typePhrase(
    viewer,
    Array.from({ length: 12 }, () => 'abandon'),
  );
  await expect(alert).toContainText('do not belong together');
  await typePhrase(viewer, unknown.seedPhrase.split(' '));
  await expect(alert).toContainText('the account does not have their key');
  await typePhrase(viewer, limited.seedPhrase.split(' '));
  await expect(alert).toContainText('without full access');

  await field(viewer, 1).focus();
  await field(viewer, 1).evaluate(
    (input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    ` ${phrase.join('\n')} `,
  );
  expect(await Promise.all(phrase.map((_, at) => field(viewer, at + 1).inputValue()))).toEqual(phrase);
  await button(viewer, 'Continue').click();
  expect(await restoring).toMatchObject({ success: true, nearAccountId: accountId, deviceNumber: 1 });
  settle(stack, wallet, expectedConsole);
});
