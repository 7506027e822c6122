/** Turns of one key's signatures among the tabs of this origin, so that their nonces seldom overtake each other. */

/** Who waits longer goes on alone: a tab that hangs must not stop the others, and re-signing keeps it correct. */
const LONGEST_WAIT_MS = 5_000;

export interface TurnOptions {
  /** Ends the wait: what comes after finds out. */
  readonly signal?: AbortSignal | undefined;
  readonly maxWaitMs?: number;
}

/**
 * Waits for its turn and answers the function that ends it. Single transactions (`shared`) run beside each other; a
 * batch (`exclusive`) runs alone, since another nonce between two of its own would make the chain refuse the rest.
 */
export async function takeTurn(
  accountId: string,
  publicKey: string,
  mode: 'shared' | 'exclusive',
  { signal, maxWaitMs = LONGEST_WAIT_MS }: TurnOptions = {},
): Promise<() => void> {
  // There are no locks where the page is no secure context; then every tab runs alone.
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
