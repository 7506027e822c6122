/**
 * A transaction's cost to its signer before it runs, by nearcore's rule: sending gas is burnt at the block's price,
 * execution gas is bought at no less than the purchase price (protocol 85 on), and deposits are deducted. The chain
 * refunds bought gas that is not used.
 */
import * as v from 'valibot';
import { INSUFFICIENT_BALANCE, LatchkeyError } from '../errors/account.js';
import { COMES_BACK_TEXT } from '../errors/comes-back.js';
import type { Action, GlobalContractIdentifier, TransactionRequest } from '../types.js';
import { isImplicitAccountId, MAX_LENGTH } from './account-id.js';
import { callBoundsOf, lanesOf } from './key-permission.js';
import { writeNear } from './near-amount.js';
import { type AccountView, AmountSchema, WholeNumberSchema } from './rpc-answer.js';
import { isUniversalAccountId, universalStateBorsh } from './universal-account.js';

const GasSchema = v.pipe(v.number(), v.minValue(0));
const FeeSchema = v.looseObject({ send_sir: GasSchema, send_not_sir: GasSchema, execution: GasSchema });
const YoctoSchema = v.union([AmountSchema, WholeNumberSchema]);

/** The part of `EXPERIMENTAL_protocol_config` that prices a transaction. */
export const FeeConfigSchema = v.looseObject({
  min_gas_price: YoctoSchema,
  runtime_config: v.looseObject({
    storage_amount_per_byte: YoctoSchema,
    min_gas_purchase_price: v.optional(YoctoSchema, '0'),
    transaction_costs: v.looseObject({
      action_receipt_creation_config: FeeSchema,
      action_creation_config: v.looseObject({
        create_account_cost: FeeSchema,
        deploy_contract_cost: FeeSchema,
        deploy_contract_cost_per_byte: FeeSchema,
        function_call_cost: FeeSchema,
        function_call_cost_per_byte: FeeSchema,
        transfer_cost: FeeSchema,
        stake_cost: FeeSchema,
        add_key_cost: v.looseObject({
          full_access_cost: FeeSchema,
          function_call_cost: FeeSchema,
          function_call_cost_per_byte: FeeSchema,
        }),
        delete_key_cost: FeeSchema,
        delete_account_cost: FeeSchema,
      }),
    }),
  }),
});

export type FeeConfig = v.InferOutput<typeof FeeConfigSchema>;
type Fee = v.InferOutput<typeof FeeSchema>;

const same = (gas: number): Fee => ({ send_sir: gas, send_not_sir: gas, execution: gas });
const perByte = (own: number, sendOther: number, execution = own): Fee => ({
  send_sir: own,
  send_not_sir: sendOther,
  execution,
});

// Not in `EXPERIMENTAL_protocol_config`. What a global contract costs besides is as dear as deploying one for oneself.
const GLOBAL_CODE_PER_BYTE = perByte(6_812_999, 47_683_715, 70_000_000);
const STATE_INIT: Fee = { ...same(500_000_000_000), execution: 7_430_000_000_000 };
const STATE_INIT_PER_ENTRY: Fee = { ...same(0), execution: 200_000_000_000 };
const STATE_INIT_PER_BYTE: Fee = { ...same(72_000_000), execution: 70_000_000 };
const UNIVERSAL_PER_ENTRY: Fee = { ...same(3_100_000_000), execution: 200_000_000_000 };
const UNIVERSAL_PER_BYTE: Fee = { ...same(78_000_000), execution: 74_000_000 };
const GAS_KEY_TRANSFER: Fee = { ...same(115_123_062_500), execution: 235_676_644_250 };
const GAS_KEY_LANE: Fee = { ...same(0), execution: 64_196_736_000 };
// A byte of a gas key costs by itself when it is sent, and with its place in the state when it is written.
const GAS_KEY_BYTE_SENT: Fee = { ...same(59_357_464), execution: 0 };
const GAS_KEY_BYTE_WRITTEN: Fee = { ...same(0), execution: 101_435_400 };
/** Bytes of the balance and the number of lanes (near-primitives-core, `GasKeyInfo`), and of the smallest gas key. */
const GAS_KEY_INFO_BYTES = 18;
const GAS_KEY_BYTES = 27;
/** Bytes of a lane beyond its key's: its number and its nonce. */
const LANE_BYTES = 2 + 8;

/** Prices of protocol 88, for estimates; a test compares them with the chain's own. */
export const KNOWN_FEES: FeeConfig = {
  min_gas_price: '100000000',
  runtime_config: {
    storage_amount_per_byte: '10000000000000000000',
    min_gas_purchase_price: '1000000000',
    transaction_costs: {
      action_receipt_creation_config: same(108_059_500_000),
      action_creation_config: {
        create_account_cost: { ...same(500_000_000_000), execution: 7_200_000_000_000 },
        deploy_contract_cost: same(184_765_750_000),
        deploy_contract_cost_per_byte: perByte(6_812_999, 47_683_715, 64_572_944),
        function_call_cost: { ...same(200_000_000_000), execution: 780_000_000_000 },
        function_call_cost_per_byte: perByte(2_235_934, 47_683_715),
        transfer_cost: same(115_123_062_500),
        stake_cost: { ...same(141_715_687_500), execution: 102_217_625_000 },
        add_key_cost: {
          full_access_cost: same(101_765_125_000),
          function_call_cost: same(102_217_625_000),
          function_call_cost_per_byte: perByte(1_925_331, 47_683_715),
        },
        delete_key_cost: same(94_946_625_000),
        delete_account_cost: same(147_489_000_000),
      },
    },
  },
};

/** The prices while gas costs this much (yoctoNEAR); the chain's lowest price where that is higher. */
export function atGasPrice(price: bigint): FeeConfig {
  return price > BigInt(KNOWN_FEES.min_gas_price)
    ? { ...KNOWN_FEES, min_gas_price: String(price) }
    : KNOWN_FEES;
}

export interface TransactionCost {
  /** yoctoNEAR for gas: burnt to send, and bought for execution. */
  readonly gasYocto: bigint;
  /** yoctoNEAR that the actions transfer or attach. */
  readonly depositYocto: bigint;
}

/**
 * The amount the chain deducts from the signer's account before the transaction runs, at the lowest gas price unless `config`
 * comes from {@link atGasPrice}. In a lane, the gas key pays for the gas.
 */
export function transactionCost(
  signerId: string,
  { receiverId, actions, lane }: TransactionRequest,
  config: FeeConfig = KNOWN_FEES,
): TransactionCost {
  const { min_gas_price, runtime_config: runtime } = config;
  const costs = runtime.transaction_costs;
  const send = signerId === receiverId ? 'send_sir' : 'send_not_sir';
  let burnt = BigInt(costs.action_receipt_creation_config[send]);
  let bought = BigInt(costs.action_receipt_creation_config.execution);
  let depositYocto = 0n;
  for (const action of actions) {
    for (const [fee, times] of feesOf(action, receiverId, config)) {
      burnt += BigInt(fee[send]) * BigInt(times);
      bought += BigInt(fee.execution) * BigInt(times);
    }
    if (action.type === 'FunctionCall') bought += BigInt(action.gas);
    depositYocto += depositOf(action);
  }
  const gasYocto = burnt * BigInt(min_gas_price) + boughtYocto(bought, config);
  return { gasYocto: lane === undefined ? gasYocto : 0n, depositYocto };
}

/** yoctoNEAR needed to buy an amount of gas; the chain refunds what is not burnt. */
export function boughtYocto(gas: bigint, { min_gas_price, runtime_config }: FeeConfig = KNOWN_FEES): bigint {
  const price = BigInt(min_gas_price);
  const purchasePrice = BigInt(runtime_config.min_gas_purchase_price);
  return gas * (price > purchasePrice ? price : purchasePrice);
}

/** yoctoNEAR that an action transfers or attaches. A stake is no deposit: the chain locks it when the action runs. */
export function depositOf(action: Action): bigint {
  switch (action.type) {
    case 'FunctionCall':
    case 'DeterministicStateInit':
    case 'TransferToGasKey':
    case 'UniversalStateInit':
      return BigInt(action.deposit);
    case 'Transfer':
      return BigInt(action.amount);
    default:
      return 0n;
  }
}

/** yoctoNEAR that several actions transfer or attach. */
export function depositOfAll(actions: readonly Action[]): bigint {
  return actions.reduce((sum, action) => sum + depositOf(action), 0n);
}

/** The fees of an action on the receiver's account, each with its multiplicity. */
function feesOf(
  action: Action,
  receiverId: string,
  { runtime_config }: FeeConfig,
): readonly (readonly [Fee, number])[] {
  const costs = runtime_config.transaction_costs.action_creation_config;
  switch (action.type) {
    case 'CreateAccount':
      return [[costs.create_account_cost, 1]];
    case 'DeployContract':
      return [
        [costs.deploy_contract_cost, 1],
        [costs.deploy_contract_cost_per_byte, action.code.length],
      ];
    case 'FunctionCall':
      return [
        [costs.function_call_cost, 1],
        [costs.function_call_cost_per_byte, utf8Length(action.methodName) + argsLength(action.args)],
      ];
    case 'Transfer': {
      // Pays for making the account, whether or not it exists; for its key too where the id is one (nearcore, `transfer_send_fee`).
      const makes = isImplicitAccountId(receiverId) || isUniversalAccountId(receiverId);
      return [
        [costs.transfer_cost, 1],
        [costs.create_account_cost, makes ? 1 : 0],
        [costs.add_key_cost.full_access_cost, makes && receiverId.length === MAX_LENGTH ? 1 : 0],
      ];
    }
    case 'Stake':
      return [[costs.stake_cost, 1]];
    case 'AddKey': {
      const { permission } = action.accessKey;
      const bounds = callBoundsOf(permission);
      const lanes = lanesOf(permission) ?? 0;
      const laneBytes = recordBytes(receiverId, action.publicKey) + LANE_BYTES;
      // Each name is charged with its terminating zero byte.
      const bytes = bounds?.methodNames.reduce((sum, name) => sum + utf8Length(name) + 1, 0) ?? 0;
      return [
        [bounds ? costs.add_key_cost.function_call_cost : costs.add_key_cost.full_access_cost, 1],
        [costs.add_key_cost.function_call_cost_per_byte, bytes],
        [GAS_KEY_BYTE_SENT, lanes > 0 ? GAS_KEY_INFO_BYTES : 0],
        [GAS_KEY_LANE, lanes],
        [GAS_KEY_BYTE_WRITTEN, lanes * laneBytes],
      ];
    }
    case 'TransferToGasKey':
    case 'WithdrawFromGasKey':
      return [
        [GAS_KEY_TRANSFER, 1],
        [GAS_KEY_BYTE_SENT, handleBytes(action.publicKey)],
        [GAS_KEY_BYTE_WRITTEN, recordBytes(receiverId, action.publicKey) + GAS_KEY_BYTES],
      ];
    case 'DeleteKey':
      return [[costs.delete_key_cost, 1]];
    case 'DeleteAccount':
      return [[costs.delete_account_cost, 1]];
    case 'DeployGlobalContract':
      return [
        [costs.deploy_contract_cost, 1],
        [GLOBAL_CODE_PER_BYTE, action.code.length],
      ];
    case 'UseGlobalContract':
      return [
        [costs.deploy_contract_cost, 1],
        [costs.deploy_contract_cost_per_byte, identifierLength(action.contractIdentifier)],
      ];
    case 'DeterministicStateInit': {
      const { data } = action.stateInit.V1;
      const bytes = data.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
      return [
        [STATE_INIT, 1],
        [STATE_INIT_PER_ENTRY, data.length],
        [STATE_INIT_PER_BYTE, bytes],
      ];
    }
    case 'UniversalStateInit': {
      const { data, accessKeys } = action.stateInit.V1;
      return [
        [STATE_INIT, 1],
        [UNIVERSAL_PER_ENTRY, data.length],
        [UNIVERSAL_PER_BYTE, universalStateBorsh(action.stateInit).length],
        [costs.add_key_cost.full_access_cost, accessKeys.length],
      ];
    }
  }
}

/** Bytes of a key as the chain stores it, with the byte of its kind: an ML-DSA-65 key counts with its hash. */
function handleBytes(publicKey: string): number {
  return publicKey.startsWith('secp256k1:') ? 65 : 33;
}

/** Bytes of the place of a key in the state: a column, the account, a separator and the key. */
function recordBytes(accountId: string, publicKey: string): number {
  return 1 + accountId.length + 1 + handleBytes(publicKey);
}

function argsLength(args: string | Uint8Array): number {
  return typeof args === 'string' ? utf8Length(args) : args.length;
}

/** A hash counts with its 32 bytes. */
function identifierLength(identifier: GlobalContractIdentifier): number {
  return 'AccountId' in identifier ? identifier.AccountId.length : 32;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Accounts that use at most this many bytes need no balance for storage (NEP-448). */
const FREE_STORAGE_BYTES = 770;

/** yoctoNEAR that an account can spend: its balance minus what its storage locks. */
export function spendableYocto(
  { amount, locked, storage_usage }: AccountView,
  { runtime_config }: FeeConfig = KNOWN_FEES,
): bigint {
  if (storage_usage <= FREE_STORAGE_BYTES) return BigInt(amount);
  const needed = BigInt(runtime_config.storage_amount_per_byte) * BigInt(storage_usage) - BigInt(locked);
  const spendable = BigInt(amount) - (needed > 0n ? needed : 0n);
  return spendable > 0n ? spendable : 0n;
}

/** Throws INSUFFICIENT_BALANCE if the account cannot spend `neededYocto`. `more` as for {@link insufficientBalance}. */
export function assertSpendable(
  accountId: string,
  account: AccountView,
  neededYocto: bigint,
  more?: ShortageTold,
): void {
  const spendable = spendableYocto(account);
  if (spendable < neededYocto) throw insufficientBalance(accountId, spendable, neededYocto, more);
}

interface ShortageTold {
  /** Whether most of the needed amount returns: gas that a call does not use, a deposit that the registry pays back. */
  readonly comesBack?: boolean;
  readonly cause?: unknown;
}

export function insufficientBalance(
  account: string,
  spendable: bigint,
  neededYocto: bigint,
  { comesBack = false, cause }: ShortageTold = {},
): LatchkeyError {
  return new LatchkeyError(INSUFFICIENT_BALANCE, {
    values: {
      account,
      balance: shown(spendable),
      needed: shown(neededYocto + SHOWN_YOCTO - 1n),
      reason: comesBack ? COMES_BACK_TEXT : '',
    },
    details: { balanceYocto: String(spendable), neededYocto: String(neededYocto) },
    cause,
  });
}

/** Users see five decimals of a NEAR: the balance rounded down, the needed amount rounded up. */
const SHOWN_YOCTO = 10n ** 19n;

function shown(yocto: bigint): string {
  return writeNear(yocto - (yocto % SHOWN_YOCTO));
}
