/** Whether an account certainly cannot pay, by the chain's own prices and the newest balance. Loaded only when likely. */

import { FeeConfigSchema, insufficientBalance, spendableYocto } from '../../near/fees.js';
import { sleep } from '../../sleep.js';
import type { Action, TransactionRequest } from '../../types.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { neededToFail } from './cost.js';

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
