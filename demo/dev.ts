// Starts chain, relay, wallet origin and app, and runs until Ctrl-C stops them.
// Usage: node --import tsx demo/dev.ts [--fresh] [--same-origin] [--host ORIGIN]...
// --host: the wallet and the relay also serve the pages of this origin, such as http://localhost:5180. May be repeated.
// Ports: APP_PORT (5173), WALLET_PORT (5174), RELAY_PORT (3000), CHAIN_PORT (3030). LATCHKEY_DATA: where chain and lock key are kept.
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { serveApp } from './stack/app.js';
import { localOracle } from './stack/oracle.js';
import { portFromEnvironment, requireFreePorts } from './stack/ports.js';
import type { Service } from './stack/service.js';
import { REGISTRY, RELAYER, ROOT, startChain, startRelay } from './stack/services.js';
import { serveWallet, walletOriginAt } from './stack/wallet-origin.js';

const KEPT = process.env.LATCHKEY_DATA ?? join(ROOT, '.latchkey');
const CHAIN_DATA = join(KEPT, 'chain');
const LOCK_KEY = join(KEPT, 'lock-key.json');
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

/** Throws for a text that is not the origin of a page, such as an address with a path. */
function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text)
    return text;
  throw new Error(`--host takes an origin such as http://localhost:5180, without a path. It got '${text}'.`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      fresh: { type: 'boolean', default: false },
      'same-origin': { type: 'boolean', default: false },
      host: { type: 'string', multiple: true, default: [] },
    },
  });
  const hosts = values.host.map(readOrigin);
  const app = portFromEnvironment('app', 'APP_PORT', 5173);
  const relay = portFromEnvironment('relay', 'RELAY_PORT', 3000);
  const chain = portFromEnvironment('chain', 'CHAIN_PORT', 3030);
  const wallet = values['same-origin'] ? null : portFromEnvironment('wallet', 'WALLET_PORT', 5174);
  await requireFreePorts([app, ...(wallet ? [wallet] : []), relay, chain]);

  if (values.fresh) {
    for (const kept of [CHAIN_DATA, LOCK_KEY]) await rm(kept, { recursive: true, force: true });
    console.log('Forgot the old chain and the old lock key.');
  }
  await mkdir(KEPT, { recursive: true });

  const node = supervise(
    await startChain({
      port: chain.port,
      data: CHAIN_DATA,
      blockTimeMs: BLOCK_TIME_MS,
      onLine: printLine,
    }),
  );
  const appUrl = `http://localhost:${app.port}`;
  const walletOrigin = wallet ? { walletOrigin: walletOriginAt(wallet.port) } : {};
  const server = supervise(
    await startRelay({
      port: relay.port,
      chainUrl: node.url,
      appOrigin: [appUrl, ...hosts].join(','),
      ...walletOrigin,
      lockKeyFile: LOCK_KEY,
      onLine: printLine,
    }),
  );
  const addresses = {
    relayUrl: `http://localhost:${relay.port}`,
    chainUrls: [node.url],
    explorerUrl: node.url,
  };
  if (wallet) {
    // Chain and list persist between runs, but the app's port may have changed.
    for (const host of [appUrl, ...hosts]) await localOracle(node.url).allowHost(host);
    const settings = { ...addresses, contractId: REGISTRY, allowedHosts: [appUrl, ...hosts] };
    stops.push((await serveWallet(wallet.port, settings)).stop);
  }
  const page = await serveApp(app.port, { ...addresses, ...walletOrigin });
  stops.push(page.stop);

  console.log(`
  Latchkey runs. Open the app and make an account with a passkey.

    app    ${page.url}
    wallet ${wallet ? walletOriginAt(wallet.port) : 'in the app’s own page'}
    relay  http://localhost:${relay.port}   pays from ${RELAYER} (pid ${server.pid})
    chain  ${node.url}   registry ${REGISTRY} (pid ${node.pid})
${hosts.map((host) => `    host   ${host}   may embed the wallet and call the relay\n`).join('')}
  Kept in ${relative(ROOT, KEPT)}/ over runs; \`just demo --fresh\` forgets it. Ctrl-C ends all of it.
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
