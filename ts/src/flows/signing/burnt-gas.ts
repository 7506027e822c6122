/** The gas that the calls of this page burnt, which the next call of a method usually burns again. */
import type { RpcClient, TransactionOutcome } from '../../near/index.js';
import type { TransactionRequest } from '../../types.js';

/** For each chain, by the method. Gone with the page. */
const NOTED = new WeakMap<Pick<RpcClient, 'block'>, Map<string, number>>();

/** Notes what a transaction burnt in all of its receipts. */
export function noteBurntGas(
  rpc: Pick<RpcClient, 'block'>,
  transaction: TransactionRequest,
  { transaction_outcome: own, receipts_outcome: receipts = [] }: Partial<TransactionOutcome>,
): void {
  const name = methodOf(transaction);
  if (name === undefined || !own) return;
  const gas = [own, ...receipts].reduce((sum, { outcome }) => sum + outcome.gas_burnt, 0);
  const noted = NOTED.get(rpc) ?? new Map<string, number>();
  NOTED.set(rpc, noted.set(name, gas));
}

/** What the last transaction of the same method burnt; undefined where this page sent none. */
export function burntGas(rpc: Pick<RpcClient, 'block'>, transaction: TransactionRequest): number | undefined {
  return NOTED.get(rpc)?.get(methodOf(transaction) ?? '');
}

/** Names what a transaction calls, if that is one method. */
function methodOf({ receiverId, actions: [call, ...others] }: TransactionRequest): string | undefined {
  return call?.type === 'FunctionCall' && others.length === 0
    ? `${receiverId} ${call.methodName}`
    : undefined;
}
