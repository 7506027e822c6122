/** Signing in a window that was just opened: the account's session opens first. */
import { CANCELLED, errorOf, LatchkeyError, type LatchkeyErrorCode } from '../../errors/core.js';
import { type CallName, callOn, forwardingWallet, type Wallet } from '../../wallet.js';
import type { Patience } from './patience.js';

/** After these no further try helps. */
const ENDS_ASKING: readonly LatchkeyErrorCode[] = ['NO_LOCAL_ACCOUNT', 'HOST_STOPPED', 'HOST_PAUSED'];

/** Asks for the click that a login needs: the first one here of an account, or another try after `error`. */
export type AskToUnlock = (
  accountId: string,
  error: LatchkeyError | undefined,
  signal: AbortSignal,
) => Promise<'confirm' | 'cancel'>;

/** How long the user's patience with this page lasts. */
type Asking = Pick<Patience, 'asking' | 'refused' | 'withdrawn'>;

/** Their account may be on no device yet. */
const OPENS_ITS_OWN: readonly CallName[] = ['connect', 'recoverWithPhrase'];

/**
 * A wallet that logs in the account of each request that has none open: silently by the server lock, else by its passkey. A
 * login that fails, because a browser wants a click for the prompt or the user let it pass, is offered again.
 *
 * An account that was never used through this page begins with a click of the user, whether this browser knows it or not: by
 * the time of an answer a page could try names until it meets the user's.
 */
export function withSession(wallet: Wallet, ask: AskToUnlock, patience: Asking): Wallet {
  /** The window shows one question at a time. */
  let before: Promise<unknown> = Promise.resolve();
  return forwardingWallet(async (call, args) => {
    const [request] = args as readonly unknown[];
    if (!OPENS_ITS_OWN.includes(call) && isOfAccount(request)) {
      const mine = before.then(() => openSession(wallet, request, ask, patience));
      before = mine.catch(() => undefined);
      await mine;
    }
    return callOn(wallet, call, args);
  });
}

interface OfAccount {
  readonly nearAccountId: string;
  readonly options?: { readonly signal?: AbortSignal };
}

function isOfAccount(request: unknown): request is OfAccount {
  return typeof request === 'object' && request !== null && 'nearAccountId' in request;
}

async function openSession(
  wallet: Wallet,
  { nearAccountId, options: { signal = new AbortController().signal } = {} }: OfAccount,
  ask: AskToUnlock,
  patience: Asking,
): Promise<void> {
  signal.throwIfAborted();
  const { isLoggedIn, nearAccountId: known } = await wallet.getLoginState(nearAccountId);
  if (isLoggedIn) return;
  if (known === null) {
    const decision = await patience.asking((over) =>
      ask(nearAccountId, undefined, AbortSignal.any([signal, over])),
    );
    if (decision === 'cancel') {
      patience[signal.aborted ? 'withdrawn' : 'refused']();
      throw new LatchkeyError(CANCELLED);
    }
  }
  for (;;) {
    const { success, ...outcome } = await wallet.loginPasskey(nearAccountId, { signal });
    if (success) return;
    const failed = errorOf(outcome);
    if (failed.code === 'NO_LOCAL_ACCOUNT') patience.refused();
    if (signal.aborted || ENDS_ASKING.includes(failed.code)) throw failed;
    if ((await ask(nearAccountId, failed, signal)) === 'cancel') throw new LatchkeyError(CANCELLED);
  }
}
