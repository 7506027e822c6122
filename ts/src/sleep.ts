/** Waits; rejects with the signal's reason when it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

/** Waits this long, or until the signal aborts. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  sleep(ms, signal).catch(() => undefined);

/** Settles as the work does; resolves with `late` when it takes longer. The work goes on. */
export async function within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  const over = new AbortController();
  try {
    return await Promise.race([work, pause(ms, over.signal).then(() => late)]);
  } finally {
    over.abort();
  }
}

/** Settles as the work does; rejects with the signal's reason when it aborts. The work goes on. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal?.removeEventListener('abort', abort));
}
