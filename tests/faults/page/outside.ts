/** A page's or worker's access to the outside until it ends. Waits that are still pending then never settle. */

export interface Outside {
  readonly crypto: Crypto;
  readonly fetch: typeof fetch;
  readonly setTimeout: (work: () => void, ms?: number) => unknown;
  readonly clearTimeout: (timer: NodeJS.Timeout | undefined) => void;
  readonly setInterval: (work: () => void, ms?: number) => unknown;
  readonly clearInterval: (timer: NodeJS.Timeout | undefined) => void;
}

export interface OutsideOptions {
  readonly origin: string;
  /** The site's own files, by the last part of their address. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Aborts when the page or worker ends. */
  readonly end: AbortSignal;
}

export function makeOutside({ origin, files, end }: OutsideOptions): Outside {
  const timers = new Set<NodeJS.Timeout>();
  end.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer);
  });
  const stop = (timer: NodeJS.Timeout | undefined): void => {
    clearTimeout(timer);
    if (timer) timers.delete(timer);
  };
  const started = (timer: NodeJS.Timeout): NodeJS.Timeout => {
    if (end.aborted) clearTimeout(timer);
    else timers.add(timer);
    return timer;
  };
  return {
    crypto,
    async fetch(input, init = {}) {
      const url = new URL(input instanceof Request ? input.url : input);
      const file = files.get(url.pathname.split('/').at(-1) ?? '');
      if (file) return new Response(file, { headers: { 'content-type': 'application/wasm' } });
      const headers = new Headers(init.headers);
      headers.set('origin', origin);
      const signal = init.signal ? AbortSignal.any([init.signal, end]) : end;
      if (end.aborted) return never();
      const answer = fetch(input, { ...init, headers, signal });
      return answer.then(
        (response) => (end.aborted ? never() : response),
        (error: unknown) => (end.aborted ? never() : Promise.reject(error)),
      );
    },
    setTimeout(work, ms) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      return started(timer);
    },
    clearTimeout: stop,
    setInterval: (work, ms) => started(setInterval(work, ms)),
    clearInterval: stop,
  };
}

const never = (): Promise<never> => new Promise(() => undefined);
