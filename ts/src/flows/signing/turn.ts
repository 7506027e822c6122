/** Lets the tabs of this origin sign with one key in turn, so that their nonces seldom overtake each other. */

/** After this long, proceed without the lock: a hanging tab must not stop the others, and re-signing keeps it correct. */
const LONGEST_WAIT_MS = 5_000;

export interface TurnOptions {
  /** Ends the wait; the caller checks it afterwards. */
  readonly signal?: AbortSignal | undefined;
  readonly maxWaitMs?: number;
}

/**
 * Waits for its turn and returns the function that ends it. Single transactions (`shared`) run side by side; a batch
 * (`exclusive`) runs alone, since another nonce between two of its own would make the chain refuse the rest.
 */
export async function takeTurn(
  accountId: string,
  publicKey: string,
  mode: 'shared' | 'exclusive',
  { signal, maxWaitMs = LONGEST_WAIT_MS }: TurnOptions = {},
): Promise<() => void> {
  // An insecure context has no locks: every tab runs on its own.
  const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
  if (!locks) return () => undefined;
  const tooLong = AbortSignal.timeout(maxWaitMs);
  const options = { mode, signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong };
  return new Promise((resolve) => {
    locks
      .request(`latchkey:sign:${accountId}|${publicKey}`, options, () => new Promise<void>(resolve))
      .catch(() => resolve(() => undefined));
  });
}
