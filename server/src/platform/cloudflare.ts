/**
 * The relay on Cloudflare Workers. One Durable Object does everything that costs money: it alone holds the nonces,
 * counts the spending, and finishes a registration whose client went away. Each Worker answers everything else itself.
 */

import { messageOf } from 'latchkey/internal/server';
import { initSync as initRelay } from '../../wasm/relay/relay.js';
import { initSync as initVrf } from '../../wasm/vrf/vrf.js';
import { Refusal } from '../http/refusal.js';
import { moneyRouteOf } from '../http/routes.js';
import { TRANSPORT_SECURITY } from '../http/transport-security.js';
import { readWasmLockKey } from '../lock/lock-wasm.js';
import { ServerLock } from '../lock/server-lock.js';
import { createExposition } from '../observe/exposition.js';
import { createLog, type Log } from '../observe/log.js';
import type { MetricsPage, RelayMetrics } from '../observe/metrics.js';
import { createRelayMetrics } from '../observe/relay-metrics.js';
import type { VerifySignup } from '../registration/signup.js';
import { entriesUnder, type RelayRecord } from '../relayer/record.js';
import { createLocalStore, type LocalStore } from '../relayer/store.js';
import { type AssembledRelay, assembleFront, assembleRelay, type RelayParts } from './assemble.js';
import { type GivenLock, readWorkerConfig, type WorkerConfig } from './cloudflare-config.js';
import { SWEEP_MS, sweepOnce } from './sweeping.js';

/** There is one object, under this name. */
const OBJECT_NAME = 'relay';
/** The host in the URL by which a Worker calls the object. Nothing reads it. */
const OBJECT_ORIGIN = 'https://relay.invalid';

/** The part of Cloudflare's DurableObjectNamespace that the relay uses. */
export interface RelayNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** The variables and secrets of the relay, and the Durable Object class {@link RelayWorker.Relay} bound as RELAY. */
export interface RelayBindings {
  readonly RELAY: RelayNamespace;
}

/** The part of a request's context that the relay uses. */
export interface RequestContext {
  waitUntil(work: Promise<unknown>): void;
}

/** The part of a Durable Object's storage that the relay uses. */
export interface RelayStorage {
  list(): Promise<Map<string, unknown>>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<boolean>;
  /** The time of the alarm in milliseconds since 1970; null if none is set. */
  getAlarm(): Promise<number | null>;
  setAlarm(atMs: number): Promise<void>;
}

export interface RelayWorker {
  /** The Worker's default export. */
  readonly worker: {
    fetch(request: Request, bindings: RelayBindings, context: RequestContext): Promise<Response>;
  };
  /** The Durable Object's class. The Worker exports it by this name. */
  readonly Relay: new (
    state: { readonly storage: RelayStorage },
    bindings: RelayBindings,
  ) => {
    fetch(request: Request): Promise<Response>;
    /** Cloudflare calls it when the alarm is due, also where the object ended before. */
    alarm(): Promise<void>;
  };
}

interface OpenedFront {
  readonly config: WorkerConfig;
  readonly app: AssembledRelay['app'];
  readonly log: Log;
}

interface OpenedObject {
  readonly relay: AssembledRelay;
  readonly store: LocalStore;
  readonly log: Log;
}

/** The modules that a Worker imports as `latchkey-server/relay.wasm` and `latchkey-server/vrf.wasm`. */
export interface RelayModules {
  readonly relay: WebAssembly.Module;
  readonly vrf: WebAssembly.Module;
}

/** What an operator's own program adds to the configuration. */
export interface RelayWorkerHooks {
  /** Decides who may register, in place of what the bindings say. Runs in the Durable Object. */
  readonly verifySignup?: VerifySignup | undefined;
}

/** A relay for Workers. */
export function relayWorker(
  { relay: relayModule, vrf }: RelayModules,
  { verifySignup }: RelayWorkerHooks = {},
): RelayWorker {
  const prepare = async (bindings: RelayBindings) => {
    const config = readWorkerConfig({ ...bindings });
    const log = createLog((line) => console.log(line), config.logLevel);
    initRelay({ module: relayModule });
    const lock = config.lock && (await openLock(config.lock, vrf));
    const socketAddress: RelayParts['socketAddress'] = (c) => c.req.header('cf-connecting-ip');
    return { config, log, parts: { lock, socketAddress, log } };
  };
  /** An isolate's own app neither pays nor knows the relayer's key. */
  const openFront = async (bindings: RelayBindings): Promise<OpenedFront> => {
    const { config, log, parts } = await prepare(bindings);
    const { relayerPrivateKeys: _, ...front } = config;
    return { config, app: assembleFront(front, parts), log };
  };
  const openObject = async (bindings: RelayBindings, record: RelayRecord): Promise<OpenedObject> => {
    const { config, log, parts } = await prepare(bindings);
    const metrics = config.metricsToken && workerMetrics(config);
    const store = createLocalStore(record, log);
    return {
      relay: assembleRelay(config, { ...parts, metrics: metrics || null, store, verifySignup }),
      store,
      log,
    };
  };

  let opened: OpenedFront | undefined;

  return {
    worker: {
      async fetch(request, bindings, context) {
        try {
          opened ??= await openFront(bindings);
        } catch (error) {
          return misconfigured(error);
        }
        const { app, config, log } = opened;
        const route = moneyRouteOf(request);
        const answer = route
          ? askObject(route.path, request, bindings.RELAY).catch((error) =>
              interrupted(error, request, config, log),
            )
          : Promise.resolve(app.fetch(request));
        // Requests that wait for the same view of the chain share one read, which must outlive the client that began it.
        context.waitUntil(answer);
        return answer;
      },
    },

    Relay: class {
      readonly #storage: RelayStorage;
      readonly #opened: Promise<OpenedObject>;
      /** Requests in progress: each may reserve money. */
      #running = 0;

      constructor({ storage }: { readonly storage: RelayStorage }, bindings: RelayBindings) {
        this.#storage = storage;
        this.#opened = readRecord(storage).then((record) => openObject(bindings, record));
        // An object that cannot open says so to each request.
        this.#sweepIfOpen().catch(() => undefined);
      }

      async fetch(request: Request): Promise<Response> {
        const { relay } = await this.#opened;
        if (request.method !== 'POST') return relay.app.fetch(request);
        this.#running += 1;
        try {
          await this.#sweepLater();
          return await relay.app.fetch(request);
        } finally {
          this.#running -= 1;
        }
      }

      async alarm(): Promise<void> {
        const { relay, log } = await this.#opened;
        if (relay.sweep) await sweepOnce(relay.sweep, log);
        await this.#sweepIfOpen();
      }

      async #sweepIfOpen(): Promise<void> {
        const { store } = await this.#opened;
        if (this.#running > 0 || store.jobs.hasOpen()) await this.#sweepLater();
      }

      /** An alarm outlives the object: whatever interrupts it, it wakes up and ends what it left. */
      async #sweepLater(): Promise<void> {
        if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(Date.now() + SWEEP_MS);
      }
    },
  };
}

/** Those of the object: each Worker's isolate would count a part of the rest, and no request finds it again. */
function workerMetrics({ spendCapYocto }: WorkerConfig): RelayMetrics & MetricsPage {
  const page = createExposition();
  const { contentType, read } = page;
  return { ...createRelayMetrics(page, spendCapYocto), contentType, read };
}

async function openLock({ group, keys }: GivenLock, vrf: WebAssembly.Module): Promise<ServerLock> {
  initVrf({ module: vrf });
  const [current, ...grace] = keys();
  const key = await readWasmLockKey(group, current);
  return new ServerLock(group, key, await Promise.all(grace.map((former) => readWasmLockKey(group, former))));
}

/** The object gets the path from the table of routes, never the client's URL. */
async function askObject(path: string, request: Request, namespace: RelayNamespace): Promise<Response> {
  const asked = new Request(`${OBJECT_ORIGIN}${path}`, request);
  return namespace.get(namespace.idFromName(OBJECT_NAME)).fetch(asked);
}

/** A write reaches the disk before the object's next request to a node leaves (its output gate). */
async function readRecord(storage: RelayStorage): Promise<RelayRecord> {
  const stored = new Map([...(await storage.list())].map(([key, text]) => [key, String(text)]));
  return {
    entries: (prefix) => entriesUnder(stored, prefix),
    write(key, text) {
      if (text === null) {
        stored.delete(key);
        void storage.delete(key);
      } else {
        stored.set(key, text);
        void storage.put(key, text);
      }
    },
    flush: () => Promise.resolve(),
    now: Date.now,
  };
}

/** The answer when the bindings are unusable. Only the operator's log says why. */
function misconfigured(error: unknown): Response {
  createLog((line) => console.error(line)).error('invalid_config', { reason: messageOf(error) });
  return answerOf(
    new Refusal('internal', 'The relay is not configured. Its operator can read the reason in its log.'),
  );
}

/** The answer when the object was moved or overloaded while it worked. */
function interrupted(error: unknown, request: Request, { allowedOrigins }: WorkerConfig, log: Log): Response {
  log.error('object_failed', { reason: messageOf(error) });
  const message = 'The relay was interrupted. Ask again with the same request: it is not paid for twice.';
  const answer = answerOf(new Refusal('outcome_unknown', message, { retryAfterSeconds: 5 }));
  const origin = request.headers.get('origin');
  if (origin !== null && allowedOrigins.includes(origin))
    answer.headers.set('access-control-allow-origin', origin);
  answer.headers.set('vary', 'Origin');
  return answer;
}

function answerOf({ code, status, message, retryAfterSeconds }: Refusal): Response {
  const headers = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': TRANSPORT_SECURITY,
  };
  const answer = Response.json(
    { success: false, error: code, message, requestId: crypto.randomUUID() },
    { status, headers },
  );
  if (retryAfterSeconds !== undefined) answer.headers.set('retry-after', String(retryAfterSeconds));
  return answer;
}
