/** The accounts that get something of value, and which of them an account has paid before from this device. */
import { looksLike } from '../../confirm/lookalike.js';
import { type TokenMove, tokenMoves } from '../../confirm/moves.js';
import type { RecipientModel } from '../../confirm/port.js';
import type { TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';

/** As many recipients as an account keeps: the latest ones. */
export const MOST_MET = 500;

type Context = Pick<FlowContext, 'store' | 'config'>;

/** Marks every recipient as known or new. All are new where the memory cannot be read. */
export function markedRecipients(
  context: Context,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<readonly RecipientModel[]> {
  return marked(context, accountId, recipientsOf(transactions));
}

/** The same for the moves that a message allows. */
export function markedInMoves(
  context: Context,
  accountId: string,
  moves: readonly TokenMove[],
): Promise<readonly RecipientModel[]> {
  return marked(context, accountId, [...new Set(moves.flatMap(partiesOf))]);
}

async function marked(
  { store, config }: Context,
  accountId: string,
  ids: readonly string[],
): Promise<readonly RecipientModel[]> {
  const own = [accountId, config.contractId];
  const recipients = ids.filter((id) => !own.includes(id));
  if (recipients.length === 0) return [];
  const met = await store.metRecipients(accountId).catch((error: unknown): readonly string[] => {
    warn(config, 'The recipients of earlier payments could not be read', error);
    return [];
  });
  return recipients.map((id) => {
    const like = looksLike(id, [...met, ...own]);
    return { accountId: id, isNew: !met.includes(id), ...(like !== undefined && { looksLike: like }) };
  });
}

/** Remembers the recipients of payments that succeeded. A memory that cannot be written stops nothing. */
export async function meetRecipients(
  { store, config }: Context,
  accountId: string,
  paid: readonly TransactionRequest[],
): Promise<void> {
  const own = [accountId, config.contractId];
  const recipients = recipientsOf(paid).filter((id) => !own.includes(id));
  if (recipients.length === 0) return;
  await store
    .meetRecipients(accountId, recipients, MOST_MET)
    .catch((error: unknown) => warn(config, 'The recipients of a payment could not be kept', error));
}

/** The accounts that get NEAR or tokens or may take them, and the contracts of those tokens; each once. */
function recipientsOf(transactions: readonly TransactionRequest[]): readonly string[] {
  const recipients = transactions.flatMap((transaction) => [
    ...paidBy(transaction),
    ...tokenMoves(transaction).flatMap(partiesOf),
  ]);
  return [...new Set(recipients)];
}

function partiesOf({ contractId, token, receiverId }: TokenMove): readonly string[] {
  return [contractId, token, ...(receiverId === undefined ? [] : [receiverId])];
}

function paidBy({ receiverId, actions }: TransactionRequest): readonly string[] {
  return actions.flatMap((action) => {
    switch (action.type) {
      case 'Transfer':
        return action.amount === '0' ? [] : [receiverId];
      case 'FunctionCall':
      case 'DeterministicStateInit':
      case 'UniversalStateInit':
      case 'TransferToGasKey':
        return action.deposit === '0' ? [] : [receiverId];
      case 'DeleteAccount':
        return [action.beneficiaryId];
      default:
        return [];
    }
  });
}
