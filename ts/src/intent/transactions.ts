/** The digest of transactions: an array of {actions, receiverId}, actions in the specification's snake_case. */
import type {
  AccessKeyPermission,
  Action,
  DeterministicStateInit,
  StateEntry,
  TransactionRequest,
  UniversalStateInit,
} from '../types.js';
import { canonicalJson, type Json } from './canonical-json.js';
import { digestOf } from './digest.js';

/** Approves `transactions`, in this order. */
export async function transactionsDigest(transactions: readonly TransactionRequest[]): Promise<string> {
  return digestOf(transactionsText(transactions));
}

/** The canonical JSON that {@link transactionsDigest} hashes. */
export function transactionsText(transactions: readonly TransactionRequest[]): string {
  return canonicalJson(transactions.map(transactionJson));
}

/** A lane and a strict nonce stand in the text where a transaction has them. */
function transactionJson({ receiverId, actions, lane, nonceMode }: TransactionRequest): {
  readonly [key: string]: Json;
} {
  return {
    receiverId,
    actions: actions.map(actionJson),
    ...(lane !== undefined && { lane }),
    ...(nonceMode === 'Strict' && { nonceMode }),
  };
}

/** A transaction that is signed as a delegate (NEP-366). */
export interface DelegateIntent {
  readonly request: TransactionRequest;
  /** The last block that may carry it: a number of blocks after the challenge's, or the height as a decimal string. */
  readonly end: number | string;
}

/** Approves `delegates`, in this order. */
export async function delegatesDigest(delegates: readonly DelegateIntent[]): Promise<string> {
  return digestOf(delegatesText(delegates));
}

/**
 * The canonical JSON that {@link delegatesDigest} hashes: an object, of several an array. Each has a kind, which no
 * transaction has.
 */
export function delegatesText(delegates: readonly DelegateIntent[]): string {
  const texts = delegates.map(delegateJson);
  return canonicalJson(texts.length === 1 && texts[0] ? texts[0] : texts);
}

function delegateJson({ request, end }: DelegateIntent): Json {
  const until = typeof end === 'number' ? { validForBlocks: end } : { maxBlockHeight: end };
  return { kind: 'delegate', ...transactionJson(request), ...until };
}

function actionJson(action: Action): Json {
  switch (action.type) {
    case 'CreateAccount':
      return { action_type: action.type };
    case 'DeployContract':
      return { action_type: action.type, code: Array.from(action.code) };
    case 'FunctionCall':
      return {
        action_type: action.type,
        method_name: action.methodName,
        // A text for JSON, a list of numbers for bytes: no bytes have the text of JSON arguments.
        args: typeof action.args === 'string' ? action.args : Array.from(action.args),
        gas: action.gas,
        deposit: action.deposit,
      };
    case 'Transfer':
      return { action_type: action.type, deposit: action.amount };
    case 'Stake':
      return { action_type: action.type, stake: action.stake, public_key: action.publicKey };
    case 'AddKey':
      return {
        action_type: action.type,
        public_key: action.publicKey,
        access_key: canonicalJson({ nonce: 0, permission: permissionJson(action.accessKey.permission) }),
      };
    case 'DeleteKey':
      return { action_type: action.type, public_key: action.publicKey };
    case 'DeleteAccount':
      return { action_type: action.type, beneficiary_id: action.beneficiaryId };
    case 'DeployGlobalContract':
      return { action_type: action.type, code: Array.from(action.code), deploy_mode: action.deployMode };
    case 'UseGlobalContract':
      return { action_type: action.type, contract_identifier: action.contractIdentifier };
    case 'DeterministicStateInit':
      return {
        action_type: action.type,
        state_init: stateInitJson(action.stateInit),
        deposit: action.deposit,
      };
    case 'TransferToGasKey':
      return { action_type: action.type, public_key: action.publicKey, deposit: action.deposit };
    case 'WithdrawFromGasKey':
      return { action_type: action.type, public_key: action.publicKey, amount: action.amount };
    case 'UniversalStateInit':
      return {
        action_type: action.type,
        state_init: universalStateInitJson(action.stateInit),
        deposit: action.deposit,
      };
  }
}

function stateInitJson({ V1: { code, data } }: DeterministicStateInit): Json {
  return { V1: { code, data: entriesJson(data) } };
}

function universalStateInitJson({ V1: { code, data, accessKeys } }: UniversalStateInit): Json {
  return { V1: { access_keys: accessKeys, code, data: entriesJson(data) } };
}

function entriesJson(data: readonly StateEntry[]): Json {
  return data.map(({ key, value }) => ({ key: Array.from(key), value: Array.from(value) }));
}

function permissionJson(permission: AccessKeyPermission): Json {
  if (permission === 'FullAccess') return permission;
  if ('GasKeyFullAccess' in permission) {
    return { GasKeyFullAccess: { num_nonces: permission.GasKeyFullAccess.numNonces } };
  }
  if ('GasKeyFunctionCall' in permission) {
    const { numNonces, receiverId, methodNames } = permission.GasKeyFunctionCall;
    const bounds = { num_nonces: numNonces, receiver_id: receiverId, method_names: methodNames };
    return { GasKeyFunctionCall: bounds };
  }
  const { allowance, receiverId, methodNames } = permission.FunctionCall;
  return { FunctionCall: { allowance, receiver_id: receiverId, method_names: methodNames } };
}
