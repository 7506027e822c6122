// Neither frame nor window may request a passkey: the host does it, if the wallet is configured for that.
// Specification: frame 4, frame 10
import type { WalletPageData } from 'latchkey-server/wallet';
import { recordCeremonies } from '../support/browser.js';
import { blockWindows, refuseInFrames } from '../support/other-browsers.js';
import { agree } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { type Host, openHost, test as withHost } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { serveOwnWallet } from './attack-host/own-wallet.js';
import { expect } from './fixtures.js';
import { confirmation, screen } from './popup/window.js';

declare const attack: AttackPage;

/** A host on a domain below the wallet's rpId: the browser lets it use the wallet's passkeys. */
const HOST = 'app.wallet.localhost';
const BRIDGE = { enableSafariGetWebauthnRegistrationFallback: true };

const bridging = withHost.extend<{ openAt(own: Partial<WalletPageData>): Promise<Host> }>({
  /** Opens that host with a wallet whose operator lists it and also configures this. */
  openAt: async ({ context, stack, places }, use, info) => {
    await refuseInFrames(context);
    await blockWindows(context);
    const origin = places.at(HOST);
    const ceremonies = await recordCeremonies(context);
    const stops: (() => Promise<void>)[] = [];
    await use(async (own) => {
      const { wallet, served, close } = await serveOwnWallet(
        stack,
        origin,
        info.outputPath('lock-key.json'),
        own,
      );
      stops.push(close);
      return openHost(context, served, origin, wallet, ceremonies, BRIDGE);
    });
    for (const stop of stops) await stop();
  },
});

const bridged = ({ page }: Host) =>
  page.evaluate(() =>
    attack.heard.map(({ data }) => data.type).filter((type) => /WEBAUTHN/.test(type ?? '')),
  );

bridging(
  'the host runs the ceremonies of a wallet that is configured for it, and of no other, whatever the host configures [S72]',
  async ({ openAt, stack, username }) => {
    const nearAccountId = accountOf(username);
    const register = ({ page }: Host) =>
      page.evaluate((id) => attack.manager.registerPasskey(id), nearAccountId);

    await bridging.step('not configured', async () => {
      const host = await openAt({});
      const registering = register(host);
      await agree(confirmation(host), 'Create passkey');
      await screen(host.wallet).getByRole('button', { name: 'Open the window' }).click();
      await expect(screen(host.wallet).getByRole('alert')).toContainText('The browser blocked the window');
      await screen(host.wallet).getByRole('button', { name: 'Cancel' }).click();
      await host.wallet.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      expect(await registering).toMatchObject({ success: false, errorCode: 'REGISTRATION_CANCELLED' });
      expect(await bridged(host)).toEqual([]);
      expect(await stack.oracle.accountExists(nearAccountId)).toBe(false);
      await host.page.close();
    });

    await bridging.step('configured', async () => {
      const host = await openAt(BRIDGE);
      const registering = register(host);
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
    });
  },
);
