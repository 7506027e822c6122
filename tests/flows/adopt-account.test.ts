// Brings an account that near-api-js, as the user's other wallet, controls on the local chain.
import type { KeyToAdd, LinkedAccount } from 'latchkey';
import { actions, PublicKey } from 'near-api-js';
import type { AccountElsewhere } from '../support/oracle.js';
import { test as base, expect, type Wallet } from './wallet.js';

interface Fixtures {
  elsewhere: AccountElsewhere;
  wallet: Wallet;
  /** What the other wallet does; by default it signs and sends the AddKey. */
  other: { answer: (key: KeyToAdd) => Promise<unknown>; readonly asked: KeyToAdd[] };
}

const test = base.extend<Fixtures>({
  elsewhere: async ({ stack, username }, use) => use(await stack.oracle.makeAccountElsewhere(username)),
  wallet: async ({ open }, use) => use(await open()),
  other: async ({ elsewhere: { account } }, use) =>
    use({
      asked: [],
      answer: (key) =>
        account.signAndSendTransaction({
          receiverId: key.receiverId,
          actions: [actions.addFullAccessKey(PublicKey.fromString(key.publicKey))],
        }),
    }),
});

const adopt = ({ manager }: Wallet, accountId: string, other: Fixtures['other']): Promise<LinkedAccount> =>
  manager.adoptAccount({
    accountId,
    addKey: async (key) => {
      other.asked.push(key);
      await other.answer(key);
    },
  });

test('an account of near-api-js gets a passkey with one prompt and one AddKey, signs, and logs in silently', async ({
  wallet,
  elsewhere,
  other,
  stack,
}) => {
  const { accountId } = elsewhere;
  const adopted = await adopt(wallet, accountId, other);
  expect(adopted).toMatchObject({
    success: true,
    nearAccountId: accountId,
    deviceNumber: 1,
    isLoggedIn: true,
  });
  expect(wallet.prompts).toEqual(['create']);
  expect(wallet.shown).toMatchObject([{ kind: 'registration', accountId, joining: {} }]);
  const { publicKey } = adopted;
  expect(other.asked).toMatchObject([{ accountId, receiverId: accountId, publicKey }]);
  expect(await stack.oracle.fullAccessKeys(accountId)).toContain(publicKey);
  expect(await stack.oracle.authenticators(accountId)).toMatchObject([
    [expect.any(String), { device_number: 1 }],
  ]);

  wallet.reload();
  await wallet.logIn(accountId);
  await wallet.greet('from elsewhere', accountId);
});

test('a refusal by the other wallet leaves nothing: no key, no device, no open linking', async ({
  wallet,
  elsewhere,
  other,
  stack,
}) => {
  const { accountId } = elsewhere;
  const keys = await stack.oracle.fullAccessKeys(accountId);
  other.answer = async () => {
    throw new Error('User rejected the transaction');
  };
  const refused = await adopt(wallet, accountId, other);
  expect(refused).toMatchObject({ success: false, errorCode: 'ADOPTION_REFUSED', publicKey: null });
  expect(refused.error).toContain('User rejected the transaction');
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(keys);
  expect(await stack.oracle.authenticators(accountId)).toEqual([]);
  expect(await wallet.manager.resume()).toMatchObject({ pending: [], dropped: [] });
});

test('a page that ends while the other wallet has sent the AddKey continues with it, and asks that wallet no second time', async ({
  wallet,
  elsewhere,
  other,
  stack,
}) => {
  const { accountId } = elsewhere;
  const add = other.answer;
  const isSent = new Promise<void>((sent) => {
    other.answer = async (key) => {
      await add(key);
      sent();
      // The page never hears of it.
      await new Promise(() => undefined);
    };
  });
  void adopt(wallet, accountId, other);
  await isSent;
  expect(await stack.oracle.authenticators(accountId)).toEqual([]);
  wallet.reload();

  const adopted = await adopt(wallet, accountId, other);
  expect(adopted).toMatchObject({ success: true, deviceNumber: 1, isLoggedIn: true });
  expect(wallet.prompts).toEqual(['create', 'get']);
  expect(other.asked).toHaveLength(1);
  expect(adopted.publicKey).toBe(other.asked[0]?.publicKey);
});
