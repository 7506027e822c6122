import { CANCELLED, LatchkeyError } from '../../errors/core.js';

/** A button that the wallet draws in the host's page. */
export interface ShownButton<Result> {
  /** Aborts when the button has to go. */
  readonly signal: AbortSignal;
  /** Ends the button with this result. */
  succeed(result: Result): void;
  /** Ends the button with this error. */
  fail(error: unknown): void;
}

/** Shows a button until a click of it succeeds. Rejects with CANCELLED when the host removes it (`removed`). */
export function untilSuccess<Result>(
  removed: AbortSignal,
  show: (button: ShownButton<Result>) => void,
): Promise<Result> {
  const shown = new AbortController();
  return new Promise((resolve, reject) => {
    const over = (): void => {
      shown.abort();
      removed.removeEventListener('abort', cancel);
    };
    const fail = (error: unknown): void => {
      over();
      reject(error);
    };
    const cancel = (): void => fail(new LatchkeyError(CANCELLED));
    if (removed.aborted) return cancel();
    removed.addEventListener('abort', cancel, { once: true });
    const succeed = (result: Result): void => {
      over();
      resolve(result);
    };
    show({ signal: shown.signal, succeed, fail });
  });
}
