/** The relay on Node: reads the environment, serves, and stops without dropping a paid registration. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { INVALID_CONFIG, LatchkeyError, messageOf, within } from 'latchkey/internal/server';
import type { ClientAddressOptions } from '../http/client-address.js';
import { type LockKeeper, startLockKeeper } from '../lock/lock-keeper.js';
import { readGraceKeysFile } from '../lock/lock-key-file.js';
import { createLog, type Log } from '../observe/log.js';
import { createPrometheusMetrics } from '../observe/prometheus.js';
import type { VerifySignup } from '../registration/signup.js';
import { createMemoryRecord } from '../relayer/record.js';
import { createLocalStore, type RelayStore } from '../relayer/store.js';
import { assembleRelay } from './assemble.js';
import { type RelayConfig, readRelayConfig } from './config.js';
import { hasCode } from './durable-file.js';
import type { Environment } from './environment.js';
import { listen } from './listen.js';
import { openRecordFile } from './record-file.js';
import { startSweeping } from './sweeping.js';
import { loadRelayModule, makeLockKey } from './wasm.js';

const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_SWEEP_MS = 100;

export interface RunningRelay {
  /** `http://host:port`, with the actual port. */
  readonly url: string;
  /**
   * Stops accepting connections; resolves when all requests in progress are answered, or after STOP_TIMEOUT_SECONDS
   * with `isComplete` false.
   */
  close(): Promise<{ readonly isComplete: boolean }>;
  /** Rejects where no node of NEAR_RPC_URL answers. */
  reachChain(): Promise<void>;
  /**
   * The ids of sent transactions whose outcome this relay has not seen. They are not lost: the same request, sent to
   * another relay or to this one after a restart, finds the outcome on the chain.
   */
  unfinished(): string[];
}

/** What an operator's own program adds to the configuration. */
export interface RelayHooks {
  /** Decides who may register, in place of what the environment says. */
  readonly verifySignup?: VerifySignup | undefined;
}

/** Starts a relay. Rejects with INVALID_CONFIG if the environment, a file or the port is unusable. */
export async function startRelay(
  config: RelayConfig,
  log: Log = createStderrLog(config),
  { verifySignup }: RelayHooks = {},
): Promise<RunningRelay> {
  const lockKeeper = await openLock(config, log);
  const { metricsToken, spendCapYocto } = config;
  const metrics =
    metricsToken &&
    createPrometheusMetrics({
      spendCapYocto,
      lockKeys: () =>
        lockKeeper && {
          madeAtMs: lockKeeper.madeAtMs(),
          inGrace: lockKeeper.lock.keyInfo.graceKeyIds.length,
        },
    });
  await loadRelayModule();
  const assemble = ({ store, closeStore }: OpenedStore) => {
    const socketAddress: ClientAddressOptions['socketAddress'] = (c) => getConnInfo(c).remote.address;
    const lock = lockKeeper?.lock ?? null;
    const parts = { lock, socketAddress, log, metrics, store, verifySignup };
    return { closeStore, ...assembleRelay(config, parts) };
  };

  const server = createAdaptorServer({
    fetch: async (...asked) => (await opening).app.fetch(...asked),
  }) as Server;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  // Takes the record over only with the port: a start that fails must not take it from the relay that runs.
  const opening = listen(server, config.host, config.port)
    .then(() => openStore(config, log))
    .then(assemble);
  const { closeStore, idle, unfinished, sweep, reachChain } = await opening.catch((error: unknown) => {
    lockKeeper?.stop();
    server.close();
    throw error;
  });
  const sweeping = sweep && startSweeping(sweep, log);
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;

  async function stop() {
    lockKeeper?.stop();
    const closed = once(server, 'close');
    server.close();
    const closing = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const done = Promise.all([closed, idle(), sweeping?.stop()]).then(() => true);
    const timeoutMs = config.stopTimeoutSeconds * 1000;
    const isComplete = await within(timeoutMs, done, false);
    clearInterval(closing);
    server.closeAllConnections();
    await closeStore().catch((error: unknown) => log.error('record_failed', { reason: messageOf(error) }));
    for (const transactionHash of unfinished()) log.warn('abandoned', { transactionHash });
    return { isComplete };
  }

  let stopped: ReturnType<typeof stop> | undefined;
  return {
    url: `http://${host}:${port}`,
    reachChain,
    unfinished,
    close() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Runs a relay as a process: prints its address, and exits on SIGTERM or SIGINT once all paid work is answered. A
 * second signal, or one before it listens, exits immediately. Prints an unusable configuration as one message, with
 * exit code 1.
 */
export async function runRelay(env: Environment = process.env, hooks: RelayHooks = {}): Promise<void> {
  try {
    // Listens from the start: signals without a listener do not end the first process of a container.
    const signalled = nextSignal();
    const relay = await Promise.race([startRelay(readRelayConfig(env), undefined, hooks), signalled]);
    if (typeof relay === 'string') return process.exit(exitCodeOf(relay));
    console.log(`relay listening on ${relay.url}`);
    relay.reachChain().catch((error: unknown) => {
      console.error(
        `relay: no node of NEAR_RPC_URL answers yet, so it pays for nothing: ${messageOf(error)}`,
      );
    });
    const first = await signalled;
    console.error(
      'relay stopping: it finishes the requests in progress; a second signal ends it immediately',
    );
    const stopped = await Promise.race([relay.close(), nextSignal(first)]);
    reportAbandoned(relay.unfinished());
    if (typeof stopped === 'string') process.exit(exitCodeOf(stopped));
    if (stopped.isComplete) return;
    console.error('relay ended with requests in progress, after STOP_TIMEOUT_SECONDS');
    process.exit(1);
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

/** The exit code that a shell reports for a process ended by a signal. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

function reportAbandoned(hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  console.error(`relay abandons what was sent and not seen to its end: ${hashes.join(', ')}`);
  console.error('The same requests, made again, find it on the chain and are not paid for twice.');
}

/** Ctrl-C reaches a process from the terminal and, under npm, again from its parent. */
const ECHO_MS = 200;

/** The next stop signal, ignoring an echo of `former`, the one before. */
function nextSignal(former?: NodeJS.Signals): Promise<NodeJS.Signals> {
  const start = performance.now();
  return new Promise((resolve) => {
    const take = (signal: NodeJS.Signals) => {
      if (signal === former && performance.now() - start < ECHO_MS) return;
      resolve(signal);
      // Deferred until the next waiter listens: a signal without a listener ends the process.
      setImmediate(() => process.off('SIGTERM', take).off('SIGINT', take));
    };
    process.on('SIGTERM', take).on('SIGINT', take);
  });
}

interface OpenedStore {
  readonly store: RelayStore;
  /** Resolves once everything until now is kept. */
  closeStore(): Promise<void>;
}

async function openStore(config: RelayConfig, log: Log): Promise<OpenedStore> {
  const { redisUrl: url, networkId, relayerAccountId, stateFile } = config;
  if (url) {
    const { openRedisStore } = await importRedis();
    const store = await openRedisStore({ url, networkId, relayerAccountId, log });
    return { store, closeStore: store.close };
  }
  const record = stateFile === null ? createMemoryRecord() : await openRecordFile(stateFile);
  return { store: createLocalStore(record, log), closeStore: record.flush };
}

/** The only importer of `@redis/client`, which only relays with REDIS_URL need. */
async function importRedis() {
  try {
    return await import('../redis/store.js');
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
    const reason = 'REDIS_URL needs the package @redis/client: run npm install @redis/client';
    throw new LatchkeyError(INVALID_CONFIG, { values: { reason }, cause: error });
  }
}

async function openLock(config: RelayConfig, log: Log): Promise<LockKeeper | null> {
  const { lock: source, graceKeysFile } = config;
  if (source.kind === 'disabled') return null;
  const graceKeys = graceKeysFile ? await readGraceKeysFile(graceKeysFile, source.group) : [];
  return startLockKeeper({ source, graceKeys, makeKey: makeLockKey, log });
}

function createStderrLog({ logLevel }: RelayConfig): Log {
  return createLog((line) => process.stderr.write(`${line}\n`), logLevel);
}
