/** The VRF worker of a session: starts at first use, lives as long as the page, starts again after a loss. */
import type { Shamir3passConfig } from '../config.js';
import {
  filled,
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  VRF_WORKER_TEXTS,
  VRF_WORKER_UNHEALTHY,
  WORKER_FAILED,
  WORKER_TIMEOUT,
} from '../errors/wallet.js';
import { type CallOptions, connect, type WorkerClient } from './rpc.js';
import { startAgain } from './start-again.js';
import type { VrfApi } from './vrf-api.js';
import type { CompileWasm } from './wasm-module.js';

const TIMEOUT_MS = 60_000;
const PING_TIMEOUT_MS = 5_000;
/** The calls that may change the session. */
const CHANGING: ReadonlySet<keyof VrfApi> = new Set([
  'logout',
  'unlock',
  'unlockWithServerLock',
  'deriveKeypairFromPrf',
  'generateKeypairBootstrap',
]);

export class VrfClient {
  readonly #start: () => Worker;
  readonly #compile: CompileWasm;
  readonly #lock: Shamir3passConfig | null;
  #worker: Promise<WorkerClient<VrfApi>> | undefined;
  /** Called when the session may have changed: opened, replaced, cleared, or lost with the worker. */
  onSessionChange: (() => void) | undefined;

  constructor(start: () => Worker, compile: CompileWasm, lock: Shamir3passConfig | null) {
    this.#start = start;
    this.#compile = compile;
    this.#lock = lock;
  }

  /** Starts the worker and pings it once. */
  async warmUp(): Promise<void> {
    const worker = await this.#running();
    try {
      await worker.call('ping', [], { timeoutMs: PING_TIMEOUT_MS });
    } catch (error) {
      // Ends a worker that does not answer, so that the next call starts another.
      worker.close();
      throw new LatchkeyError(VRF_WORKER_UNHEALTHY, { cause: error });
    }
  }

  /** The worker's start and the call each have `timeoutMs`. */
  async call<K extends keyof VrfApi & string>(
    name: K,
    args: Parameters<VrfApi[K]>,
    options: CallOptions = {},
  ): Promise<Awaited<ReturnType<VrfApi[K]>>> {
    const { timeoutMs: ms = TIMEOUT_MS } = options;
    try {
      const worker = await this.#runningWithin(ms);
      const answer = await worker.call(name, args, { ...options, timeoutMs: ms });
      if (CHANGING.has(name)) this.onSessionChange?.();
      return answer;
    } catch (error) {
      if (isLatchkeyError(error, 'WORKER_TIMEOUT')) {
        const message = filled(VRF_WORKER_TEXTS.timeout, { ms, type: name });
        throw new LatchkeyError(WORKER_TIMEOUT, { message, cause: error });
      }
      throw error;
    }
  }

  /** Starts another worker immediately, for a session that may replace this one: {@link takeOver}. */
  beside(): VrfClient {
    const beside = new VrfClient(this.#start, this.#compile, this.#lock);
    // Its first call reports a failure.
    beside.#running().catch(() => undefined);
    return beside;
  }

  /** Replaces this client's session with that of the other client, and leaves the other without a worker. */
  takeOver(other: VrfClient): void {
    const former = this.#worker;
    this.#worker = other.#worker;
    other.#worker = undefined;
    other.onSessionChange = () => this.onSessionChange?.();
    // The former worker answers its pending requests first.
    former?.then((worker) => worker.call('logout', []).finally(() => worker.close())).catch(() => undefined);
    this.onSessionChange?.();
  }

  /** Ends the worker and with it the session. */
  close(): void {
    this.#worker?.then(
      (worker) => worker.close(),
      () => undefined,
    );
    this.#worker = undefined;
  }

  /** A start loads its files with limits and tries of its own, which together may take longer. */
  async #runningWithin(ms: number): Promise<WorkerClient<VrfApi>> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new LatchkeyError(WORKER_TIMEOUT, { values: { ms } })), ms);
    });
    try {
      return await Promise.race([this.#running(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #running(): Promise<WorkerClient<VrfApi>> {
    const known = this.#worker;
    if (known) {
      const worker = await known;
      if (this.#worker === known) {
        if (!worker.dead) return worker;
        this.#worker = undefined;
      }
      return this.#running();
    }
    const starting = startAgain(() => this.#boot()).catch(neverStarted);
    this.#worker = starting;
    starting.catch(() => {
      if (this.#worker === starting) this.#worker = undefined;
    });
    return starting;
  }

  async #boot(): Promise<WorkerClient<VrfApi>> {
    let hasBooted = false;
    const worker = connect<VrfApi>(this.#start, {
      // A worker that never started had no session to lose.
      onDeath: () => hasBooted && this.onSessionChange?.(),
    });
    try {
      await worker.call('boot', [await this.#compile()], { timeoutMs: TIMEOUT_MS });
      if (this.#lock) {
        await worker.call('configureShamirP', [this.#lock.p], { timeoutMs: TIMEOUT_MS });
        await worker.call('configureServerUrls', [
          {
            applyServerLock: this.#lock.relayServerUrl + this.#lock.applyServerLockRoute,
            removeServerLock: this.#lock.relayServerUrl + this.#lock.removeServerLockRoute,
          },
        ]);
      }
      hasBooted = true;
      return worker;
    } catch (error) {
      worker.close();
      throw error;
    }
  }
}

function neverStarted(error: unknown): never {
  throw new LatchkeyError(WORKER_FAILED, {
    message: filled(VRF_WORKER_TEXTS.notStarted, { reason: messageOf(error) }),
    cause: error,
  });
}
