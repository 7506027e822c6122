/** A relay without a network, on a scripted chain. */
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import { createRelay, type RelayServices } from '../http/app.js';
import { createOriginManifest } from '../http/origin-manifest.js';
import { readLockKey } from '../lock/lock.js';
import { readLockGroup } from '../lock/lock-group.js';
import { ServerLock } from '../lock/server-lock.js';
import { createLog, type LogLevel } from '../observe/log.js';
import { noMetrics, type RelayMetrics } from '../observe/metrics.js';
import { Registrar, type RegistrarOptions } from '../registration/registrar.js';
import { createMemorySpendMeter } from '../relayer/spend.js';
import { makeLockKeyText } from './lock-numbers.js';

/** The only origin that may call. */
export const APP = 'http://localhost:5173';
export const group = readLockGroup(RFC3526_GROUP_14_P);
export const keyText = makeLockKeyText(group.p);
export const lock = new ServerLock(group, readLockKey(group, keyText));

export interface ScriptedRelay {
  readonly services?: Partial<RelayServices>;
  readonly registrar?: Partial<RegistrarOptions>;
  readonly metrics?: RelayMetrics;
  readonly logLevel?: LogLevel;
  /** The chain's answer to a JSON-RPC call, by its parameters. */
  readonly chain?: (params: Record<string, string>) => unknown;
}

/** A relay, and the log lines it wrote. */
export function scriptedRelay({
  services,
  registrar,
  metrics = noMetrics,
  logLevel,
  chain = offline,
}: ScriptedRelay = {}) {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), logLevel);
  const rpc = createRpcClient({
    urls: 'http://127.0.0.1:9',
    fetch: async (_, init) => Response.json({ result: chain(JSON.parse(String(init?.body)).params) }),
  });
  const app = createRelay({
    allowedOrigins: [APP],
    registrar: new Registrar({
      rpc,
      relayer: {
        accountId: 'relayer.testnet',
        sign: () => Promise.reject(new Error('this chain takes no transaction')),
        learn: () => Promise.resolve(false),
      },
      spend: createMemorySpendMeter({ capYocto: null, log }),
      contractId: 'w3a-v1.testnet',
      initialBalanceYocto: 1n,
      gas: 1n,
      log,
      metrics,
      ...registrar,
    }),
    delegator: null,
    appKeyFunder: null,
    lock,
    manifest: createOriginManifest(rpc, 'w3a-v1.testnet', log),
    readiness: { check: () => Promise.resolve() },
    limits: null,
    metrics,
    operator: null,
    remoteAddress: () => undefined,
    log,
    ...services,
  });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { app, post, lines };
}

function offline(): never {
  throw new TypeError('fetch failed');
}
