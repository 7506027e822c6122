/** What gas costs now: the price moves with the load of the chain. */

import { atGasPrice, type FeeConfig } from '../../near/fees.js';
import type { RpcClient } from '../../near/index.js';
import { within } from '../../sleep.js';
import type { FlowContext } from '../context.js';
import { warn } from '../warn.js';
import { Fresh } from './fresh.js';

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
