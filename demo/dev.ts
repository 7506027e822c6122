// Starts chain, relay, wallet origin and app, and runs until Ctrl-C stops them.
// Usage: node --import tsx demo/dev.ts [--fresh] [--same-origin] [--host ORIGIN]... [--phone [--name NAME]]
// --host: the wallet and the relay also serve the pages of this origin, such as http://localhost:5180. May be repeated.
// --phone: serves all of it, built, by https at <machine>.local (or NAME), for a phone in the same network.
// Ports: APP_PORT (5173), WALLET_PORT (5174), RELAY_PORT (3000), CHAIN_PORT (3030), START_PORT (5175, --phone).
// LATCHKEY_DATA: where chain, lock key and the phone's certificate authority are kept.
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { machineName, phoneName } from '../dev/phone/machine-name.js';
import { openPhone } from '../dev/phone/open-phone.js';
import { httpsOrigin } from '../dev/phone/tls-front.js';
import { freePort, portFromEnvironment, requireFreePorts, type WantedPort } from '../dev/services/ports.js';
import { allowHost } from '../dev/services/registry.js';
import type { Service } from '../dev/services/service.js';
import { REGISTRY, RELAYER, ROOT, startChain, startRelay } from '../dev/services/services.js';
import { serveDeployedWallet, serveWallet, walletOriginAt } from '../dev/wallet/wallet-origin.js';
import { serveApp, serveBuiltApp } from './serve-app.js';

const KEPT = process.env.LATCHKEY_DATA ?? join(ROOT, '.latchkey');
const CHAIN_DATA = join(KEPT, 'chain');
const LOCK_KEY = join(KEPT, 'lock-key.json');
const PHONE = join(KEPT, 'phone');
const BLOCK_TIME_MS = 600;

const stops: (() => Promise<void>)[] = [];
let stopping: Promise<void> | undefined;

/** Stops everything once, in reverse order of start. */
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  })();
  return stopping;
}

/** Stops everything when this service exits by itself. */
function supervise(service: Service): Service {
  stops.push(service.stop);
  void service.ended.then(async (how) => {
    if (stopping) return;
    console.error(`\n${how}. Ending the rest.`);
    await stopAll();
    process.exit(1);
  });
  return service;
}

const printLine = (line: string, service: string) => console.log(`${service.padEnd(6)} │ ${line}`);

/** Where a service listens, and the origin by which pages know it. */
interface Place {
  readonly port: number;
  readonly listensAt: number;
  readonly origin: string;
}

/** A phone knows a service by https at its port; the service itself then listens at a free one of this machine. */
async function placeOf({ port }: WantedPort, name: string | null, origin: string): Promise<Place> {
  if (name === null) return { port, listensAt: port, origin };
  return { port, listensAt: await freePort(), origin: httpsOrigin(name, port) };
}

async function findPlaces(name: string | null, isSameOrigin: boolean) {
  const app = portFromEnvironment('app', 'APP_PORT', 5173);
  const relay = portFromEnvironment('relay', 'RELAY_PORT', 3000);
  const chain = portFromEnvironment('chain', 'CHAIN_PORT', 3030);
  const wallet = isSameOrigin ? null : portFromEnvironment('wallet', 'WALLET_PORT', 5174);
  const start = name === null ? null : portFromEnvironment('start page', 'START_PORT', 5175);
  await requireFreePorts([app, relay, chain, wallet, start].filter((wanted) => wanted !== null));
  return {
    app: await placeOf(app, name, `http://localhost:${app.port}`),
    relay: await placeOf(relay, name, `http://localhost:${relay.port}`),
    chain: await placeOf(chain, name, `http://127.0.0.1:${chain.port}`),
    wallet: wallet && (await placeOf(wallet, name, walletOriginAt(wallet.port))),
    phone: name !== null && start ? { name, startPort: start.port } : null,
  };
}

/** Throws for a text that is not the origin of a page, such as an address with a path. */
function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text)
    return text;
  throw new Error(`--host takes an origin such as http://localhost:5180, without a path. It got '${text}'.`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      fresh: { type: 'boolean', default: false },
      'same-origin': { type: 'boolean', default: false },
      host: { type: 'string', multiple: true, default: [] },
      phone: { type: 'boolean', default: false },
      name: { type: 'string' },
    },
  });
  const { fresh, name } = values;
  if (name !== undefined && !values.phone) throw new Error('--name goes with --phone.');
  const nameForPhone = () => (name === undefined ? machineName(hostname()) : phoneName(name));
  const hosts = values.host.map(readOrigin);
  return { fresh, hosts, isSameOrigin: values['same-origin'], name: values.phone ? nameForPhone() : null };
}

async function main(): Promise<void> {
  const { fresh, hosts, isSameOrigin, name } = readOptions();
  const { app, relay, chain, wallet, phone } = await findPlaces(name, isSameOrigin);

  if (fresh) {
    for (const kept of [CHAIN_DATA, LOCK_KEY]) await rm(kept, { recursive: true, force: true });
    console.log('Forgot the old chain and the old lock key.');
  }
  await mkdir(KEPT, { recursive: true });

  const node = supervise(
    await startChain({
      port: chain.listensAt,
      data: CHAIN_DATA,
      blockTimeMs: BLOCK_TIME_MS,
      onLine: printLine,
    }),
  );
  const walletOrigin = wallet ? { walletOrigin: wallet.origin } : {};
  const server = supervise(
    await startRelay({
      port: relay.listensAt,
      chainUrl: node.url,
      appOrigin: [app.origin, ...hosts].join(','),
      ...walletOrigin,
      lockKeyFile: LOCK_KEY,
      onLine: printLine,
    }),
  );
  // A built app lists two nodes, and a wallet refuses an app that lists others than its own.
  const twoNodes = [chain.origin, chain.origin] as const;
  const chainUrls = phone === null ? [chain.origin] : twoNodes;
  const addresses = { relayUrl: relay.origin, chainUrls, explorerUrl: chain.origin };
  if (wallet) {
    // Chain and list persist between runs, but the app's port may have changed.
    for (const host of [app.origin, ...hosts]) await allowHost(node.url, host);
    const settings = { ...addresses, contractId: REGISTRY, allowedHosts: [app.origin, ...hosts] };
    const site =
      phone === null
        ? serveWallet(wallet.listensAt, settings)
        : // Node does not trust the demo's authority, which stands before the node's public address.
          serveDeployedWallet(wallet.listensAt, settings, { onLine: printLine, registryRpcUrl: node.url });
    stops.push((await site).stop);
  }
  const settings = { ...addresses, ...walletOrigin };
  let notice = '';
  if (phone === null) {
    stops.push((await serveApp(app.listensAt, settings)).stop);
  } else {
    // The built app: the development server would hand this machine's files to the network.
    const site = join(PHONE, 'app');
    await rm(site, { recursive: true, force: true });
    const built = { ...settings, chainUrls: twoNodes };
    stops.push((await serveBuiltApp(app.listensAt, site, built)).stop);
    const fronts = [app, relay, chain, wallet].filter((place) => place !== null);
    const open = await openPhone({ ...phone, folder: PHONE, fronts, appOrigin: app.origin });
    stops.push(open.stop);
    notice = `\n${open.notice}\n`;
  }

  console.log(`${notice}
  Latchkey runs. Open the app and make an account with a passkey.

    app    ${app.origin}
    wallet ${wallet?.origin ?? 'in the app’s own page'}
    relay  ${relay.origin}   pays from ${RELAYER} (pid ${server.pid})
    chain  ${chain.origin}   registry ${REGISTRY} (pid ${node.pid})
${hosts.map((host) => `    host   ${host}   may embed the wallet and call the relay\n`).join('')}
  Kept in ${relative(ROOT, KEPT)}/ over runs; \`npm run demo -- --fresh\` forgets it. Ctrl-C ends all of it.
`);
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, async () => {
    if (!stopping) console.log('\nEnding app, wallet, relay and chain.');
    await stopAll();
    process.exit(0);
  });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stopAll();
  process.exit(1);
}
