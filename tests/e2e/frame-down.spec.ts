// The wallet's origin is down when the app starts: said within seconds, with a retry that works when it is back.
// Specification: frame 9
import { register } from '../support/steps.js';
import { expect, REQUEST_FAILED, test } from './fixtures.js';

test('an app whose wallet is down says so within seconds, and Try again works once it is back', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  // The browser's own page in the frame has another origin than the wallet, and gets no port. A page that is slow to boot
  // makes the host ask its server, which answers other origins nothing.
  expectedConsole.push(
    REQUEST_FAILED,
    /does not match the recipient window's origin/,
    /blocked by CORS policy/,
    // The page tells its theme to a wallet that is just being taken down.
    /was not told the theme/,
  );
  const { page } = wallet;
  const notice = page.getByRole('region', { name: 'The wallet could not start' });
  const tryAgain = notice.getByRole('button', { name: 'Try again' });
  const start = await stack.takeWalletDown();
  try {
    await page.reload();
    await expect(notice.getByRole('alert')).toContainText('The wallet can’t be reached.');
    await notice.getByText('Details').click();
    await expect(notice).toContainText(`The wallet at ${stack.walletOrigin} cannot be reached`);
    // Still down: the same sentence again, and again a way on.
    await tryAgain.click();
    await expect(notice).toHaveCount(0);
    await expect(notice.getByRole('alert')).toContainText('The wallet can’t be reached.');
  } finally {
    await start();
  }
  await tryAgain.click();
  await expect(notice).toHaveCount(0);
  await register(wallet, username);
});
