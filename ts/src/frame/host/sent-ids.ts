/** What a request has sent so far, as its reports say: the host needs it when the wallet page stops answering. */
import { errorFrom, FRAME_TEXTS, filled, isLatchkeyError, type LatchkeyError } from '../../errors/frame.js';
import type { Progress } from '../protocol/index.js';

export class SentIds {
  /** By the transaction's place in the request: a transaction that is signed again gets another id. */
  readonly #ids = new Map<unknown, string>();

  /** Notes the transaction that a report names. */
  hear({ data }: Progress): void {
    if (typeof data?.transactionId === 'string') this.#ids.set(data.index, data.transactionId);
  }

  /**
   * Says in the error of a request that ended without the wallet's answer that its outcome is not known yet, with the
   * ids to look up. Returns any other error unchanged, and a cancellation before anything was sent.
   */
  withFate(error: LatchkeyError): LatchkeyError {
    const transactionIds = [...this.#ids.values()];
    const hasSent = transactionIds.length > 0;
    const isLost = isLatchkeyError(error, 'WALLET_FRAME_LOST', 'REQUEST_TIMEOUT');
    const isUnsaid = error.code === 'CANCELLED' && hasSent;
    if (!isLost && !isUnsaid) return error;
    const { lostAfterSending, lostWhileSending } = FRAME_TEXTS;
    return errorFrom({
      code: isUnsaid ? 'REQUEST_TIMEOUT' : error.code,
      message: hasSent ? filled(lostAfterSending, { ids: transactionIds.join(', ') }) : lostWhileSending,
      cause: error,
      details: {
        ...error.details,
        fate: 'unknown',
        ...(hasSent && { transactionId: transactionIds[0], transactionIds }),
      },
    });
  }
}
