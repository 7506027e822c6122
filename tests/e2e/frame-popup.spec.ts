// The wallet's own window, in the browsers that need it: it makes and asks for passkeys, confirms, and shows the key.
import type { BrowserContext, FrameLocator, Page } from '@playwright/test';
import type { WalletPageData } from 'latchkey/server/wallet';
import { walletSite } from 'latchkey/server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey/server/wallet/node';
import { walletFolder } from 'latchkey-react/vite';
import { recordCeremonies } from '../../demo/stack/browser.js';
import { secretKeyText } from '../../demo/stack/keys.js';
import { freePort } from '../../demo/stack/ports.js';
import { derivedSecrets, secretsIn } from '../../demo/stack/secrets.js';
import { REGISTRY, startRelay } from '../../demo/stack/services.js';
import {
  agree,
  askForNewPasskey,
  confirmDialog,
  continueToKey,
  register,
  revealKey,
  startGreeting,
} from '../../demo/stack/steps.js';
import { accountOf, drawnIn, type Wallet } from '../../demo/stack/wallet.js';
import { walletOriginAt } from '../../demo/stack/wallet-origin.js';
import { walletConfig } from '../../demo/wallet/config.js';
import {
  connect,
  endOf,
  type Host,
  openHost,
  register as registerBy,
  start,
  test as withHost,
} from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { expect, test } from './fixtures.js';
import { blockWindows, hideVisibility, refuseInFrames } from './popup/browsers.js';
import { useSoftwarePasskeys } from './popup/software-passkeys.js';

declare const attack: AttackPage;

/** What the wallet asks in its frame, beside the screen that asks for a window. */
const confirmation = ({ wallet }: Host) =>
  wallet.getByRole('dialog', { name: /^(Create your passkey|Confirm transaction|Sign a message)$/ });
const screen = (wallet: Page | FrameLocator) =>
  wallet.getByRole('dialog', { name: 'The wallet needs its own window' });

/** Opens the window that the frame asks for. */
async function openWindow(page: Page, wallet: Page | FrameLocator = drawnIn(page)): Promise<Page> {
  const coming = page.context().waitForEvent('page');
  await screen(wallet)
    .getByRole('button', { name: /^(Open the window|Try again)$/ })
    .click();
  return coming;
}

const viewerIn = (popup: Page) => popup.locator('latchkey-key-viewer').frameLocator('iframe');

const goOn = (popup: Page) => popup.getByRole('button', { name: 'Continue with passkey' }).click();

const loggedIn = (page: Page, username: string) =>
  page.getByRole('heading', { level: 1, name: username, exact: true });

/** Every window message that comes to a document, as text. */
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

test.use({ framed: true });
test.describe.configure({ timeout: 120_000 });

test.describe('as Safari', () => {
  const safari = test.extend<{ ceremonies: Awaited<ReturnType<typeof useSoftwarePasskeys>> }>({
    ceremonies: [
      async ({ context }, use) => {
        const ceremonies = await useSoftwarePasskeys(context);
        await refuseInFrames(context);
        await hideVisibility(context);
        await use(ceremonies);
      },
      { auto: true },
    ],
  });

  async function registerInWindow(wallet: Wallet, username: string): Promise<void> {
    await askForNewPasskey(wallet, username);
    await goOn(await openWindow(wallet.page));
    await loggedIn(wallet.page, username).waitFor();
  }

  safari(
    'a passkey is made and asked for in a window, each by a click in it',
    async ({ wallet, stack, username, ceremonies }) => {
      const { page } = wallet;
      const origin = stack.walletOrigin;
      await askForNewPasskey(wallet, username);
      const popup = await openWindow(page);
      await popup.getByRole('heading', { name: 'Create your passkey' }).waitFor();
      await expect(screen(drawnIn(page))).toContainText('The window is open');
      expect(ceremonies).toEqual([]);
      await goOn(popup);
      await loggedIn(page, username).waitFor();
      expect(popup.isClosed()).toBe(true);
      expect(ceremonies).toEqual([{ kind: 'create', origin, isFramed: false }]);
      expect(await stack.oracle.accountExists(accountOf(username))).toBe(true);

      await startGreeting(wallet, `from a window, ${username}`);
      await agree(confirmDialog(page), 'Confirm');
      await goOn(await openWindow(page));
      await expect.poll(() => stack.oracle.greeting()).toContain(`from a window, ${username}`);
      expect(ceremonies.slice(1)).toEqual([{ kind: 'get', origin, isFramed: false }]);
    },
  );

  safari(
    'the key is shown in a window that has nothing stored, and passes no other one',
    async ({ context, wallet, username, ceremonies }) => {
      const { page } = wallet;
      const passed = await recordWindowMessages(context);
      await page.reload();
      await registerInWindow(wallet, username);
      const secrets = derivedSecrets(accountOf(username), wallet.prfOutputs[0]!);
      expect(secretsIn(passed.splice(0).join('\n'), secrets), 'what makes a passkey passes').toContain(
        'PRF.first',
      );

      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await page.clock.install();
      await page.getByRole('button', { name: 'Export keys' }).click();
      const popup = await openWindow(page);
      const viewer = viewerIn(popup);
      await expect(viewer.getByRole('dialog')).toContainText(accountOf(username));
      expect(await popup.evaluate(() => indexedDB.databases())).toEqual([]);
      await continueToKey(viewer);
      expect(ceremonies.at(-1)).toMatchObject({ kind: 'get', isFramed: false });
      const privateKey = secretKeyText(secrets['NEAR seed']!);
      expect(await revealKey(viewer)).toBe(privateKey);
      await viewer.getByRole('button', { name: 'Copy' }).click();
      await expect(viewer.getByRole('status')).toHaveText(/^Copied/);
      await viewer.getByRole('button', { name: 'Done' }).click();
      await expect(screen(drawnIn(page))).toHaveCount(0);
      expect(popup.isClosed()).toBe(true);
      expect(await clipboard()).toBe(privateKey);
      // Nobody but the frame, and the page around it, is left to clear it.
      await page.clock.runFor(31_000);
      await expect.poll(clipboard).toBe('');
      expect(passed.join('\n')).toContain('WALLET_POPUP_PROGRESS');
      expect(secretsIn(passed.join('\n'), secrets)).toEqual([]);
    },
  );
});

test.describe('where a frame is not told what is painted of it', () => {
  const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
  const fullAccess = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } };

  withHost(
    'what gives the account away is confirmed in a window, and the rest in the frame',
    async ({ context, open, places, stack, username }) => {
      await hideVisibility(context);
      const host = await open(places.shop);
      await connect(host);
      const nearAccountId = await registerBy(host, username);
      const asked = { nearAccountId, receiverId: nearAccountId, actionArgs: fullAccess };

      const refused = await start(host, 'PM_EXECUTE_ACTION', asked);
      const first = await openWindow(host.page, host.wallet);
      await first.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(await endOf(host, refused)).toMatchObject({ payload: { result: { errorCode: 'CANCELLED' } } });
      expect(host.prompts).toHaveLength(1);

      const agreed = await start(host, 'PM_EXECUTE_ACTION', asked);
      const second = await openWindow(host.page, host.wallet);
      const dialog = second.getByRole('dialog', { name: 'Confirm transaction' });
      await expect(dialog).toContainText(KEY);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      expect(await endOf(host, agreed)).toMatchObject({ payload: { result: { success: true } } });
      expect(second.isClosed()).toBe(true);
      expect(await stack.oracle.fullAccessKeys(nearAccountId)).toContain(KEY);
      expect(host.prompts.slice(1)).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);

      const transfer = { ...asked, actionArgs: { type: 'Transfer', amount: '1' } };
      const sent = await start(host, 'PM_EXECUTE_ACTION', transfer);
      await agree(confirmation(host), 'Confirm');
      expect(await endOf(host, sent)).toMatchObject({ payload: { result: { success: true } } });
    },
  );

  test('a blocked window is said so; one that is closed before it shows the key is a cancel', async ({
    context,
    wallet,
    username,
  }) => {
    const { page } = wallet;
    await hideVisibility(context);
    await blockWindows(context, 1);
    await page.reload();
    await register(wallet, username);
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

test.describe('where windows are blocked too', () => {
  /** A host on a domain below the wallet's rpId: the browser lets it use the wallet's passkeys. */
  const HOST = 'app.wallet.localhost';
  const BRIDGE = { enableSafariGetWebauthnRegistrationFallback: true };

  const bridging = withHost.extend<{ openAt(own: Partial<WalletPageData>): Promise<Host> }>({
    /** Opens that host, of a wallet whose operator lists it and has this in the configuration besides. */
    openAt: async ({ context, stack, places }, use, info) => {
      await refuseInFrames(context);
      await blockWindows(context);
      const origin = places.at(HOST);
      const walletPort = await freePort();
      const wallet = walletOriginAt(walletPort);
      const relay = await startRelay({
        port: 0,
        chainUrl: stack.chainUrl,
        appOrigin: origin,
        walletOrigin: wallet,
        lockKeyFile: info.outputPath('lock-key.json'),
      });
      const settings = {
        relayUrl: relay.url,
        chainUrls: [stack.chain.url, stack.spareChain.url],
        explorerUrl: stack.chainUrl,
        contractId: REGISTRY,
        allowedHosts: [origin],
      };
      const stops = [relay.stop];
      await use(async (own) => {
        const config = { ...walletConfig(settings), ...own };
        stops.push((await serveSite(walletSite({ config, files: filesOf(walletFolder) }), walletPort)).close);
        const served = { ...stack, relay: { ...stack.relay, url: relay.url } };
        return openHost(context, served, origin, wallet, await recordCeremonies(context), BRIDGE);
      });
      for (const stop of stops) await stop();
    },
  });

  const bridged = ({ page }: Host) =>
    page.evaluate(() =>
      attack.heard.map(({ data }) => data.type).filter((type) => /WEBAUTHN/.test(type ?? '')),
    );

  bridging(
    'the host runs the ceremonies, if the wallet is configured so',
    async ({ openAt, stack, username }) => {
      const host = await openAt(BRIDGE);
      const nearAccountId = accountOf(username);

      const registering = host.page.evaluate((id) => attack.manager.registerPasskey(id), nearAccountId);
      await agree(confirmation(host), 'Create passkey');
      await screen(host.wallet).getByRole('button', { name: 'Open the window' }).click();
      expect(await registering).toMatchObject({ success: true });
      expect(await bridged(host)).toEqual(['WALLET_WEBAUTHN_CREATE']);
      expect(await stack.oracle.accountExists(nearAccountId)).toBe(true);

      const signing = host.page.evaluate(
        (id) =>
          attack.manager.signNEP413Message({
            nearAccountId: id,
            params: { message: 'by the host', recipient: 'guestbook.testnet' },
          }),
        nearAccountId,
      );
      await agree(confirmation(host), 'Sign message');
      await screen(host.wallet).getByRole('button', { name: 'Open the window' }).click();
      expect(await signing).toMatchObject({ success: true });
      expect(await bridged(host)).toEqual(['WALLET_WEBAUTHN_CREATE', 'WALLET_WEBAUTHN_GET']);
      expect(host.failures).toEqual([]);
    },
  );

  bridging(
    'no host runs a ceremony for a wallet that is not configured so, whatever it is itself',
    async ({ openAt, stack, username }) => {
      const host = await openAt({});
      const registering = host.page.evaluate((id) => attack.manager.registerPasskey(id), accountOf(username));
      await agree(confirmation(host), 'Create passkey');
      await screen(host.wallet).getByRole('button', { name: 'Open the window' }).click();
      await expect(screen(host.wallet).getByRole('alert')).toContainText('The browser blocked the window');
      await screen(host.wallet).getByRole('button', { name: 'Cancel' }).click();
      await host.wallet.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(await registering).toMatchObject({ success: false, errorCode: 'REGISTRATION_CANCELLED' });
      expect(await bridged(host)).toEqual([]);
      expect(await stack.oracle.accountExists(accountOf(username))).toBe(false);
    },
  );
});
