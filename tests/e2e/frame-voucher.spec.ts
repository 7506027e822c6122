// A relay that pays only for vouchers of the app's server, and a host that passes one through the wallet's frame.
// Specification: core 7
import { issueSignupVoucher, makeVoucherKeyPair } from 'latchkey-server';
import { recordCeremonies } from '../support/browser.js';
import { agree } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { type Host, openHost, test as withHost } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { serveOwnWallet } from './attack-host/own-wallet.js';
import { chooser, makeAccount } from './connect-page/fixture.js';
import { expect } from './fixtures.js';
import { confirmation } from './popup/window.js';

declare const attack: AttackPage;

/** Opens a host with a wallet of its own, whose relay wants vouchers by this key. */
const test = withHost.extend<{ openAt(voucherKey: string): Promise<Host> }>({
  openAt: async ({ context, stack, places }, use, info) => {
    const stops: (() => Promise<unknown>)[] = [];
    await use(async (voucherKey) => {
      const own = await serveOwnWallet(
        stack,
        places.shop,
        info.outputPath('lock-key.json'),
        {},
        {
          SIGNUP_VOUCHER_KEY: voucherKey,
          RELAY_STATE_FILE: info.outputPath('state.json'),
        },
      );
      stops.push(own.close);
      return openHost(context, own.served, places.shop, own.wallet, await recordCeremonies(context));
    });
    for (const stop of stops) await stop();
  },
});

test('the app’s voucher reaches the relay through the frame, and without one nothing is paid', async ({
  openAt,
  stack,
  username,
}) => {
  const keys = await makeVoucherKeyPair();
  const host = await openAt(keys.publicKey);
  const accountId = accountOf(username);
  const register = (given: { signupVoucher?: string }) =>
    host.page.evaluate(({ id, options }) => attack.manager.registerPasskey(id, options), {
      id: accountId,
      options: given,
    });

  const refused = register({});
  await agree(confirmation(host), 'Create passkey');
  expect(await refused).toMatchObject({
    success: false,
    error: expect.stringContaining('voucher of the app'),
  });
  expect(await stack.oracle.accountExists(accountId)).toBe(false);

  // The next try asks again with the passkey that was made.
  const signupVoucher = await issueSignupVoucher({ privateKey: keys.privateKey, accountId });
  expect(await register({ signupVoucher })).toMatchObject({ success: true });
  expect(await stack.oracle.accountExists(accountId)).toBe(true);
});

test('connect passes a voucher for an account of any name on, once, and without one the user reads why', async ({
  openAt,
  stack,
  username,
}) => {
  const keys = await makeVoucherKeyPair();
  const { page, wallet } = await openAt(keys.publicKey);
  const connect = (options: { signupVoucher?: string }) =>
    page.evaluate((given) => attack.manager.connect({ options: given }), options);

  const without = connect({});
  await makeAccount(wallet, username);
  await expect(chooser(wallet)).toContainText('voucher of the app');
  await chooser(wallet).getByRole('button', { name: 'Cancel' }).click();
  expect(await without).toMatchObject({ success: false, errorCode: 'CANCELLED' });

  const signupVoucher = await issueSignupVoucher({ privateKey: keys.privateKey, accountId: null });
  const first = connect({ signupVoucher });
  await makeAccount(wallet, `${username}a`);
  expect(await first).toMatchObject({ success: true, accountId: accountOf(`${username}a`) });

  const second = connect({ signupVoucher });
  await makeAccount(wallet, `${username}b`);
  await expect(chooser(wallet)).toContainText('used');
  await chooser(wallet).getByRole('button', { name: 'Cancel' }).click();
  await second;
  expect(await stack.oracle.accountExists(accountOf(`${username}b`))).toBe(false);
});
