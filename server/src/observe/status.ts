/** What the operator asks first: what the relayer has, what an account costs, and how many more it can pay for today. */

import type { RpcClient } from 'latchkey/internal/server';
import { KNOWN_FEES, spendableYocto } from 'latchkey/internal/server';
import type { RegistrationPrice } from '../registration/price.js';
import type { SpendCount } from '../relayer/spend.js';

/** Sums in yoctoNEAR, as decimal digits. */
export interface RelayStatus {
  readonly relayerAccountId: string;
  /** What the account holds and can spend. */
  readonly balanceYocto: string;
  /** What a registration keeps for good, at most: the new account's balance, its storage, and its gas. */
  readonly accountYocto: string;
  /** What a registration needs at hand while it runs. */
  readonly reserveYocto: string;
  /** The spend cap of 24 hours; null without one. */
  readonly capYocto: string | null;
  /** Spent within 24 hours, or reserved. */
  readonly countedYocto: string;
  /** The reserved part. */
  readonly reservedYocto: string;
  /** What the cap still allows today; null without one. */
  readonly leftYocto: string | null;
  /** How many accounts balance and cap pay for, one after the other. */
  readonly accountsLeft: number;
}

export interface StatusOptions {
  readonly rpc: Pick<RpcClient, 'viewAccount'>;
  readonly relayerAccountId: string;
  readonly price: () => Promise<RegistrationPrice>;
  readonly count: () => SpendCount | Promise<SpendCount>;
  readonly capYocto: bigint | null;
  /** Gas attached to a registration. */
  readonly gas: bigint;
}

export type ReadStatus = () => Promise<RelayStatus>;

/** Rejects while the chain does not answer. */
export function createStatus(options: StatusOptions): ReadStatus {
  const { rpc, relayerAccountId, price, count, capYocto, gas } = options;
  return async () => {
    const [account, { depositYocto, mostYocto }] = await Promise.all([
      rpc.viewAccount(relayerAccountId, { agreed: true }),
      price(),
    ]);
    if (!account) throw new Error(`the account ${relayerAccountId} does not exist`);
    const balanceYocto = spendableYocto(account);
    const accountYocto = depositYocto + gas * BigInt(KNOWN_FEES.min_gas_price);
    const { countedYocto, reservedYocto } = await count();
    const overspent = capYocto !== null && countedYocto > capYocto;
    const leftYocto = capYocto === null ? null : overspent ? 0n : capYocto - countedYocto;
    const sums = [balanceYocto, ...(leftYocto === null ? [] : [leftYocto])];
    const accounts = sums.map((yocto) => (yocto < mostYocto ? 0n : 1n + (yocto - mostYocto) / accountYocto));
    return {
      relayerAccountId,
      balanceYocto: String(balanceYocto),
      accountYocto: String(accountYocto),
      reserveYocto: String(mostYocto),
      capYocto: capYocto === null ? null : String(capYocto),
      countedYocto: String(countedYocto),
      reservedYocto: String(reservedYocto),
      leftYocto: leftYocto === null ? null : String(leftYocto),
      accountsLeft: Number(accounts.reduce((least, each) => (each < least ? each : least))),
    };
  };
}
