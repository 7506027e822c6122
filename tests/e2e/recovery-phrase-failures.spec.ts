// What a user does wrong with a recovery phrase, or cannot pay for. The user reads what happened, whether the account is safe, and
// what to do.
import { base64 } from '@scure/base';
import { actions, PublicKey } from 'near-api-js';
import { generateSeedPhrase } from 'near-seed-phrase';
import { keyViewer } from '../support/steps.js';
import { openFacade, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { everyNodeKnows, expect, FRAMED, settle } from './fixtures.js';
import {
  accountWithPhrase,
  button,
  field,
  startAdding,
  startRestoring,
  typePhrase,
  typeTwo,
  words,
} from './phrase-viewer.js';

declare const facade: FacadePage;

const YOCTO_PER_BYTE = 10n ** 19n;
/** Less than a further key stores. */
const FEE = 2n * 10n ** 20n;

test(
  'words that were only seen add nothing: a wrong word is named by its position, and leaving cancels',
  FRAMED,
  async ({ facade: wallet, stack }) => {
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
  },
);

test('a refusal after the words were written down tells that they open nothing', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const before = await stack.oracle.fullAccessKeys(accountId);
  const adding = startAdding(wallet, accountId);
  const phrase = await words(page);
  await page.evaluate(() => {
    facade.decision = 'cancel';
  });
  await typeTwo(page, phrase);
  const refused = await adding;
  expect(refused).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_NOT_ADDED' });
  expect(refused.error).toContain('The words that you wrote down open nothing');
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
});

test(
  'an account from elsewhere is opened by its phrase in one paste, and the viewer names each mistake before',
  FRAMED,
  async ({ context, stack, facadeUrl, username, expectedConsole }) => {
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
  },
);

test('a new passkey that the account cannot pay for is not even made, and one that the chain refuses is dropped', async ({
  context,
  stack,
  facadeUrl,
  username,
  expectedConsole,
}) => {
  const wallet = await openFacade(context, stack, facadeUrl);
  const { oracle } = stack;
  const { account, accountId, phrase } = await accountWithPhrase(stack, username);
  const restore = async () => {
    const restoring = startRestoring(wallet, accountId);
    await typePhrase(keyViewer(wallet.page), phrase);
    return restoring;
  };
  const keys = await oracle.fullAccessKeys(accountId);
  const { amount, storage_usage: bytes } = await oracle.provider.viewAccount({ accountId });
  const left = BigInt(bytes) * YOCTO_PER_BYTE + FEE;
  await account.transfer({ receiverId: 'testnet', amount: BigInt(amount) - left });
  const poor = await restore();
  expect(poor).toMatchObject({ success: false, errorCode: 'INSUFFICIENT_BALANCE', publicKey: null });
  expect(poor.error).toContain(accountId);
  expect(wallet.prompts).toEqual([]);

  await oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 10n ** 24n });
  await everyNodeKnows(stack);
  for (const node of stack.nodes)
    node.fail('send_tx', { kind: 'rewrite-request', rewrite: withAnotherSignature });
  const refused = await restore();
  expect(refused).toMatchObject({ success: false, errorCode: 'RECOVERY_PHRASE_NOT_USED', publicKey: null });
  for (const part of [
    `The new passkey was not added to ${accountId}`,
    'The account is as it was, the words still open it, and the passkey that was made was dropped.',
    'Try again.',
  ])
    expect(refused.error).toContain(part);
  for (const node of stack.nodes) node.heal();
  expect(await oracle.fullAccessKeys(accountId)).toEqual(keys);

  expect(await restore()).toMatchObject({ success: true, deviceNumber: 1, isLoggedIn: true });
  settle(stack, wallet, expectedConsole);
});

/** The same transaction with a signature that is not its key's. */
function withAnotherSignature(body: { params: { signed_tx_base64: string } }): unknown {
  const bytes = base64.decode(body.params.signed_tx_base64);
  // The signature's first half, a point, ends 32 bytes before the end.
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
  return { ...body, params: { ...body.params, signed_tx_base64: base64.encode(bytes) } };
}
