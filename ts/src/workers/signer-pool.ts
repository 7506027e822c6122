/**
 * The signer workers: at most three alive, one of them idle. Each serves one approval and is then ended, so that a
 * private key never outlives the approval it was opened for. Further approvals wait their turn.
 */
import { cancelledBy, LatchkeyError, WORKER_CLOSED } from '../errors/core.js';
import { type CallOptions, connect, type WorkerClient } from './rpc.js';
import type { SignerApi } from './signer-api.js';
import { startAgain } from './start-again.js';
import type { CompileWasm } from './wasm-module.js';

const MAX_LIVE = 3;
const WORKER_TIMEOUT_MS = 60_000;

/** One signer worker for one approval. Always call `end` when the approval is over. */
export interface Signer {
  call<K extends keyof SignerApi & string>(
    name: K,
    args: Parameters<SignerApi[K]>,
    options?: CallOptions,
  ): Promise<Awaited<ReturnType<SignerApi[K]>>>;
  end(): void;
}

type SignerWorker = WorkerClient<SignerApi>;

interface Waiter {
  give(worker: Promise<SignerWorker>): void;
}

export class SignerPool {
  readonly #start: () => Worker;
  readonly #compile: CompileWasm;
  readonly #queue: Waiter[] = [];
  #idle: Promise<SignerWorker> | undefined;
  #leased = 0;
  #closed = false;

  constructor(start: () => Worker, compile: CompileWasm) {
    this.#start = start;
    this.#compile = compile;
  }

  /** Starts the idle spare, so that the first approval finds it ready. */
  async warmUp(): Promise<void> {
    this.#refill();
    await this.#idle;
  }

  /** Workers alive: those in use and the idle one. */
  get live(): number {
    return this.#leased + (this.#idle ? 1 : 0);
  }

  /** A worker for one approval; waits while three are in use. */
  async acquire(signal?: AbortSignal): Promise<Signer> {
    if (this.#closed) throw new LatchkeyError(WORKER_CLOSED);
    if (signal?.aborted) throw cancelledBy(signal);
    const worker = await this.#take(signal);
    return this.#lease(worker);
  }

  /** Ends the idle worker and refuses further approvals. Workers in use end with their approval. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#queue.splice(0)) waiter.give(Promise.reject(new LatchkeyError(WORKER_CLOSED)));
    this.#idle?.then(
      (worker) => worker.close(),
      () => undefined,
    );
    this.#idle = undefined;
  }

  async #take(signal: AbortSignal | undefined): Promise<SignerWorker> {
    if (this.#leased >= MAX_LIVE) {
      return new Promise<SignerWorker>((resolve, reject) => {
        const waiter: Waiter = {
          give: (worker) => {
            signal?.removeEventListener('abort', onAbort);
            resolve(worker);
          },
        };
        const onAbort = (): void => {
          this.#queue.splice(this.#queue.indexOf(waiter), 1);
          reject(cancelledBy(signal));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        this.#queue.push(waiter);
      });
    }
    this.#leased += 1;
    const worker = this.#idle ?? this.#spawn();
    this.#idle = undefined;
    this.#refill();
    try {
      return await worker;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #lease(worker: SignerWorker): Signer {
    let ended = false;
    return {
      call: (name, args, options) =>
        worker.call(name, args, { timeoutMs: WORKER_TIMEOUT_MS, hard: true, ...options }),
      end: () => {
        if (ended) return;
        ended = true;
        worker.close();
        this.#release();
      },
    };
  }

  #release(): void {
    const next = this.#closed ? undefined : this.#queue.shift();
    if (!next) {
      this.#leased -= 1;
      this.#refill();
      return;
    }
    // The waiter takes over the place, so the count of leased workers stays.
    const worker = this.#spawn();
    worker.catch(() => this.#release());
    next.give(worker);
  }

  #refill(): void {
    if (this.#closed || this.#idle || this.live >= MAX_LIVE) return;
    const idle = this.#spawn();
    this.#idle = idle;
    idle.catch(() => {
      // A spare that cannot start is no error: the next approval starts its own worker and reports.
      if (this.#idle === idle) this.#idle = undefined;
    });
  }

  #spawn(): Promise<SignerWorker> {
    return startAgain(() => this.#boot());
  }

  async #boot(): Promise<SignerWorker> {
    const worker = connect<SignerApi>(this.#start);
    try {
      await worker.call('boot', [await this.#compile()], { timeoutMs: WORKER_TIMEOUT_MS });
    } catch (error) {
      worker.close();
      throw error;
    }
    return worker;
  }
}
