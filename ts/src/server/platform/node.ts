/** The relay on Node: reads the environment, serves, and ends without dropping a registration that was paid for. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { LatchkeyError, messageOf } from '../../errors/index.js';
import { type LockKeeper, startLockKeeper } from '../lock/lock-keeper.js';
import { readGraceKeysFile } from '../lock/lock-key-file.js';
import { createLog, type Log } from '../observe/log.js';
import { createPrometheusMetrics } from '../observe/prometheus.js';
import { assembleRelay } from './assemble.js';
import { type RelayConfig, readRelayConfig } from './config.js';
import type { Environment } from './environment.js';
import { loadRelayModule, makeLockKey } from './wasm.js';

const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_SWEEP_MS = 100;

export interface RunningRelay {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  /**
   * Takes no new connection, and resolves when the requests under way are answered, or when STOP_TIMEOUT_SECONDS are
   * over: `isComplete` is false then.
   */
  close(): Promise<{ readonly isComplete: boolean }>;
  /**
   * The ids of transactions that were sent and whose end this relay has not seen. Nothing is lost with it: the same
   * request, made at another relay or at this one when it is back, finds on the chain what became of it.
   */
  unfinished(): string[];
}

/** Starts a relay. Rejects with INVALID_CONFIG when the environment, a key file or the port cannot be used. */
export async function startRelay(
  config: RelayConfig,
  log: Log = createStderrLog(config),
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
  const { app, idle, unfinished } = assembleRelay(config, {
    lock: lockKeeper?.lock ?? null,
    socketAddress: (c) => getConnInfo(c).remote.address,
    log,
    metrics,
  });

  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await listen(server, config.host, config.port).catch((error: unknown) => {
    lockKeeper?.stop();
    throw error;
  });
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;

  async function stop() {
    lockKeeper?.stop();
    const closed = once(server, 'close');
    server.close();
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const isComplete = await within(config.stopTimeoutSeconds * 1000, Promise.all([closed, idle()]));
    clearInterval(sweep);
    server.closeAllConnections();
    for (const transactionHash of unfinished()) log.warn('abandoned', { transactionHash });
    return { isComplete };
  }

  let stopped: ReturnType<typeof stop> | undefined;
  return {
    url: `http://${host}:${port}`,
    unfinished,
    close() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/**
 * Runs a relay as a process: prints where it listens, and ends on SIGTERM or SIGINT once what was paid for is answered.
 * A second signal, or one before it listens, ends it at once. A configuration that cannot be used is one message and exit code 1.
 */
export async function runRelay(env: Environment = process.env): Promise<void> {
  try {
    // From the start: the first process of a container is ended by no signal that it does not listen for.
    const signalled = nextSignal();
    const relay = await Promise.race([startRelay(readRelayConfig(env)), signalled]);
    if (typeof relay === 'string') return process.exit(exitCodeOf(relay));
    console.log(`relay listening on ${relay.url}`);
    const first = await signalled;
    console.error('relay stopping: it answers what is under way; a second signal ends it at once');
    const stopped = await Promise.race([relay.close(), nextSignal(first)]);
    reportAbandoned(relay.unfinished());
    if (typeof stopped === 'string') process.exit(exitCodeOf(stopped));
    if (stopped.isComplete) return;
    console.error('relay ended with requests under way, after STOP_TIMEOUT_SECONDS');
    process.exit(1);
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

/** As a shell tells it of a process that a signal ended. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

function reportAbandoned(hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  console.error(`relay abandons what was sent and not seen to its end: ${hashes.join(', ')}`);
  console.error('The same requests, made again, find it on the chain and are not paid for twice.');
}

/** Ctrl-C reaches a process from the terminal and, under npm, a second time from its parent. */
const ECHO_MS = 200;

/** The next signal that asks the process to end; no echo of `former`, the one before. */
function nextSignal(former?: NodeJS.Signals): Promise<NodeJS.Signals> {
  const start = performance.now();
  return new Promise((resolve) => {
    const take = (signal: NodeJS.Signals) => {
      if (signal === former && performance.now() - start < ECHO_MS) return;
      resolve(signal);
      // Once whoever waits for the next one listens: one that nobody listens for ends the process.
      setImmediate(() => process.off('SIGTERM', take).off('SIGINT', take));
    };
    process.on('SIGTERM', take).on('SIGINT', take);
  });
}

/** Whether the work is done within the time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}

async function openLock(config: RelayConfig, log: Log): Promise<LockKeeper | null> {
  const { lock: source, graceKeysFile } = config;
  if (source.kind === 'disabled') return null;
  const graceKeys = graceKeysFile ? await readGraceKeysFile(graceKeysFile, source.group) : [];
  return startLockKeeper({ source, graceKeys, makeKey: makeLockKey, log });
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = isTaken
      ? `port ${port} of ${host} is taken: end what uses it, or set PORT to another`
      : `cannot listen on port ${port} of ${host}: ${messageOf(error)}`;
    throw new LatchkeyError('INVALID_CONFIG', { values: { reason }, cause: error });
  }
}

function createStderrLog({ logLevel }: RelayConfig): Log {
  return createLog((line) => process.stderr.write(`${line}\n`), logLevel);
}
