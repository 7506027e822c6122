/** A page's or worker's access to the outside until it ends. Waits that are still pending then never settle. */
import type { DeviceClock } from './clock.js';

export interface Outside extends ReturnType<DeviceClock['globals']> {
  readonly crypto: Crypto;
  readonly fetch: typeof fetch;
}

export interface OutsideOptions {
  readonly origin: string;
  /** The site's own files, by the last part of their address. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly clock: DeviceClock;
  /** Aborts when the page or worker ends. */
  readonly end: AbortSignal;
}

export function makeOutside({ origin, files, clock, end }: OutsideOptions): Outside {
  return {
    ...clock.globals(end),
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
  };
}

const never = (): Promise<never> => new Promise(() => undefined);
