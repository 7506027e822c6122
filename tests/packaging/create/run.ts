/**
 * A made project as others use it, on a chain of its own: builds it, starts its relay, its wallet origin and its app by its own
 * scripts, and drives it in Chromium from a registration to a payment. Usage: node --import tsx run.ts <project> <template>
 */
import { join } from 'node:path';
import { developmentKey } from '../../../dev/services/keys.js';
import { freePort } from '../../../dev/services/ports.js';
import type { Service } from '../../../dev/services/service.js';
import { REGISTRY, RELAYER, startChain } from '../../../dev/services/services.js';
import { walletOriginAt } from '../../../dev/wallet/wallet-origin.js';
import { launchChromium } from '../../support/browser.js';
import { localOracle } from '../../support/oracle.js';
import { good, run } from '../tools.mjs';
import { fillIn, LISTENS, registerAndPay, requirePaid, SERVES, startScript } from './project.js';
import { useSession } from './session.js';

/** The script that serves the build, and what it prints. */
const SERVERS: Readonly<Record<string, [script: string, ready: RegExp]>> = {
  'vite-react': ['preview', SERVES],
  plain: ['preview', SERVES],
  next: ['start', SERVES],
  hono: ['start', LISTENS],
};

const [project = '', template = ''] = process.argv.slice(2);
const stops: (() => Promise<void>)[] = [];
const kept = (service: Service): Service => {
  stops.push(service.stop);
  return service;
};

try {
  const chain = kept(await startChain({ port: 0, blockTimeMs: 100, maxBlockAge: 1200 }));
  const [appPort, walletPort, relayPort] = [await freePort(), await freePort(), await freePort()];
  const appOrigin = `http://localhost:${appPort}`;
  const walletOrigin = walletOriginAt(walletPort);
  const relayUrl = `http://localhost:${relayPort}`;
  const ofPage = {
    RELAY_URL: relayUrl,
    WALLET_ORIGIN: walletOrigin,
    NEAR_RPC_URL: chain.url,
    CONTRACT_ID: REGISTRY,
  };
  const prefix = template === 'next' ? 'NEXT_PUBLIC_' : 'VITE_';
  await fillIn(join(project, '.env.example'), join(project, '.env.production'), {
    APP_ORIGIN: appOrigin,
    ...Object.fromEntries(Object.entries(ofPage).map(([name, value]) => [prefix + name, value])),
  });
  await fillIn(join(project, 'server/.env.example'), join(project, 'server/.env'), {
    RELAYER_ACCOUNT_ID: RELAYER,
    RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
    EXPECTED_ORIGIN: appOrigin,
    ALLOWED_HOSTS: appOrigin,
    EXPECTED_WALLET_ORIGIN: walletOrigin,
    RELAY_URL: relayUrl,
    WEBAUTHN_CONTRACT_ID: REGISTRY,
    NEAR_RPC_URL: chain.url,
  });

  run('npm', ['run', 'build'], project, { ...process.env, NEXT_TELEMETRY_DISABLED: '1' });
  good(`  ${template}: npm run build, types and all`);
  const start = async (name: string, port: number, ready: RegExp) =>
    kept(await startScript({ project, name, appPort, env: { PORT: `${port}` }, ready }));
  await start('relay', relayPort, LISTENS);
  await start('wallet', walletPort, LISTENS);
  const [script = '', ready = SERVES] = SERVERS[template] ?? [];
  await start(script, appPort, ready);
  const browser = await launchChromium();
  stops.push(() => browser.close());
  const user = await registerAndPay(browser, template, `${appOrigin}/`, walletOrigin);
  await requirePaid(localOracle(chain.url), user);
  if (template === 'hono') await useSession(user, user.accountId);
} finally {
  for (const stop of stops.reverse()) await stop();
}
