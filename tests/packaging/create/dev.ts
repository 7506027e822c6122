/**
 * A made project as its README starts it: its script `dev`, which starts a stack of latchkey-dev and the app, and a user in
 * Chromium from a registration to a payment, and with `hono` through a session. Usage: node --import tsx dev.ts <project> <template>
 */
import { freePort } from '../../../dev/services/ports.js';
import { walletOriginAt } from '../../../dev/wallet/wallet-origin.js';
import { launchChromium } from '../../support/browser.js';
import { localOracle } from '../../support/oracle.js';
import { good } from '../tools.mjs';
import { registerAndPay, requirePaid, SERVES, startScript } from './project.js';
import { useSession } from './session.js';

const [project = '', template = ''] = process.argv.slice(2);
const stops: (() => Promise<void>)[] = [];

try {
  const [appPort, relay, wallet, chain] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const env = { RELAY_PORT: `${relay}`, WALLET_PORT: `${wallet}`, CHAIN_PORT: `${chain}` };
  const app = await startScript({ project, name: 'dev', appPort, env, ready: SERVES });
  stops.push(app.stop);
  good(`  ${template}: npm run dev has started`);

  const browser = await launchChromium();
  stops.push(() => browser.close());
  const user = await registerAndPay(browser, template, app.url, walletOriginAt(wallet));
  await requirePaid(localOracle(`http://127.0.0.1:${chain}`), user);
  if (template === 'hono') await useSession(user, user.accountId);
} finally {
  for (const stop of stops.reverse()) await stop();
}
