/** The part of the Web Locks API (W3C Web Locks, section 4) that the wallet uses, for one origin: Node 20 lacks it. */

type Mode = LockMode;
type Work = (lock: Lock | null) => unknown;

interface Options {
  readonly mode?: Mode;
  readonly ifAvailable?: boolean;
  readonly signal?: AbortSignal;
}

interface Request {
  readonly mode: Mode;
  /** The signal of its page. */
  readonly end: AbortSignal;
  isHeld: boolean;
  grant(): void;
}

export class OriginLocks {
  /** For each name the held requests, then the waiting ones in order. */
  readonly #queues = new Map<string, Request[]>();

  /** One page's view of the locks. The page loses its held and pending requests when it ends. */
  forPage(end: AbortSignal): { request(name: string, options: Options, work: Work): Promise<unknown> } {
    return { request: (name, options, work) => this.#request(name, options, work, end) };
  }

  #request(name: string, options: Options, work: Work, end: AbortSignal): Promise<unknown> {
    const { mode = 'exclusive', ifAvailable = false, signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    if (ifAvailable && queue.some((other) => !other.isHeld || isExclusive(mode, other.mode)))
      return Promise.resolve(work(null));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const index = queue.indexOf(request);
        if (index === -1) return;
        queue.splice(index, 1);
        grantNext(queue);
      };
      const giveUp = (): void => {
        leave();
        reject(signal?.reason);
      };
      const request: Request = {
        mode,
        end,
        isHeld: false,
        grant: () => {
          request.isHeld = true;
          signal?.removeEventListener('abort', giveUp);
          // The work runs in its own task, as in a browser.
          const done = Promise.resolve().then(() => work({ name, mode }));
          done.finally(leave).then(resolve, reject);
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      end.addEventListener('abort', leave, { once: true });
      if (end.aborted) return;
      queue.push(request);
      grantNext(queue);
    });
  }
}

function grantNext(queue: readonly Request[]): void {
  for (const request of queue) {
    if (request.isHeld || request.end.aborted) continue;
    if (queue.some((other) => other.isHeld && isExclusive(request.mode, other.mode))) return;
    request.grant();
  }
}

const isExclusive = (...modes: Mode[]): boolean => modes.includes('exclusive');
