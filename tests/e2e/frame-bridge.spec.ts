// Neither frame nor window may request a passkey: the host does it, if the wallet is configured for that.
import type { WalletPageData } from 'latchkey/server/wallet';
import { walletSite } from 'latchkey/server/wallet';
import { walletFolder as filesOf, serveSite } from 'latchkey/server/wallet/node';
import { walletFolder } from 'latchkey-react/vite';
import { recordCeremonies } from '../../demo/stack/browser.js';
import { freePort } from '../../demo/stack/ports.js';
import { REGISTRY, startRelay } from '../../demo/stack/services.js';
import { agree } from '../../demo/stack/steps.js';
import { accountOf } from '../../demo/stack/wallet.js';
import { walletOriginAt } from '../../demo/stack/wallet-origin.js';
import { walletConfig } from '../../demo/wallet/config.js';
import { type Host, openHost, test as withHost } from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { expect } from './fixtures.js';
import { blockWindows, refuseInFrames } from './popup/browsers.js';
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
  'the host runs the ceremonies when the wallet is configured for it',
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
  'no host runs a ceremony for a wallet that does not allow it, whatever the host configures',
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
