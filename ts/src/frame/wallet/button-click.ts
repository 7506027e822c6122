/**
 * A click on the wallet's own transaction button, which showed the transactions: it answers the one confirmation of exactly
 * these that the click led to. Where the confirmation has something to say that the button did not show, it is asked.
 */
import { type ClickSurroundings, clickPlace } from '../../confirm/click-place.js';
import type { Confirmer, ConfirmModel, TransactionsConfirmModel } from '../../confirm/port.js';
import { wrapEach } from './wrap-each.js';

export interface ShownTransactions {
  readonly accountId: string;
  /** The digest of what the button showed. */
  readonly digest: string;
}

export class ButtonClick {
  #shown: ShownTransactions | undefined;

  /** The user clicked the button that showed these; the click counts until it was used, or `run` has ended. */
  async during<T>(shown: ShownTransactions, run: () => Promise<T>): Promise<T> {
    this.#shown = shown;
    try {
      return await run();
    } finally {
      if (this.#shown === shown) this.#shown = undefined;
    }
  }

  /** Whether the click answers this confirmation. It answers no other one afterwards. */
  async answers(model: ConfirmModel): Promise<boolean> {
    const shown = this.#shown;
    if (!shown || model.digest !== shown.digest || model.accountId !== shown.accountId) return false;
    this.#shown = undefined;
    return model.kind === 'transactions' && !(await hasMoreToSay(model));
  }
}

/** Whether the confirmation warns, explains more than a payment or a call, or says which tokens a call moves. */
async function hasMoreToSay(model: TransactionsConfirmModel): Promise<boolean> {
  const { retry, repeats, removes, device, delegate, recipients = [], transactions } = model;
  if (
    [retry, repeats, removes, device, delegate].some((more) => more !== undefined) ||
    recipients.some(({ looksLike }) => looksLike !== undefined) ||
    transactions.some(({ actions }) => actions.some(({ type }) => !PLAIN.has(type)))
  )
    return true;
  const { tokenMoves } = await import('../../confirm/moves.js');
  return transactions.some((transaction) => tokenMoves(transaction).length > 0);
}

/** Actions that the button shows as fully as the confirmation does. */
const PLAIN: ReadonlySet<string> = new Set(['Transfer', 'FunctionCall']);

/** As `confirmer`, but a click on the button answers where a click in the frame counts. */
export function confirmerWithButton(
  confirmer: Confirmer,
  click: Pick<ButtonClick, 'answers'>,
  at: ClickSurroundings,
): Confirmer {
  return wrapEach(confirmer, {
    show: (show) => async (model, signal) => {
      const isAnswered = clickPlace(model, at) === 'here' && (await click.answers(model));
      return isAnswered && !signal.aborted ? 'confirm' : show(model, signal);
    },
    wait: (wait) => wait,
    choose: (choose) => choose,
    scan: (scan) => scan,
  });
}
