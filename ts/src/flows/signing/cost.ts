/** Estimates what transactions cost, before they are confirmed, and refuses those that the chain would certainly refuse. */
import type { CostModel } from '../../confirm/port.js';
import { atGasPrice, type FeeConfig, KNOWN_FEES, spendableYocto, transactionCost } from '../../near/fees.js';
import type { AccountView, RpcClient } from '../../near/index.js';
import { within } from '../../sleep.js';
import type { TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { Fresh } from '../fresh.js';
import { warn } from '../warn.js';

/**
 * Reads the balance together with the nonce and estimates. Rejects with INSUFFICIENT_BALANCE only when the chain's own
 * prices and the newest balance leave no doubt; an estimate alone refuses nothing. Undefined when there is no estimate.
 */
export async function costOf(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<CostModel | undefined> {
  const [account, fees] = await Promise.all([context.contexts.account(accountId), currentFees(context)]);
  const cost = estimate(accountId, transactions, account, fees);
  if (cost?.available !== undefined && neededToFail(accountId, transactions, BigInt(cost.available))) {
    const { refuseWhatIsTooDear } = await import('./shortage.js');
    await refuseWhatIsTooDear(context, accountId, transactions);
  }
  return cost;
}

function estimate(
  accountId: string,
  transactions: readonly TransactionRequest[],
  account: AccountView | undefined,
  fees: FeeConfig,
): CostModel | undefined {
  let [gas, deposit] = [0n, 0n];
  try {
    for (const transaction of transactions) {
      const { gasYocto, depositYocto } = transactionCost(accountId, transaction, fees);
      gas += gasYocto;
      deposit += depositYocto;
    }
  } catch {
    // A malformed action: the signer worker says what is wrong with it.
    return undefined;
  }
  return {
    gas: String(gas),
    deposit: String(deposit),
    total: String(gas + deposit),
    ...(account && { available: String(spendableYocto(account)) }),
  };
}

/**
 * The balance that the first refused transaction would need; undefined when the chain may take them all. Money sent by
 * plain transfers is gone for the ones that follow; after a call the balance is unknown, because a call may bring money in.
 */
export function neededToFail(
  accountId: string,
  transactions: readonly TransactionRequest[],
  spendable: bigint,
  fees: FeeConfig = KNOWN_FEES,
): bigint | undefined {
  let goneYocto = 0n;
  for (const transaction of transactions) {
    const { gasYocto, depositYocto } = transactionCost(accountId, transaction, fees);
    const needed = goneYocto + gasYocto + depositYocto;
    if (needed > spendable) return needed;
    const isPlain = transaction.actions.every(({ type }) => type === 'Transfer');
    if (!isPlain) return undefined;
    if (transaction.receiverId !== accountId) goneYocto += depositYocto;
  }
  return undefined;
}

/** The price changes by at most 1 % a block. */
const FRESH_MS = 30_000;
/** An estimate is not worth a longer wait. */
const LONGEST_WAIT_MS = 1_500;

/** One reading for each client, since all accounts pay the same price. */
const prices = new WeakMap<RpcClient, Fresh<bigint>>();

/** The prices by which the chain takes a transaction now; the lowest ones where it does not tell in time. */
export async function currentFees({ rpc, config }: Pick<FlowContext, 'rpc' | 'config'>): Promise<FeeConfig> {
  let fresh = prices.get(rpc);
  if (!fresh) {
    fresh = new Fresh(async (signal) => readPrice(rpc, signal), FRESH_MS);
    prices.set(rpc, fresh);
  }
  const reading = fresh.get().catch((error: unknown) => {
    warn(config, 'The price of gas could not be read', error);
    return 0n;
  });
  return atGasPrice(await within(LONGEST_WAIT_MS, reading, 0n));
}

async function readPrice(rpc: RpcClient, signal: AbortSignal): Promise<bigint> {
  const { gas_price: price } = (await rpc.block({ finality: 'final' }, { signal })).header;
  return typeof price === 'string' && /^\d{1,39}$/.test(price) ? BigInt(price) : 0n;
}
