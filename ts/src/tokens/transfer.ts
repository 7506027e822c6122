import * as v from 'valibot';
import type { ChainNodes } from '../balance.js';
import { INVALID_AMOUNT, LatchkeyError, TOKEN_STORAGE_TOO_DEAR } from '../errors/account.js';
import { assertNearAccountId } from '../near/account-id.js';
import { writeNear } from '../near/near-amount.js';
import { rpcFailure } from '../near/rpc-error.js';
import type { FunctionCallInput } from '../types.js';
import { clientOf, type TokenClient } from './client.js';
import { asToken, unusable } from './metadata.js';

export interface TokenTransferArgs {
  /** The contract that keeps the token. */
  readonly contractId: string;
  readonly receiverId: string;
  /** Decimal digits, in the token's smallest unit: see {@link parseUnits}. */
  readonly amount: string;
}

/** A transfer to be signed: `wallet.executeAction({ nearAccountId, ...call })`. */
export interface TokenTransfer {
  readonly call: { readonly receiverId: string; readonly actionArgs: readonly FunctionCallInput[] };
  /** yoctoNEAR that the sender pays because the receiver has no room in the token's contract yet (NEP-145). */
  readonly storageDeposit?: string;
}

/** 0.1 NEAR. Room for a balance costs 0.00125 NEAR in most contracts. */
const MOST_STORAGE = 10n ** 23n;
const STORAGE_GAS = '10000000000000';
const TRANSFER_GAS = '15000000000000';

const DepositSchema = v.pipe(v.string(), v.regex(/^\d{1,39}$/));
const StorageBalanceSchema = v.nullable(v.object({ total: DepositSchema }));
const BoundsSchema = v.object({ min: DepositSchema });

/**
 * Makes the transfer of a fungible token, in one transaction with the storage deposit of a receiver that lacks it. Both happen, or
 * neither. Rejects with INVALID_ACCOUNT_ID, INVALID_AMOUNT, TOKEN_UNUSABLE, TOKEN_STORAGE_TOO_DEAR or NEAR_RPC_FAILED.
 */
export async function tokenTransfer(
  nodes: ChainNodes,
  { contractId, receiverId, amount }: TokenTransferArgs,
): Promise<TokenTransfer> {
  assertNearAccountId('contractId', contractId);
  assertNearAccountId('receiverId', receiverId);
  if (!/^[1-9]\d{0,38}$/.test(amount)) {
    const wanted = 'a whole number above 0 of the smallest unit';
    throw new LatchkeyError(INVALID_AMOUNT, { values: { value: amount, wanted } });
  }
  const storageDeposit = await missingStorage(clientOf(nodes), contractId, receiverId);
  const transfer: FunctionCallInput = {
    type: 'FunctionCall',
    methodName: 'ft_transfer',
    args: { receiver_id: receiverId, amount },
    gas: TRANSFER_GAS,
    // NEP-141 requires exactly 1 yoctoNEAR.
    deposit: '1',
  };
  if (storageDeposit === undefined) return { call: { receiverId: contractId, actionArgs: [transfer] } };
  const storage: FunctionCallInput = {
    type: 'FunctionCall',
    methodName: 'storage_deposit',
    args: { account_id: receiverId },
    gas: STORAGE_GAS,
    deposit: storageDeposit,
  };
  return { call: { receiverId: contractId, actionArgs: [storage, transfer] }, storageDeposit };
}

/** Undefined where the receiver has room, or the contract wants no deposits. */
async function missingStorage(
  { rpc }: TokenClient,
  contractId: string,
  receiverId: string,
): Promise<string | undefined> {
  const account = { account_id: receiverId };
  const [held, bounds] = await asToken(contractId, () =>
    Promise.all([
      whereOffered(
        rpc.callFunctionJson(StorageBalanceSchema, contractId, 'storage_balance_of', account, {
          agreed: true,
          isNo: (balance) => balance === null,
        }),
      ),
      whereOffered(
        rpc.callFunctionJson(BoundsSchema, contractId, 'storage_balance_bounds', {}, { agreed: true }),
      ),
    ]),
  );
  if (held || (held === undefined && bounds === undefined)) return undefined;
  if (!bounds) throw unusable(contractId, 'it does not say what a storage deposit costs');
  if (BigInt(bounds.min) > MOST_STORAGE) {
    const values = { contractId, receiver: receiverId, price: writeNear(BigInt(bounds.min)) };
    throw new LatchkeyError(TOKEN_STORAGE_TOO_DEAR, { values });
  }
  return bounds.min;
}

/** Undefined where the contract refuses: one without NEP-145 has no such method. */
async function whereOffered<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (rpcFailure(error)?.kind === 'contract') return undefined;
    throw error;
  }
}
