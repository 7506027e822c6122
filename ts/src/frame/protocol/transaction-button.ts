/** The wallet's transaction button: its transactions are signed and sent at a click, until they succeed. */
import { isCancellation, toLatchkeyError } from '../../errors/core.js';
import { hasLeft } from '../../failed-results.js';
import type { ActionResult, SignAndSendTransactionsArgs } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { read } from '../read.js';
import type { SentByButton } from '../window-messages.js';
import type { Call } from './message.js';
import type { Schema } from './schemas.js';
import { untilSuccess } from './shown-button.js';

/**
 * Resolves with the results of the click after which every transaction succeeded. Rejects with CANCELLED when the host
 * removes the button.
 */
export function transactionsByButton(
  wallet: Wallet,
  { nearAccountId, transactions, options: wish }: SignAndSendTransactionsArgs,
  { options, services }: Pick<Call<readonly ActionResult[]>, 'options' | 'services'>,
  schema: Schema<readonly ActionResult[]>,
): Promise<readonly ActionResult[]> {
  return untilSuccess(options.signal, ({ signal, succeed, fail }) => {
    const report = (error: string, cancelled: boolean, results?: readonly SentByButton[]): void =>
      services.tellHost({
        type: 'TX_BUTTON_RESULT',
        payload: { ok: false, error, ...(cancelled && { cancelled }), ...(results && { results }) },
      });
    const sign = async (): Promise<void> => {
      services.tellHost({ type: 'TX_BUTTON_SUBMIT', payload: { nearAccountId } });
      try {
        const sent = await wallet.signAndSendTransactions({
          nearAccountId,
          transactions,
          options: { ...wish, ...options },
        });
        const results = read(schema, sent, 'TX_BUTTON_RESULT', 'result');
        const failed = results.find(({ success }) => !success);
        if (failed) {
          const fates = results.map(({ transactionId, fate }) => ({ transactionId, ...(fate && { fate }) }));
          report(failed.error ?? '', failed.errorCode === 'CANCELLED', hasLeft(results) ? fates : undefined);
          return;
        }
        services.tellHost({ type: 'TX_BUTTON_RESULT', payload: { ok: true } });
        succeed(results);
      } catch (thrown) {
        report(toLatchkeyError(thrown, 'Transaction').message, isCancellation(thrown));
      }
    };
    services.showTransactionButton({ nearAccountId, transactions, sign }, signal).catch(fail);
  });
}
