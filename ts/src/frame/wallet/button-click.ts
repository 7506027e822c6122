/**
 * A click on the wallet's own transaction button, which showed the transactions: it answers the one confirmation of exactly
 * these that the click led to. Where the confirmation has something to say that the button did not show, it is asked.
 */
import { type ClickSurroundings, clickPlace } from '../../confirm/click-place.js';
import type { Confirmer, ConfirmModel, TransactionsConfirmModel } from '../../confirm/port.js';
import type { Preview } from '../../flows/signing/preview.js';
import { wrapEach } from './wrap-each.js';

export interface ShownTransactions {
  readonly accountId: string;
  /** The digest of what the button showed. */
  readonly digest: string;
  /** What it showed next to the transactions. */
  readonly preview: Preview;
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
    return model.kind === 'transactions' && !(await hasMoreToSay(model, shown.preview));
  }
}

/** Whether the confirmation warns, explains more than a payment or a call, or says anything that the button did not. */
async function hasMoreToSay(model: TransactionsConfirmModel, seen: Preview): Promise<boolean> {
  const { retry, repeats, removes, device, delegate, transactions } = model;
  if (
    [retry, repeats, removes, device, delegate].some((more) => more !== undefined) ||
    transactions.some(({ actions }) => actions.some(({ type }) => !PLAIN.has(type))) ||
    isDearer(model, seen) ||
    namesMore(model, seen)
  )
    return true;
  const { tokenMoves } = await import('../../confirm/moves.js');
  return transactions.flatMap(tokenMoves).some(({ does }) => !TOLD_WHOLE.has(does));
}

/** Whether it costs more than the button said, or more than the account has. */
function isDearer({ cost }: Preview, seen: Preview): boolean {
  if (!cost) return false;
  const total = BigInt(cost.total);
  const isShort = cost.available !== undefined && total > BigInt(cost.available);
  return isShort || !seen.cost || total > BigInt(seen.cost.total);
}

/** Whether a recipient or a token is not as the button showed it. */
function namesMore({ recipients = [], tokens = [] }: Preview, seen: Preview): boolean {
  return (
    recipients.some(({ accountId, isNew, looksLike }) => {
      const shown = seen.recipients?.find((other) => other.accountId === accountId);
      return looksLike !== undefined || !shown || (isNew && !shown.isNew);
    }) ||
    tokens.some(
      ({ contractId, symbol, decimals }) =>
        !seen.tokens?.some(
          (shown) =>
            shown.contractId === contractId && shown.symbol === symbol && shown.decimals === decimals,
        ),
    )
  );
}

/** Actions that the button shows as fully as the confirmation does. */
const PLAIN: ReadonlySet<string> = new Set(['Transfer', 'FunctionCall']);

/** Moves of tokens that take what they say, once: none that lets another account take more later. */
const TOLD_WHOLE: ReadonlySet<string> = new Set(['send', 'withdraw', 'wrap', 'unwrap', 'pay-storage']);

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
    viewerLook: (look) => look,
    errorText: (text) => text,
  });
}
