/** The wallet's own transaction button: what it shows, and what a click on it has seen. */
import type { Logger } from '../../config.js';
import { messageOf } from '../../errors/latchkey-error.js';
import { completeTransactions } from '../../flows/signing/actions.js';
import type { Preview } from '../../flows/signing/preview.js';
import type { LocalWallet } from '../../flows/wallet.js';
import { transactionsDigest } from '../../intent/index.js';
import { within } from '../../sleep.js';
import type { Theme, TransactionRequest } from '../../types.js';
import type { TransactionButtonModel } from '../protocol/message.js';
import type { ButtonClick } from './button-click.js';

/** What the wallet's transaction button shows. */
export interface ShownTransactionButton {
  readonly nearAccountId: string;
  /** Complete in every field: what is signed. */
  readonly transactions: readonly TransactionRequest[];
  /** The origin of the page that asks. */
  readonly askedBy: string;
  readonly theme: Theme;
  /**
   * What it shows next to the transactions: fee, tokens, recipients. Never rejects, and is empty where the chain does not
   * answer in time: a click then leads to the confirmation.
   */
  readonly preview: Promise<Preview>;
  /** A click. `seen` is what the user saw next to the transactions; without it the confirmation is shown. */
  readonly sign: (seen?: Preview) => Promise<void>;
}

interface Drawing {
  readonly preview: LocalWallet['preview'];
  readonly click: Pick<ButtonClick, 'during'>;
  readonly draw: (button: ShownTransactionButton, signal: AbortSignal) => Promise<void>;
  readonly warn: Logger['warn'];
  readonly signal: AbortSignal;
}

/** How long the button waits for the chain before it does without. */
const PREVIEW_WAIT_MS = 1_500;

/** Rejects with INVALID_ACTION for transactions that cannot be signed, and where the button cannot be drawn. */
export async function drawTransactionButton(
  {
    nearAccountId,
    transactions: asked,
    sign,
    ...look
  }: TransactionButtonModel & Pick<ShownTransactionButton, 'askedBy' | 'theme'>,
  { preview, click, draw, warn, signal }: Drawing,
): Promise<void> {
  const transactions = completeTransactions(asked);
  const digest = await transactionsDigest(transactions);
  const reading = preview(nearAccountId, transactions).catch((error: unknown) => {
    warn(
      'What the transaction button would show next to its transactions could not be read',
      messageOf(error),
    );
    return {};
  });
  const button: ShownTransactionButton = {
    ...look,
    nearAccountId,
    transactions,
    preview: within<Preview, Preview>(PREVIEW_WAIT_MS, reading, {}),
    sign: (seen) => (seen ? click.during({ accountId: nearAccountId, digest, preview: seen }, sign) : sign()),
  };
  await draw(button, signal);
}
