// Brings an account that near-api-js, as the user's other wallet, controls on the local chain, into a wallet in a frame.
import type { KeyToAdd } from 'latchkey';
import { actions, PublicKey } from 'near-api-js';
import { openFacade, payOneYocto, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, settle } from './fixtures.js';

declare const facade: FacadePage;
declare global {
  /** The user's other wallet: near-api-js, outside the page. */
  var otherWallet: (key: KeyToAdd) => Promise<void>;
}

test('an account of near-api-js gets a passkey with one prompt and one AddKey, signs, and logs in silently', async ({
  context,
  stack,
  facadeUrl,
  username,
}) => {
  const { accountId, account } = await stack.oracle.makeAccountElsewhere(username);
  const asked: KeyToAdd[] = [];
  await context.exposeFunction('otherWallet', async (key: KeyToAdd) => {
    asked.push(key);
    await account.signAndSendTransaction({
      receiverId: key.receiverId,
      actions: [actions.addFullAccessKey(PublicKey.fromString(key.publicKey))],
    });
  });
  const wallet = await openFacade(context, stack, facadeUrl);
  const { page } = wallet;
  const adopted = await page.evaluate(
    (id) => facade.manager.adoptAccount({ accountId: id, addKey: (key) => otherWallet(key) }),
    accountId,
  );
  expect(adopted).toMatchObject({
    success: true,
    nearAccountId: accountId,
    deviceNumber: 1,
    isLoggedIn: true,
  });
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(wallet.confirmations()).toBe(1);
  const { publicKey } = adopted;
  expect(asked).toMatchObject([{ accountId, receiverId: accountId, publicKey }]);
  expect(await stack.oracle.fullAccessKeys(accountId)).toContain(publicKey);
  await page.reload();
  expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
    success: true,
    unlockedBy: 'server-lock',
  });
  await payOneYocto({ page }, accountId);
  settle(stack, wallet, []);
});
