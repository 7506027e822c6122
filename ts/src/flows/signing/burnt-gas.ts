/** The gas that the calls of this page burnt: what the next call of that method usually burns. Gone with the page. */
import type { RpcClient, TransactionOutcome } from '../../near/index.js';
import type { TransactionRequest } from '../../types.js';

/** As many methods as are kept for each chain: the latest ones. */
const MOST_METHODS = 100;
const NOTED = new WeakMap<Pick<RpcClient, 'block'>, Map<string, bigint>>();

/** Notes what a transaction burnt in all of its receipts. */
export function noteBurntGas(
  rpc: Pick<RpcClient, 'block'>,
  transaction: TransactionRequest,
  { transaction_outcome: own, receipts_outcome: receipts = [] }: Partial<TransactionOutcome>,
): void {
  const name = methodOf(transaction);
  if (name === undefined || !own) return;
  const noted = NOTED.get(rpc) ?? new Map<string, bigint>();
  NOTED.set(rpc, noted);
  const gas = [own, ...receipts].reduce((sum, { outcome }) => sum + BigInt(outcome.gas_burnt), 0n);
  noted.delete(name);
  noted.set(name, gas);
  const [oldest] = noted.keys();
  if (noted.size > MOST_METHODS && oldest !== undefined) noted.delete(oldest);
}

/** What the last transaction like this one burnt; undefined where this page sent none. */
export function burntGas(rpc: Pick<RpcClient, 'block'>, transaction: TransactionRequest): bigint | undefined {
  const name = methodOf(transaction);
  return name === undefined ? undefined : NOTED.get(rpc)?.get(name);
}

/** Names what a transaction calls, if that is one method. */
function methodOf({ receiverId, actions: [call, ...others] }: TransactionRequest): string | undefined {
  return call?.type === 'FunctionCall' && others.length === 0
    ? `${receiverId} ${call.methodName}`
    : undefined;
}
