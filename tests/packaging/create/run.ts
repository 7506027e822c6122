/**
 * A made project on a chain of its own: builds it, starts its relay, its wallet origin and its app by its own scripts, and
 * drives it in Chromium from a registration to a payment. Usage: node --import tsx run.ts <project> <template>
 */
import { join } from 'node:path';
import { developmentKey } from '../../../dev/services/keys.js';
import { freePort } from '../../../dev/services/ports.js';
import type { Service } from '../../../dev/services/service.js';
import { RELAYER, startChain } from '../../../dev/services/services.js';
import { walletOriginAt } from '../../../dev/wallet/wallet-origin.js';
import { launchChromium } from '../../support/browser.js';
import { localOracle } from '../../support/oracle.js';
import { run } from '../tools.mjs';
import { EXAMPLE, fillIn, registerAndPay, requirePaid, SERVES, startScript } from './project.js';

const [project = '', template = ''] = process.argv.slice(2);
const stops: (() => Promise<void>)[] = [];
const kept = (service: Service): Service => {
  stops.push(service.stop);
  return service;
};

try {
  const chain = kept(await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200 }));
  const [appPort, walletPort, relayPort] = [await freePort(), await freePort(), await freePort()];
  const walletOrigin = walletOriginAt(walletPort);
  const values = {
    [EXAMPLE.app]: `http://localhost:${appPort}`,
    [EXAMPLE.wallet]: walletOrigin,
    [EXAMPLE.relay]: `http://localhost:${relayPort}`,
    [EXAMPLE.chain]: chain.url,
    'RELAYER_PRIVATE_KEY=': `RELAYER_PRIVATE_KEY=${developmentKey(RELAYER)}`,
  };
  for (const folder of [project, join(project, 'server')]) await fillIn(folder, values);

  run('npm', ['run', 'build'], project, { ...process.env, NEXT_TELEMETRY_DISABLED: '1' });
  kept(await startScript(project, 'relay', relayPort, /listening on (http:\/\/\S+)/));
  kept(await startScript(project, 'wallet', walletPort, /listening on (http:\/\/\S+)/));
  const app = template === 'next' ? 'start' : 'preview';
  const { url } = kept(await startScript(project, app, appPort, SERVES));
  const browser = await launchChromium();
  stops.push(() => browser.close());
  const payment = await registerAndPay(browser, template, url, walletOrigin);
  await requirePaid(localOracle(chain.url), payment);
} finally {
  for (const stop of stops.reverse()) await stop();
}
