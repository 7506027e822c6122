// near-api-js in a page whose wallet is in a frame of another site.
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { everyNodeKnows, expect } from './fixtures.js';

declare const facade: FacadePage;

const REGISTRY = 'w3a-v1.testnet';

test('near-api-js signs in Chromium with one confirmation for a call, a batch, a message and several delegates', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const confirmations = async (work: () => Promise<void>) => {
    const before = wallet.confirmations();
    await work();
    return wallet.confirmations() - before;
  };
  await stack.oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 10n ** 24n });
  await everyNodeKnows(stack);

  for (const kind of ['plain', 'account'] as const) {
    const greeting = `by ${kind}`;
    const called = await confirmations(() =>
      page.evaluate(
        async ([id, which, contractId, said]) => {
          const accounts = await facade.nearApiJs(id);
          const account = accounts[which];
          await account.callFunction({ contractId, methodName: 'set_greeting', args: { greeting: said } });
        },
        [accountId, kind, REGISTRY, greeting] as const,
      ),
    );
    expect(called).toBe(1);
    await expect.poll(() => stack.oracle.greeting()).toBe(greeting);
  }

  const receiverId = 'a'.repeat(64);
  const before = await stack.oracle.balance(receiverId);
  const batch = await confirmations(() =>
    page.evaluate(
      async ([id, to]) => {
        const { account, near } = await facade.nearApiJs(id);
        const pay = { receiverId: to, actions: [near.actions.transfer(5n)] };
        await account.signAndSendTransactions({ transactions: [pay, pay] });
      },
      [accountId, receiverId] as const,
    ),
  );
  expect(batch).toBe(1);
  await expect.poll(async () => (await stack.oracle.balance(receiverId)) - before).toBe(10n);

  let signed: { publicKey: string; isWhole: boolean } | undefined;
  const message = await confirmations(async () => {
    signed = await page.evaluate(async (id) => {
      const { account } = await facade.nearApiJs(id);
      const { publicKey, signature } = await account.signNep413Message({
        message: 'Hello',
        recipient: 'app.example',
        nonce: new Uint8Array(32),
      });
      return { publicKey: publicKey.toString(), isWhole: signature.length === 64 };
    }, accountId);
  });
  expect(message).toBe(1);
  expect(await stack.oracle.fullAccessKeys(accountId)).toContain(signed?.publicKey);
  expect(signed?.isWhole).toBe(true);

  let delegates: { nonce: string; wanted: string }[] = [];
  const delegating = await confirmations(async () => {
    delegates = await page.evaluate(
      async ([id, contractId]) => {
        const { plain, signer, near } = await facade.nearApiJs(id);
        const actions = [near.actions.functionCall('set_greeting', Uint8Array.of(0, 255), 10n ** 13n)];
        const publicKey = await signer.getPublicKey();
        const first = await plain.createMetaTransaction({ receiverId: contractId, actions, publicKey });
        const asked = [first, { ...first, nonce: first.nonce + 1n }];
        const done = await signer.signDelegateActions(asked);
        return done.map(({ signedDelegate: { delegateAction } }, index) => ({
          nonce: String(delegateAction.nonce),
          wanted: String(asked[index]?.nonce),
        }));
      },
      [accountId, REGISTRY] as const,
    );
  });
  expect(delegating).toBe(1);
  expect(delegates).toHaveLength(2);
  for (const { nonce, wanted } of delegates) expect(nonce).toBe(wanted);
});
