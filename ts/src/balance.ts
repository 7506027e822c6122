/** What an account has, for a page that shows it. A page loads it by its own path, `latchkey/balance`. */
import type { ResolvedConfig } from './config.js';
import { spendableYocto } from './near/fees.js';
import { createRpcClient } from './near/index.js';

/** Amounts in yoctoNEAR (10^-24 NEAR), as decimal strings. */
export interface AccountBalance {
  /** All that the account owns, staked or not. */
  readonly total: string;
  /** What it can spend: without what is staked, and without what its storage locks. */
  readonly spendable: string;
}

/** The nodes of a configuration, such as that of a PasskeyManager. */
export type ChainNodes = Pick<ResolvedConfig, 'rpcUrls' | 'rpcAgreement'>;

/**
 * Reads the balance of an account from the newest block of a node: it is for show, and no agreement of nodes is asked for. Null
 * if there is no such account. Rejects with NEAR_RPC_FAILED.
 */
export async function readBalance(nodes: ChainNodes, accountId: string): Promise<AccountBalance | null> {
  const rpc = createRpcClient({ urls: nodes.rpcUrls, agreement: nodes.rpcAgreement });
  const account = await rpc.viewAccount(accountId, { finality: 'optimistic' });
  if (!account) return null;
  return {
    total: String(BigInt(account.amount) + BigInt(account.locked)),
    spendable: String(spendableYocto(account)),
  };
}
