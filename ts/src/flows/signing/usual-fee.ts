/** What a transaction usually burns: far less than the chain takes up front, because a call attaches more gas than it uses. */
import { type FeeConfig, transactionCost } from '../../near/fees.js';
import type { RpcClient, TransactionOutcome } from '../../near/index.js';
import type { Action, TransactionRequest } from '../../types.js';

/** An ordinary call burns about this much in the contract's own code. */
const USUAL_CALL_GAS = 2_000_000_000_000n;

/** The gas that the calls of this page burnt, for each chain by its method. Gone with the page. */
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

/** The yoctoNEAR that a transaction usually burns: as the last call of its method from this page, or else an ordinary call. */
export function usualFee(
  rpc: Pick<RpcClient, 'block'>,
  signerId: string,
  transaction: TransactionRequest,
  fees: FeeConfig,
): bigint {
  const burnt = NOTED.get(rpc)?.get(methodOf(transaction) ?? '');
  if (burnt !== undefined) return BigInt(burnt) * BigInt(fees.min_gas_price);
  const actions = transaction.actions.map(asUsual);
  // What is burnt has the price of its block, not the higher one at which gas is bought.
  const runtime_config = { ...fees.runtime_config, min_gas_purchase_price: '0' };
  return transactionCost(signerId, { ...transaction, actions }, { ...fees, runtime_config }).gasYocto;
}

function asUsual(action: Action): Action {
  return action.type === 'FunctionCall' && BigInt(action.gas) > USUAL_CALL_GAS
    ? { ...action, gas: String(USUAL_CALL_GAS) }
    : action;
}

/** Names what a transaction calls, if that is one method. */
function methodOf({ receiverId, actions: [call, ...others] }: TransactionRequest): string | undefined {
  return call?.type === 'FunctionCall' && others.length === 0
    ? `${receiverId} ${call.methodName}`
    : undefined;
}
