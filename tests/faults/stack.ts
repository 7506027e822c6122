/** The pages of one test file share a chain, a relay, and the bundled wallet. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueSignupVoucher, makeVoucherKeyPair } from 'latchkey-server';
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
  /** A voucher for the registration of this account, or with `prepaid` for one of its app keys. Only of a stack with vouchers. */
  voucher(accountId: string, prepaid?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface FaultStackOptions {
  /** The origins of the pages, separated by commas. */
  readonly origins?: string;
  /** The contract in `build/`; `registry.wasm` when absent. */
  readonly registry?: string;
  /** Whether the relay registers with vouchers only, and pays into app keys: for one account as much as this, in NEAR. */
  readonly appKeyCap?: string;
}

/** `network`: the options of how the chain's nodes behave. */
export async function startFaultStack(
  network: readonly string[],
  { origins = ORIGIN, appKeyCap, ...more }: FaultStackOptions = {},
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
    const app = await makeVoucherKeyPair();
    const server = await startRelay({
      port: 0,
      chainUrl: chain.url,
      appOrigin: origins,
      lockKeyFile: join(folder, 'lock-key.json'),
      env: {
        DELEGATE_CALLS: `${REGISTRY}:set_greeting`,
        DELEGATE_SPEND_CAP_NEAR: '100',
        ...(appKeyCap !== undefined && {
          SIGNUP_VOUCHER_KEY: app.publicKey,
          RELAY_STATE_FILE: join(folder, 'relay.json'),
          APP_KEY_ACCOUNT_CAP_NEAR: appKeyCap,
          APP_KEY_SPEND_CAP_NEAR: '100',
        }),
      },
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
      voucher: (accountId, prepaid) =>
        issueSignupVoucher({
          privateKey: app.privateKey,
          accountId,
          ...(prepaid !== undefined && { prepaid }),
        }),
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
