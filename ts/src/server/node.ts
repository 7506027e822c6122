/** The relay on Node: reads the environment, serves, and ends without dropping a registration that was paid for. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { LatchkeyError, messageOf } from '../errors.js';
import { createRpcClient } from '../near/index.js';
import { createRelay } from './app.js';
import { type Environment, type LockSource, type RelayConfig, readRelayConfig } from './config.js';
import { createMemoryLeaseStore } from './lease-store.js';
import { type LockKey, ServerLock } from './lock.js';
import { openLockKeyFile, readGraceKeysFile } from './lock-key-file.js';
import { createLog, type Log } from './log.js';
import { createOriginManifest } from './origin-manifest.js';
import { createReadiness } from './readiness.js';
import { Registrar } from './registrar.js';
import { createRelayer } from './relayer.js';
import { createTransactionSigner } from './transaction-signer.js';
import { loadSigner, makeLockKey } from './wasm.js';

const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_SWEEP_MS = 100;

export interface RunningRelay {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  /** Takes no new request, and resolves when those under way are answered. */
  close(): Promise<void>;
}

/** Starts a relay. Rejects with INVALID_CONFIG when the environment, a key file or the port cannot be used. */
export async function startRelay(
  config: RelayConfig,
  log: Log = createStderrLog(config),
): Promise<RunningRelay> {
  const rpc = createRpcClient({ urls: config.rpcUrls });
  const signer = createTransactionSigner(
    await loadSigner(),
    config.relayerAccountId,
    config.relayerPrivateKeys,
  );
  const relayer = createRelayer(rpc, signer, createMemoryLeaseStore());
  const registrar = new Registrar({
    rpc,
    relayer,
    contractId: config.contractId,
    initialBalanceYocto: config.initialBalanceYocto,
    gas: config.registrationGas,
    log,
  });
  const app = createRelay({
    allowedOrigins: config.allowedOrigins,
    registrar,
    lock: await openLock(config.lock, config.graceKeysFile),
    manifest: createOriginManifest(rpc, config.contractId, log),
    readiness: createReadiness(rpc, config.relayerAccountId, signer.publicKeys),
    log,
  });

  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await listen(server, config.host, config.port);
  const { port } = server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
      await Promise.all([closed, registrar.idle()]).finally(() => clearInterval(sweep));
    },
  };
}

/**
 * Runs a relay as a process: prints where it listens, ends on SIGTERM or SIGINT. A configuration that cannot be used is
 * one message and exit code 1.
 */
export async function runRelay(env: Environment = process.env): Promise<void> {
  try {
    const relay = await startRelay(readRelayConfig(env));
    console.log(`relay listening on ${relay.url}`);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    await relay.close();
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

async function openLock(source: LockSource, graceKeysFile: string | null): Promise<ServerLock | null> {
  if (source.kind === 'disabled') return null;
  const { group } = source;
  const current: LockKey =
    source.kind === 'given' ? source.key : await openLockKeyFile(source.path, group, makeLockKey);
  return new ServerLock(group, current, graceKeysFile ? await readGraceKeysFile(graceKeysFile, group) : []);
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
