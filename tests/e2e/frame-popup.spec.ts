// The wallet's own window, in browsers that need it: it creates and requests passkeys, confirms, and shows the key.
// Specification: frame 4, frame 10
import type { BrowserContext, Page } from '@playwright/test';
import type { Ceremony } from '../../dev/authenticators/software-passkeys.js';
import { installPasskeys } from '../../dev/playwright/passkeys.js';
import { secretKeyText } from '../../dev/services/keys.js';
import {
  blockWindows,
  hideVisibility,
  manageWindowsOnly,
  refuseInFrames,
} from '../support/other-browsers.js';
import { derivedSecrets, secretsIn } from '../support/secrets.js';
import {
  AGREE,
  agree,
  askForNewPasskey,
  confirmDialog,
  continueToKey,
  loggedInAs,
  register,
  revealKey,
  seeAll,
  startGreeting,
  TRANSACTION,
  toDemos,
} from '../support/steps.js';
import { accountOf, drawnIn } from '../support/wallet.js';
import { connect, endOf, register as registerBy, start, test as withHost } from './attack-host/fixture.js';
import { expect, test } from './fixtures.js';
import { tabTo } from './keyboard.js';
import { confirmation, confirmIn, mash, openWindow, pressAndClose, screen } from './popup/window.js';

const viewerIn = (popup: Page) => popup.locator('latchkey-key-viewer').frameLocator('iframe');

const goOn = (popup: Page) =>
  pressAndClose(popup.getByRole('button', { name: 'Continue with passkey' }), popup);

/** Every window message that a document receives, as text. */
async function recordWindowMessages(context: BrowserContext): Promise<string[]> {
  const passed: string[] = [];
  await context.exposeBinding('__recordMessage', (_source, text: string) => void passed.push(text));
  await context.addInitScript(() => {
    const asText = (_key: string, part: unknown) =>
      part instanceof Uint8Array ? `${part.join()} ${new TextDecoder('latin1').decode(part)}` : part;
    const { __recordMessage: record } = globalThis as unknown as { __recordMessage(text: string): void };
    addEventListener('message', ({ data }) => record(JSON.stringify(data, asText)), true);
  });
  return passed;
}

test.describe.configure({ timeout: 120_000 });

const safari = test.extend<{ ceremonies: readonly Ceremony[] }>({
  // Before the app opens.
  ceremonies: [
    async ({ context }, use) => {
      const { ceremonies } = await installPasskeys(context);
      await refuseInFrames(context);
      await hideVisibility(context);
      await use(ceremonies);
    },
    { auto: true },
  ],
});

safari(
  'as Safari: a window creates and requests passkeys, each after a click in it, and shows the key, which no other window receives [S42]',
  async ({ context, wallet, stack, username, ceremonies }) => {
    const passed = await recordWindowMessages(context);
    const { page } = wallet;
    await page.reload();
    const seen = { origin: stack.walletOrigin, isFramed: false };

    await askForNewPasskey(wallet, username);
    const first = await openWindow(page);
    await first.getByRole('heading', { name: 'Create your passkey' }).waitFor();
    await expect(screen(drawnIn(page))).toContainText('The window is open');
    expect(ceremonies).toEqual([]);
    await goOn(first);
    await loggedInAs(page, username).waitFor();
    await expect.poll(() => first.isClosed()).toBe(true);
    expect(ceremonies).toEqual([{ kind: 'create', ...seen }]);
    expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);
    const secrets = derivedSecrets(accountOf(username), wallet.prfOutputs[0]!);
    expect(secretsIn(passed.splice(0).join('\n'), secrets), 'what makes a passkey passes').toContain(
      'PRF.first',
    );

    await startGreeting(wallet, `from a window, ${username}`);
    await confirmIn(await openWindow(page));
    await goOn(await openWindow(page));
    await expect.poll(() => stack.oracle.greeting()).toContain(`from a window, ${username}`);
    expect(ceremonies.slice(1)).toEqual([{ kind: 'get', ...seen }]);
    // What requests a passkey passes as well.
    passed.length = 0;

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.clock.install();
    await toDemos(page);
    await page.getByRole('button', { name: 'Export keys' }).click();
    const popup = await openWindow(page);
    const viewer = viewerIn(popup);
    await expect(viewer.getByRole('dialog')).toContainText(accountOf(username));
    expect(await popup.evaluate(() => indexedDB.databases()), 'the window has no storage').toEqual([]);
    await continueToKey(viewer);
    expect(ceremonies.slice(2)).toEqual([{ kind: 'get', ...seen }]);
    const privateKey = secretKeyText(secrets['NEAR seed']!);
    expect(await revealKey(viewer)).toBe(privateKey);
    await viewer.getByRole('button', { name: 'Copy' }).click();
    await expect(viewer.getByRole('status')).toHaveText(/^Copied/);
    await pressAndClose(viewer.getByRole('button', { name: 'Done' }), popup);
    await expect(screen(drawnIn(page))).toHaveCount(0);
    expect(await clipboard()).toBe(privateKey);
    // Only the frame and the page around it remain to clear it.
    await page.clock.runFor(31_000);
    await expect.poll(clipboard).toBe('');
    expect(passed.join('\n')).toContain('WALLET_POPUP_PROGRESS');
    expect(secretsIn(passed.join('\n'), secrets)).toEqual([]);
  },
);

test('a passkey manager that serves no frame (Bitwarden, KeePassXC) is asked in windows, each of which one click opens', async ({
  context,
  wallet,
  stack,
  username,
}) => {
  const { ceremonies } = await installPasskeys(context);
  const seen = { origin: stack.walletOrigin, isFramed: false };
  for (const manager of ['Bitwarden', 'KeePassXC'] as const) {
    const name = `${username}-${manager.toLowerCase()}`;
    const before = ceremonies.length;
    await manageWindowsOnly(context, manager);
    await wallet.page.reload();
    await askForNewPasskey(wallet, name);
    await goOn(await openWindow(wallet.page));
    // What an extension makes is proven right away.
    await goOn(await openWindow(wallet.page));
    await loggedInAs(wallet.page, name).waitFor();
    await startGreeting(wallet, `by ${name}`);
    await agree(confirmDialog(wallet.page), AGREE);
    await goOn(await openWindow(wallet.page));
    await expect.poll(() => stack.oracle.greeting()).toContain(`by ${name}`);
    expect(ceremonies.slice(before)).toEqual([
      { kind: 'create', ...seen },
      { kind: 'get', ...seen },
      { kind: 'get', ...seen },
    ]);
  }
});

test.describe('in a browser that does not track the visibility of frames', () => {
  const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
  const fullAccess = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } };

  withHost(
    'a host that covers the frame gets no payment confirmed there: every request that signs has a window [S62], which takes no click or Enter that was meant for something else, and the keyboard’s [S28]',
    async ({ context, open, places, stack, username }) => {
      await hideVisibility(context);
      const host = await open(places.shop);
      await connect(host);
      const nearAccountId = await registerBy(host, username);
      const asked = { nearAccountId, receiverId: nearAccountId, actionArgs: fullAccess };

      const refused = await start(host, 'PM_EXECUTE_ACTION', asked);
      const first = await openWindow(host.page, host.wallet);
      await pressAndClose(first.getByRole('dialog').getByRole('button', { name: 'Cancel' }), first);
      expect(await endOf(host, refused)).toMatchObject({ payload: { result: { errorCode: 'CANCELLED' } } });
      expect(host.prompts).toHaveLength(1);

      const agreed = await start(host, 'PM_EXECUTE_ACTION', asked);
      const second = await openWindow(host.page, host.wallet);
      const dialog = second.getByRole('dialog', { name: TRANSACTION });
      await expect(dialog).toContainText(KEY);
      await confirmIn(second);
      expect(await endOf(host, agreed)).toMatchObject({ payload: { result: { success: true } } });
      await expect.poll(() => second.isClosed()).toBe(true);
      expect(await stack.oracle.fullAccessKeys(nearAccountId)).toContain(KEY);
      expect(host.prompts.slice(1)).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);

      const transfer = { ...asked, actionArgs: { type: 'Transfer', amount: '1' } };
      const sent = await start(host, 'PM_EXECUTE_ACTION', transfer);
      const third = await openWindow(host.page, host.wallet);
      await expect(confirmation(host)).toHaveCount(0);
      await withHost.step('meant for something else, as in a game whose user looks elsewhere', async () => {
        const sending = third.getByRole('dialog', { name: TRANSACTION });
        const button = sending.getByRole('button', { name: AGREE });
        await expect(sending.getByRole('button', { name: 'Cancel' })).toBeFocused();
        await seeAll(sending);
        await mash(third, button, { withEnter: true });
        expect(third.isClosed()).toBe(false);
        await expect(sending).toHaveAttribute('aria-busy', 'false');
        await expect(sending.getByRole('status')).toContainText('came too soon');

        const closing = third.waitForEvent('close');
        await tabTo(third, button);
        await expect(button).toHaveAttribute('aria-disabled', 'false');
        await expect(sending.getByRole('status')).not.toContainText('came too soon');
        await third.keyboard.press('Enter').catch(() => undefined);
        await closing;
      });
      expect(await endOf(host, sent)).toMatchObject({ payload: { result: { success: true } } });
    },
  );

  test('a blocked window is reported, and closing a window before it shows the key cancels', async ({
    context,
    wallet,
    username,
  }) => {
    const { page } = wallet;
    await hideVisibility(context);
    await blockWindows(context, 1);
    await page.reload();
    await register(wallet, username);
    await toDemos(page);
    await page.getByRole('button', { name: 'Export keys' }).click();
    await screen(drawnIn(page)).getByRole('button', { name: 'Open the window' }).click();
    await expect(screen(drawnIn(page)).getByRole('alert')).toContainText('The browser blocked the window');
    const popup = await openWindow(page);
    await viewerIn(popup).getByRole('dialog').waitFor();
    await popup.close();
    await expect(screen(drawnIn(page))).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Export keys' })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Export Keys' }).getByRole('alert')).toHaveCount(0);
    expect(wallet.prompts).toHaveLength(1);
  });
});
