// Brings an account that near-api-js, as the user's other wallet, controls on the local chain.
import type { KeyToAdd, LinkedAccount } from 'latchkey';
import { actions, PublicKey } from 'near-api-js';
import type { AccountElsewhere } from '../support/oracle.js';
import { isFramed } from '../support/wallet.js';
import { test as base, type OpenFacade, openFacade, payOneYocto } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, settle } from './fixtures.js';

declare const facade: FacadePage;
declare global {
  /** The user's other wallet: near-api-js, outside the page. */
  var otherWallet: (key: KeyToAdd) => Promise<void>;
}

interface Fixtures {
  elsewhere: AccountElsewhere;
  wallet: OpenFacade;
  /** What the other wallet does; by default it signs and sends the AddKey. */
  other: { answer: (key: KeyToAdd) => Promise<unknown>; readonly asked: KeyToAdd[] };
}

const test = base.extend<Fixtures>({
  elsewhere: async ({ stack, username }, use) => use(await stack.oracle.makeAccountElsewhere(username)),
  other: async ({ context, elsewhere: { account } }, use) => {
    const other: Fixtures['other'] = {
      asked: [],
      answer: (key) =>
        account.signAndSendTransaction({
          receiverId: key.receiverId,
          actions: [actions.addFullAccessKey(PublicKey.fromString(key.publicKey))],
        }),
    };
    await context.exposeFunction('otherWallet', async (key: KeyToAdd) => {
      other.asked.push(key);
      await other.answer(key);
    });
    await use(other);
  },
  wallet: async ({ context, stack, facadeUrl, prf, other, expectedConsole }, use) => {
    expect(other.asked).toEqual([]);
    const wallet = await openFacade(context, stack, facadeUrl, prf);
    await use(wallet);
    settle(stack, wallet, expectedConsole);
  },
});

const adopt = ({ page }: OpenFacade, accountId: string): Promise<LinkedAccount> =>
  page.evaluate(
    (id) => facade.manager.adoptAccount({ accountId: id, addKey: (key) => otherWallet(key) }),
    accountId,
  );

test(
  'an account of near-api-js gets a passkey with one prompt and one AddKey, signs, and logs in silently',
  FRAMED,
  async ({ wallet, elsewhere, other, stack }) => {
    const { accountId } = elsewhere;
    const { page } = wallet;
    let adopted: LinkedAccount | undefined;
    const adopting = await wallet.during(async () => {
      adopted = await adopt(wallet, accountId);
    });
    expect(adopted).toMatchObject({
      success: true,
      nearAccountId: accountId,
      deviceNumber: 1,
      isLoggedIn: true,
    });
    expect(adopting.prompts.map(({ kind }) => kind)).toEqual(['create']);
    expect(wallet.confirmations()).toBe(1);
    const publicKey = adopted?.publicKey ?? '';
    expect(other.asked).toMatchObject([{ accountId, receiverId: accountId, publicKey }]);
    expect(await stack.oracle.fullAccessKeys(accountId)).toContain(publicKey);
    expect(await stack.oracle.authenticators(accountId)).toMatchObject([
      [expect.any(String), { device_number: 1 }],
    ]);
    if (!isFramed(page)) {
      expect(await page.evaluate(() => facade.shown)).toMatchObject([
        { kind: 'registration', accountId, joining: {} },
      ]);
    }

    await page.reload();
    expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
      success: true,
      unlockedBy: 'server-lock',
    });
    await payOneYocto({ page }, accountId);
  },
);
