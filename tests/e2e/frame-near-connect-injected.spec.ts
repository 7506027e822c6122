// The wallet of a page, injected for @hot-labs/near-connect from npm, unmodified: it signs in its frame, in that page.
import { issueSignupVoucher, makeVoucherKeyPair } from 'latchkey-server';
import { REGISTRY } from '../../dev/services/services.js';
import { AGREE, agree, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { serveOwnWallet } from './attack-host/own-wallet.js';
import {
  addInjected,
  chooser,
  frameIn,
  knownToLaterConnector,
  makeAccount,
  press,
  test,
} from './connect-page/fixture.js';
import { expect } from './fixtures.js';

test.describe.configure({ timeout: 240_000 });

const nonce = { bytes: [...new Uint8Array(32).fill(9)] };

test('the injected wallet of the page is there for every connector, signs in and pays in its frame', async ({
  dapps,
  stack,
  username,
}) => {
  const dapp = await dapps.open('localhost');
  const walletId = await addInjected(dapp);
  expect(await knownToLaterConnector(dapp)).toContain(walletId);
  const frame = frameIn(dapp, stack.walletOrigin ?? '');
  const signingIn = press(dapp, 'connect', { walletId });
  await expect(chooser(frame)).toContainText(dapp.origin);
  await makeAccount(frame, username);
  expect(await signingIn).toMatchObject({ value: [{ accountId: accountOf(username) }] });

  const paying = press(dapp, 'signAndSendTransaction', {
    receiverId: REGISTRY,
    actions: [{ type: 'Transfer', params: { deposit: '1' } }],
  });
  await agree(frame.getByRole('dialog', { name: TRANSACTION }), AGREE);
  expect(await paying).toMatchObject({ value: { transaction: { receiver_id: REGISTRY } } });

  const declined = press(dapp, 'signMessage', { message: 'no', recipient: 'localhost', nonce });
  await frame.getByRole('dialog', { name: 'Sign a message' }).getByRole('button', { name: 'Cancel' }).click();
  expect(await declined).toEqual({ error: 'User rejected' });
});

test('the app’s voucher pays for the account that a user makes at a sign-in, and is asked for at each', async ({
  dapps,
  stack,
  username,
}, info) => {
  const keys = await makeVoucherKeyPair();
  const dapp = await dapps.open('localhost');
  const own = await serveOwnWallet(
    stack,
    dapp.origin,
    info.outputPath('lock-key.json'),
    {},
    {
      SIGNUP_VOUCHER_KEY: keys.publicKey,
      RELAY_STATE_FILE: info.outputPath('state.json'),
    },
  );
  try {
    const voucher = await issueSignupVoucher({ privateKey: keys.privateKey, accountId: null });
    const walletId = await addInjected(dapp, {
      walletOrigin: own.wallet,
      relayUrl: own.served.relay.url,
      vouchers: ['not a voucher', voucher],
    });
    const frame = frameIn(dapp, own.wallet);
    const refused = press(dapp, 'connect', { walletId });
    await makeAccount(frame, `${username}a`);
    await expect(chooser(frame)).toContainText(/voucher/);
    await chooser(frame).getByRole('button', { name: 'Cancel' }).click();
    expect(await refused).toEqual({ error: 'User rejected' });
    expect(await stack.oracle.accountExists(accountOf(`${username}a`))).toBe(false);

    const signingIn = press(dapp, 'connect', { walletId });
    await makeAccount(frame, `${username}b`);
    expect(await signingIn).toMatchObject({ value: [{ accountId: accountOf(`${username}b`) }] });
    expect(await stack.oracle.accountExists(accountOf(`${username}b`))).toBe(true);
  } finally {
    await own.close();
  }
});
