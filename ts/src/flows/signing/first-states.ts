/** First states of universal accounts, which only their own account takes. */
import { INVALID_ACTION, LatchkeyError } from '../../errors/wallet.js';
import { universalAccountId } from '../../near/universal-account.js';
import type { TransactionRequest } from '../../types.js';

/** Rejects with INVALID_ACTION for a first state that makes another account than its receiver: the chain refuses it. */
export async function assertOwnFirstStates(transactions: readonly TransactionRequest[]): Promise<void> {
  for (const { receiverId, actions } of transactions) {
    for (const action of actions) {
      if (action.type !== 'UniversalStateInit') continue;
      const accountId = await universalAccountId(action.stateInit);
      if (accountId === receiverId) continue;
      const reason = `This first state is that of ${accountId}, and the transaction goes to ${receiverId}`;
      throw new LatchkeyError(INVALID_ACTION, { values: { reason } });
    }
  }
}
