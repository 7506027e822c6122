// Starts a stack of latchkey-dev and the demo app, and runs until Ctrl-C stops them.
// Usage: node --import tsx demo/dev.ts [--fresh] [--same-origin] [--host ORIGIN]... [--phone [--name NAME]]
// --host: the wallet and the relay also serve the pages of this origin, such as http://localhost:5180. May be repeated.
// --phone: serves all of it, built, by https at <machine>.local (or NAME), for a phone in the same network.
// Ports: APP_PORT (5173), WALLET_PORT (5174), RELAY_PORT (3000), CHAIN_PORT (3030), START_PORT (5175, --phone).
// LATCHKEY_DATA: where chain, lock key, logs and the phone's certificate authority are kept.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serviceLine } from '../dev/command/logs.js';
import { phoneNameOf, readOrigin } from '../dev/command/options.js';
import { stackTable } from '../dev/command/table.js';
import { ROOT } from '../dev/services/services.js';
import { type Stack, type StackOptions, startStack } from '../dev/stack/stack.js';
import { type App, serveApp, serveBuiltApp } from './serve-app.js';

function readOptions(): StackOptions {
  const { values } = parseArgs({
    options: {
      fresh: { type: 'boolean', default: false },
      'same-origin': { type: 'boolean', default: false },
      host: { type: 'string', multiple: true, default: [] },
      phone: { type: 'boolean', default: false },
      name: { type: 'string' },
    },
  });
  if (values.name !== undefined && !values.phone) throw new Error('--name goes with --phone.');
  return {
    data: process.env.LATCHKEY_DATA ?? join(ROOT, '.latchkey'),
    fresh: values.fresh,
    hosts: values.host.map(readOrigin),
    sameOrigin: values['same-origin'],
    app: {},
    ...(values.phone && { phone: phoneNameOf(values.name) }),
    onLine: (line, service) => console.log(serviceLine(line, service)),
  };
}

/** The app from its sources; for a phone a build: the development server would hand this machine's files to the network. */
async function serve({ addresses, appListensAt, data, openToPhone }: Stack): Promise<App> {
  const { relayUrl, rpcUrls, explorerUrl, walletOrigin } = addresses;
  const [node = '', spare = node] = rpcUrls;
  const settings = {
    relayUrl,
    explorerUrl: explorerUrl ?? '',
    ...(walletOrigin !== null && { walletOrigin }),
  };
  const port = appListensAt ?? 0;
  if (!openToPhone) return serveApp(port, { ...settings, chainUrls: rpcUrls });
  const site = join(data, 'phone/app');
  await rm(site, { recursive: true, force: true });
  return serveBuiltApp(port, site, { ...settings, chainUrls: [node, spare] });
}

let stack: Stack | undefined;
let app: App | undefined;
let ending: Promise<never> | undefined;

/** Stops everything once, then exits. */
function end(code: number): Promise<never> {
  ending ??= (async () => {
    await app?.stop();
    await stack?.stop();
    process.exit(code);
  })();
  return ending;
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (!ending) console.log('\nEnding app, wallet, relay and chain.');
    void end(0);
  });
}

try {
  stack = await startStack(readOptions());
  void stack.failed.then((how) => {
    console.error(`\n${how}. Ending the rest.`);
    void end(1);
  });
  app = await serve(stack);
  const notice = stack.openToPhone && (await stack.openToPhone());
  console.log(`${notice ? `\n${notice}\n` : ''}
  Latchkey runs. Open the app and make an account with a passkey.

${stackTable(stack, '`npm run demo -- --fresh`')}

  Ctrl-C ends all of it.
`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}
