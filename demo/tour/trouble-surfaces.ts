// Screens of a network that fails: a chain that does not answer, payments left behind, a wallet that is down, no network.

import { RELAYER } from '../../dev/services/services.js';
import { holdEverywhere } from '../../tests/support/local-stack.js';
import {
  AGREE,
  agree,
  cancel,
  confirmDialog,
  giveUp,
  logIn,
  loginProblem,
  logOut,
  pressUntilGone,
  register,
  startBatch,
  startGreeting,
  startLogin,
  startRegistration,
} from '../../tests/support/steps.js';
import { drawnIn, isFramed, openWatchedWallet } from '../../tests/support/wallet.js';
import type { Camera } from './camera.js';
import type { Room } from './surfaces.js';
import { confirmed } from './wait.js';

/**
 * One: the next of a batch leaves half a second later, and a reload between its entry in the journal and its request would
 * leave it unknown until it expires.
 */
const PAYMENT = [{ recipient: RELAYER, near: '0.003' }];

/** A registration while the chain is frozen. Leaves the login menu. */
export async function photographWait({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const { page } = desk;
  const { release } = holdEverywhere(stack, '*');
  await startRegistration(desk, `${username}-never`);
  const waiting = drawnIn(page).getByRole('dialog', { name: 'Waiting for the network' });
  await waiting.waitFor();
  await camera.take(page, 'waiting-for-network');
  await pressUntilGone(
    waiting.getByRole('button', { name: 'Cancel' }),
    drawnIn(page).locator('latchkey-waiting'),
  );
  release();
}

/**
 * A passkey that is gone, a reload in the middle of a payment, a wallet that is down, and no network. Leaves the user logged
 * in.
 */
export async function photographTrouble(room: Room, camera: Camera): Promise<void> {
  const { desk, username } = room;
  const { page } = desk;
  await thePasskeyGone(room, camera);
  await theLeftBehind(room, camera);
  if (isFramed(page)) await theWalletDown(room, camera);

  await page.context().setOffline(true);
  await page.getByRole('status', { name: 'Wallet' }).filter({ hasText: 'offline' }).waitFor();
  await camera.take(page, 'offline');
  await page.context().setOffline(false);
  await logIn(desk, username);
}

/** Another user, whose authenticator has lost the passkey: a transaction, then a login. */
async function thePasskeyGone({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const context = await desk.browser.newContext({
    viewport: { width: 1100, height: 860 },
    reducedMotion: 'reduce',
  });
  const guest = await openWatchedWallet(context, stack);
  const { page, passkey } = guest;
  await register(guest, `${username}-gone`);
  await passkey.renew();
  await startGreeting(guest, 'Without a passkey');
  await agree(confirmDialog(page), AGREE);
  await confirmed(guest, 'Try again');
  await camera.take(page, 'confirm-passkey-missing');
  await giveUp(guest);

  await logOut(guest);
  stack.relay.fail('*', { kind: 'refuse' });
  await startLogin(guest, `${username}-gone`);
  await loginProblem(page).waitFor();
  await camera.take(page, 'login-passkey-missing');
  stack.relay.heal();
  await context.close();
}

/** Leaves the user logged out. */
async function theLeftBehind({ desk, stack, username }: Room, camera: Camera): Promise<void> {
  const { page } = desk;
  const notices = page.getByRole('status', { name: 'From before' });
  const payment = holdEverywhere(stack, 'send_tx');
  await startBatch(desk, PAYMENT);
  await agree(confirmDialog(page), AGREE);
  await payment.first;
  await page.reload();
  await notices.getByText('Payment not known yet').waitFor();
  await camera.take(page, 'notice-payment');

  await logIn(desk, username);
  await startBatch(desk, PAYMENT);
  await confirmed(desk, AGREE);
  await camera.take(page, 'confirm-repeated');
  await cancel(desk);
  payment.release();
  await notices.getByRole('button', { name: 'Got it' }).click();
  await notices.waitFor({ state: 'detached' });
  await page.reload();
}

/** A start while no server answers at the wallet's origin. */
async function theWalletDown({ desk, stack }: Room, camera: Camera): Promise<void> {
  const { page } = desk;
  const ofWallet = `${stack.walletOrigin}/**`;
  await page.route(ofWallet, (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.getByRole('region', { name: 'The wallet could not start' }).waitFor();
  await camera.take(page, 'wallet-down');
  await page.unroute(ofWallet);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('status', { name: 'Wallet' }).filter({ hasText: 'connected' }).waitFor();
}
