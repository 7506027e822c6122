/** Signing in a window that was just opened: the account's session opens first. */
import { isLatchkeyError, LatchkeyError } from '../../errors/frame.js';
import { type CallName, callOn, forwardingWallet, type Wallet } from '../../wallet.js';

/** Asks for the click that another try of the login needs. */
export type AskToUnlock = (
  accountId: string,
  error: string,
  signal: AbortSignal,
) => Promise<'confirm' | 'cancel'>;

/** Their account may be on no device yet. */
const OPENS_ITS_OWN: readonly CallName[] = ['connect', 'recoverWithPhrase'];

/**
 * A wallet that logs in the account of each request that has none open: silently by the server lock, else by its passkey. A
 * login that fails, because a browser wants a click for the prompt or the user let it pass, is offered again.
 */
export function withSession(wallet: Wallet, ask: AskToUnlock): Wallet {
  return forwardingWallet(async (call, args) => {
    const [request] = args as readonly unknown[];
    if (!OPENS_ITS_OWN.includes(call) && isOfAccount(request)) await openSession(wallet, request, ask);
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
): Promise<void> {
  const { isLoggedIn } = await wallet.getLoginState(nearAccountId);
  if (isLoggedIn) return;
  for (;;) {
    const {
      success,
      error = '',
      errorCode = 'UNKNOWN',
    } = await wallet.loginPasskey(nearAccountId, { signal });
    if (success) return;
    const failed = new LatchkeyError(errorCode, { message: error });
    if (signal.aborted || isLatchkeyError(failed, 'NO_LOCAL_ACCOUNT', 'HOST_STOPPED', 'HOST_PAUSED'))
      throw failed;
    if ((await ask(nearAccountId, error, signal)) === 'cancel') throw new LatchkeyError('CANCELLED');
  }
}
