// Starts chain, relay and app, and stays until Ctrl-C ends all of it.
// Usage: node --import tsx demo/dev.ts [--fresh]
// Ports: APP_PORT (5173), RELAY_PORT (3000), CHAIN_PORT (3030). LATCHKEY_DATA: where chain and lock key are kept.
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { serveApp } from './stack/app.js';
import { portFromEnvironment, requireFreePorts } from './stack/ports.js';
import type { Service } from './stack/service.js';
import { REGISTRY, RELAYER, ROOT, startChain, startRelay } from './stack/services.js';

const KEPT = process.env.LATCHKEY_DATA ?? join(ROOT, '.latchkey');
const CHAIN_DATA = join(KEPT, 'chain');
const LOCK_KEY = join(KEPT, 'lock-key.json');
const BLOCK_TIME_MS = 600;

const stops: (() => Promise<void>)[] = [];
let stopping: Promise<void> | undefined;

/** Ends everything once, last started first. */
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  })();
  return stopping;
}

/** Ends everything when this service ends by itself. */
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

const printLine = (line: string, service: string) => console.log(`${service.padEnd(5)} │ ${line}`);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } });
  const app = portFromEnvironment('app', 'APP_PORT', 5173);
  const relay = portFromEnvironment('relay', 'RELAY_PORT', 3000);
  const chain = portFromEnvironment('chain', 'CHAIN_PORT', 3030);
  await requireFreePorts([app, relay, chain]);

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
  const server = supervise(
    await startRelay({
      port: relay.port,
      chainUrl: node.url,
      appOrigin: appUrl,
      lockKeyFile: LOCK_KEY,
      onLine: printLine,
    }),
  );
  const page = await serveApp(app.port, {
    relayUrl: `http://localhost:${relay.port}`,
    chainUrls: [node.url],
    explorerUrl: node.url,
  });
  stops.push(page.stop);

  console.log(`
  Latchkey runs. Open the app and make an account with a passkey.

    app    ${page.url}
    relay  http://localhost:${relay.port}   pays from ${RELAYER} (pid ${server.pid})
    chain  ${node.url}   registry ${REGISTRY} (pid ${node.pid})

  Kept in ${relative(ROOT, KEPT)}/ over runs; \`just demo --fresh\` forgets it. Ctrl-C ends all of it.
`);
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, async () => {
    if (!stopping) console.log('\nEnding app, relay and chain.');
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
