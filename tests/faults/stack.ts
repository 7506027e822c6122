/** The pages of one test file share a chain, a relay, and the bundled wallet. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, actions, KeyPair } from 'near-api-js';
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY, startChain, startRelay } from '../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.js';
import { localOracle, type Oracle } from '../support/oracle.js';
import { type Bundle, bundle } from '../support/page/bundle.js';
import { Places } from './places.js';

/** The origin of every page. It has no server: a page's files come from the bundle. */
export const ORIGIN = 'http://localhost:5173';
/** Blocks are fast, so a challenge may be this many blocks old: two minutes, as on a real chain. */
export const CHAIN = { blockTimeMs: 100, maxBlockAge: 1200 };
const FUNDERS = 8;

export interface FaultStack {
  readonly bundle: Bundle;
  readonly chainUrl: string;
  /** A proxy in front of the relay that records its requests and answers. */
  readonly relay: FaultProxy;
  readonly oracle: Oracle;
  /** Handles of the account `testnet`, each with a key of its own: one transaction at a time keeps its nonces in order. */
  readonly funders: Places<Account>;
  stop(): Promise<void>;
}

/**
 * `network`: the options of how the chain's nodes behave. `origins`: those of the pages, separated by commas. `registry`: the
 * contract in `build/`; `registry.wasm` when absent.
 */
export async function startFaultStack(
  network: readonly string[],
  { origins = ORIGIN, ...more }: { readonly origins?: string; readonly registry?: string } = {},
): Promise<FaultStack> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-faults-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const chain = await startChain({ port: 0, ...CHAIN, network, ...more });
    stops.push(() => chain.stop());
    const server = await startRelay({
      port: 0,
      chainUrl: chain.url,
      appOrigin: origins,
      lockKeyFile: join(folder, 'lock-key.json'),
      env: { DELEGATE_CALLS: `${REGISTRY}:set_greeting`, DELEGATE_SPEND_CAP_NEAR: '100' },
    });
    stops.push(() => server.stop());
    const relay = await startFaultProxy(server.url);
    stops.push(relay.close);
    const chainOracle = localOracle(chain.url);
    return {
      bundle: await bundle(),
      chainUrl: chain.url,
      relay,
      oracle: chainOracle,
      funders: await makeFunders(chainOracle),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds keys to `testnet`. */
async function makeFunders({ accountAs }: Oracle): Promise<Places<Account>> {
  const keys = Array.from({ length: FUNDERS }, (_, index) => developmentKey(`testnet, funder ${index}`));
  await accountAs('testnet').signAndSendTransaction({
    receiverId: 'testnet',
    actions: keys.map((key) => actions.addFullAccessKey(KeyPair.fromString(key).getPublicKey())),
    waitUntil: 'FINAL',
  });
  return new Places(keys.map((key) => accountAs('testnet', key)));
}
