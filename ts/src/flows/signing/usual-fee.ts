/** What a transaction usually burns: far less than the chain takes up front, because a call attaches more gas than it uses. */
import { type FeeConfig, transactionCost } from '../../near/fees.js';
import type { RpcClient } from '../../near/index.js';
import { publishingYocto } from '../../near/publishing.js';
import type { Action, TransactionRequest } from '../../types.js';
import { burntGas } from './burnt-gas.js';

/** An ordinary call burns about this much in the contract's own code. */
const USUAL_CALL_GAS = 2_000_000_000_000n;

/** The yoctoNEAR of the account that a transaction usually burns: as the last call of its method from this page, or else an ordinary call. */
export function usualFee(
  rpc: Pick<RpcClient, 'block'>,
  signerId: string,
  transaction: TransactionRequest,
  fees: FeeConfig,
): bigint {
  return usualGas(rpc, signerId, transaction, fees) + publishingYocto(transaction.actions);
}

function usualGas(
  rpc: Pick<RpcClient, 'block'>,
  signerId: string,
  transaction: TransactionRequest,
  fees: FeeConfig,
): bigint {
  if (transaction.lane !== undefined) return 0n;
  const burnt = burntGas(rpc, transaction);
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
