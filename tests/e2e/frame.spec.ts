// The demo with its wallet on its own origin: the same steps, with every wallet screen in the frame.
// Specification: core 2, frame 2, frame 4, frame 6
import {
  AGREE,
  cancel,
  chooseInMenu,
  closeKeyViewer,
  closeSettings,
  confirmDialog,
  logIn,
  loginProblem,
  logOut,
  openKeyViewer,
  register,
  setGreeting,
  signMessage,
  startBatch,
  startGreeting,
  startRecovery,
  startRegistration,
} from '../support/steps.js';
import { accountOf, drawnIn, homeOf } from '../support/wallet.js';
import { expect, test } from './fixtures.js';

test('registers, sends, signs a message, shows the key viewer, logs out and in again, all in the frame, and stores nothing on the app’s origin', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  const status = page.getByRole('status', { name: 'Wallet' });
  await expect(status).toHaveText('connected · 0 accounts');

  await register(wallet, username);
  expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);
  const [, stored] = (await stack.oracle.authenticators(accountOf(username)))[0]!;
  expect(stored.expected_rp_id).toBe('wallet.localhost');
  await expect(status).toHaveText('connected · 1 account');

  await setGreeting(wallet, `through a frame, ${username}`);
  expect(await stack.oracle.greeting()).toContain(`through a frame, ${username}`);
  await stack.oracle.verifyMessage(await signMessage(wallet, 'signed in a frame'));

  const viewer = await openKeyViewer(wallet);
  await expect(viewer.getByRole('dialog')).toContainText(accountOf(username));
  await closeKeyViewer(page, 'Cancel');

  await logOut(wallet);
  await logIn(wallet, username);

  const databases = async (): Promise<unknown[]> =>
    (await indexedDB.databases()).map(({ name }) => name).sort();
  expect(await page.evaluate(databases)).toEqual([]);
  const local = await page.evaluate(() => Object.keys(localStorage));
  expect(local.filter((key) => key !== 'w3a_theme')).toEqual([]);
  expect(await (await homeOf(page)).evaluate(databases)).toEqual(['PasskeyClientDB', 'PasskeyNearKeys']);
});

test('a confirmation names the requesting app, follows the theme of the page, and has left the document by the time its dialog closes', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await page.emulateMedia({ colorScheme: 'light' });
  await register(wallet, username);
  const frame = await homeOf(page);
  // By the time its dialog closes, the element must have left the document, so that no later frame paints it.
  await frame.evaluate(() => {
    const leftBehind: boolean[] = [];
    Object.assign(globalThis, { leftBehind });
    new MutationObserver((changes) => {
      for (const added of changes.flatMap((change) => [...change.addedNodes])) {
        if (!(added instanceof HTMLElement) || added.localName !== 'latchkey-confirm') continue;
        const dialog = added.shadowRoot!.querySelector('dialog')!;
        const closed = (): void => void (dialog.open || leftBehind.push(added.isConnected));
        new MutationObserver(closed).observe(dialog, { attributeFilter: ['open'] });
      }
    }).observe(document.body, { childList: true });
  });
  await startGreeting(wallet, 'who asks?');
  const asked = confirmDialog(page).getByText('Asked by');
  await expect(asked.locator('..')).toContainText(stack.appUrl.replace(/\/$/, ''));
  const layer = drawnIn(page).locator('latchkey-confirm');
  for (const colorScheme of ['light', 'dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(layer).toHaveAttribute('data-latchkey-theme', colorScheme);
  }
  await cancel(wallet);
  await setGreeting(wallet, 'nobody is left behind');
  expect(await frame.evaluate(() => (globalThis as unknown as { leftBehind: boolean[] }).leftBehind)).toEqual(
    [false, false],
  );
});

test("the user's own wallet settings waive a click that the app cannot waive", async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await register(wallet, username);
  await chooseInMenu(page, 'Transaction Settings');
  const settings = drawnIn(page).getByRole('dialog', { name: 'Transaction Settings' });
  await expect(settings).toContainText(accountOf(username));
  await expect(settings.getByLabel('When a request comes')).toHaveValue('');
  await settings.getByLabel('When a request comes').selectOption('Auto proceed');
  await expect(settings.getByText('Saved')).toBeVisible();
  await closeSettings(page);

  const before = await stack.oracle.balance('testnet');
  const transfer = { recipient: 'testnet', near: '0.001' };
  await startBatch(wallet, [transfer, transfer]);
  await expect.poll(() => stack.oracle.balance('testnet')).toBe(before + 2n * 10n ** 21n);

  // A call of the registry needs one whatever the user chose.
  await startGreeting(wallet, 'by a click alone');
  await expect(confirmDialog(page).getByRole('button', { name: AGREE })).toBeEnabled();
  await cancel(wallet);
});

declare global {
  /** Sends the wallet page's answers that {@link holdAnswers} kept. */
  var sendAnswers: () => void;
}

/** Runs in every document: makes a wallet page say READY and hold its answers until sendAnswers() is called. */
function holdAnswers(): void {
  const { postMessage } = MessagePort.prototype;
  const held: (() => void)[] = [];
  MessagePort.prototype.postMessage = function (this: MessagePort, ...message: [{ type?: string }]) {
    const send = (): void => postMessage.apply(this, message as never);
    if (message[0]?.type === 'PM_RESULT') held.push(send);
    else send();
  };
  globalThis.sendAnswers = () => {
    MessagePort.prototype.postMessage = postMessage;
    for (const send of held) send();
  };
}

test('says how far the wallet is: waiting for READY, connecting, connected; a registration then loads no more code for its confirmation', async ({
  wallet,
  stack,
  username,
}) => {
  const { page } = wallet;
  await test.step('says how far the wallet is', async () => {
    const status = page.getByRole('status', { name: 'Wallet' });
    let serve: () => void = () => undefined;
    const served = new Promise<void>((resolve) => {
      serve = resolve;
    });
    await page.route(`${stack.walletOrigin}/**`, async (route) => {
      await served;
      await route.continue();
    });
    await page.addInitScript(holdAnswers);
    // Its load would also count as the frame's.
    await page.reload({ waitUntil: 'commit' });
    await expect(status).toHaveText('waiting for READY');
    serve();
    await expect(status).toHaveText('connecting…');
    await (await homeOf(page)).evaluate(() => globalThis.sendAnswers());
    await expect(status).toHaveText('connected · 0 accounts');
  });

  const frame = await homeOf(page);
  // Without the workers: the wallet starts a spare one when one is taken.
  const loadedSoFar = () =>
    frame.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => /[^/]+(?<!\.worker-[\w-]+)\.js$/.exec(name)?.[0] ?? []),
    );
  const moreIn = (ms: number) => async () => {
    const earlier = (await loadedSoFar()).length;
    await page.waitForTimeout(ms);
    return (await loadedSoFar()).length - earlier;
  };
  // Two of the parts that the wallet loads ahead, once its workers have started. The others have no file of their own.
  for (const part of ['registry-hosts', 'confirm-screen'])
    await expect.poll(loadedSoFar).toContainEqual(expect.stringMatching(`^${part}-`));
  await expect.poll(moreIn(500)).toBe(0);
  const before = await loadedSoFar();
  await startRegistration(wallet, username);
  await expect(confirmDialog(page)).toBeVisible();
  expect(await loadedSoFar()).toEqual(before);
  await cancel(wallet);
});

test('Escape in the frame cancels a recovery at its prompt, where the wallet draws nothing', async ({
  wallet,
}) => {
  const { page } = wallet;
  await wallet.passkey.setPresence(false);
  await startRecovery(wallet, '');
  await expect.poll(() => wallet.prompts).toHaveLength(1);
  await expect.poll(async () => (await homeOf(page)).evaluate(() => document.hasFocus())).toBe(true);
  await page.keyboard.press('Escape');
  await expect(loginProblem(page)).toContainText('Operation was cancelled.');
  await expect(page.getByRole('radio', { name: 'Register' })).toBeVisible();
  await page.getByRole('radio', { name: 'Register' }).check();
});
