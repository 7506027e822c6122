/** Estimates what transactions cost, before they are confirmed, and refuses those that the chain would certainly refuse. */
import type { CostModel } from '../../confirm/port.js';
import {
  atGasPrice,
  type FeeConfig,
  FeeConfigSchema,
  insufficientBalance,
  KNOWN_FEES,
  spendableYocto,
  transactionCost,
} from '../../near/fees.js';
import type { AccountView, RpcClient } from '../../near/index.js';
import { publishingYocto } from '../../near/publishing.js';
import { sleep, within } from '../../sleep.js';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
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
      gas += gasYocto + publishingYocto(transaction.actions);
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
function neededToFail(
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
const PRICE_WAIT_MS = 1_500;

/** The prices by which the chain takes a transaction now; the lowest ones where it does not tell in time. */
export async function currentFees({ rpc, config }: Pick<FlowContext, 'rpc' | 'config'>): Promise<FeeConfig> {
  const reading = readPrice(rpc).catch((error: unknown) => {
    warn(config, 'The price of gas could not be read', error);
    return 0n;
  });
  return atGasPrice(await within(PRICE_WAIT_MS, reading, 0n));
}

async function readPrice(rpc: RpcClient): Promise<bigint> {
  const { header } = await rpc.block({ finality: 'final' }, { maxAgeMs: FRESH_MS });
  const { gas_price: price } = header;
  return typeof price === 'string' && /^\d{1,39}$/.test(price) ? BigInt(price) : 0n;
}

/** The unused gas of an earlier transaction has come back after as many blocks. */
const REFUND_BLOCKS = 3;
const LOOK_PAUSE_MS = 300;
/** Over a chain that has not made these blocks by then, nothing is certain. */
const LONGEST_WAIT_MS = 8_000;

/** Rejects with INSUFFICIENT_BALANCE if the account cannot pay. If the chain cannot be asked, the chain decides later. */
export async function refuseWhatIsTooDear(
  context: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<void> {
  const shortage = await certainShortage(context, accountId, transactions);
  if (!shortage) return;
  const comesBack = transactions.flatMap(({ actions }) => actions).every(takesOnlyGas);
  throw insufficientBalance(accountId, shortage.spendable, shortage.neededYocto, { comesBack });
}

/** A call without a deposit: the chain returns the gas that it does not use. */
function takesOnlyGas(action: Action): boolean {
  return action.type === 'FunctionCall' && action.deposit === '0';
}

interface Shortage {
  readonly neededYocto: bigint;
  readonly spendable: bigint;
  /** The block that shows it. */
  readonly height: number;
}

async function certainShortage(
  { rpc, config }: FlowContext,
  accountId: string,
  transactions: readonly TransactionRequest[],
): Promise<Shortage | undefined> {
  try {
    const fees = await rpc.protocolConfig(FeeConfigSchema);
    const look = async (): Promise<Shortage | undefined> => {
      const account = await rpc.viewAccount(accountId, { finality: 'optimistic', afterWrites: true });
      if (!account) return undefined;
      const spendable = spendableYocto(account, fees);
      const neededYocto = neededToFail(accountId, transactions, spendable, fees);
      return neededYocto === undefined ? undefined : { neededYocto, spendable, height: account.block_height };
    };
    let shortage = await look();
    const certainAt = (shortage?.height ?? 0) + REFUND_BLOCKS;
    const end = Date.now() + LONGEST_WAIT_MS;
    while (shortage && shortage.height < certainAt) {
      if (Date.now() >= end) return undefined;
      await sleep(LOOK_PAUSE_MS);
      shortage = await look();
    }
    return shortage;
  } catch (error) {
    warn(config, 'What a transaction costs could not be read', error);
    return undefined;
  }
}
