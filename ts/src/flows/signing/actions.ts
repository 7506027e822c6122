/** Checks callers' actions and completes them to the form that is shown, hashed and signed. */

import { base58 } from '@scure/base';
import { bytesOf } from '../../bytes.js';
import { INVALID_ACTION, LatchkeyError, messageOf, NO_PAYLOADS } from '../../errors/wallet.js';
import { isRecord } from '../../is-record.js';
import { kindOf, writeJson } from '../../json.js';
import { assertNearAccountId } from '../../near/account-id.js';
import { isEd25519Key, isKeyHandle, isMlDsaHandle, isPublicKey } from '../../near/public-key.js';
import { universalIdProblem } from '../../near/universal-account.js';
import type {
  AccessKeyPermission,
  Action,
  ActionInput,
  CallArguments,
  FunctionCallInput,
  GlobalContractIdentifier,
  StateEntry,
  TransactionInput,
  TransactionRequest,
} from '../../types.js';

/** Most lanes that the chain gives a gas key (near-primitives-core, `MAX_NONCES_FOR_GAS_KEY`). */
export const MAX_LANES = 1_024;

const DEFAULT_GAS = '30000000000000';
const DEFAULT_DEPOSIT = '0';
const AMOUNT = /^\d+$/;
const IN_YOCTO = "in yoctoNEAR as a decimal text, as parseNear('0.5') makes it";

/**
 * The transactions, complete in every field. Returns copies, so that the caller cannot change what is signed after it was
 * shown. Throws NO_PAYLOADS, INVALID_ACTION or INVALID_ACCOUNT_ID.
 */
export function completeTransactions(transactions: readonly TransactionInput[]): TransactionRequest[] {
  assertList(transactions);
  if (transactions.length === 0) throw new LatchkeyError(NO_PAYLOADS);
  return (transactions as readonly (TransactionInput | undefined)[]).map((transaction) => {
    const { receiverId, actions } = transaction ?? {};
    // JSON has null for what is absent.
    const lane = transaction?.lane ?? undefined;
    const nonceMode = transaction?.nonceMode ?? 'Monotonic';
    if (!receiverId) throw invalid('A transaction needs a receiverId');
    assertNearAccountId('receiverId', receiverId);
    const problem = universalIdProblem(receiverId);
    if (problem) throw invalid(problem);
    if (lane !== undefined && !(Number.isInteger(lane) && lane >= 0 && lane < MAX_LANES))
      throw invalid(`A transaction has its lane as a whole number below ${MAX_LANES}`);
    if (nonceMode !== 'Monotonic' && nonceMode !== 'Strict')
      throw invalid("A transaction has nonceMode as 'Monotonic' or 'Strict'");
    if (!Array.isArray(actions) || actions.length === 0)
      throw invalid('A transaction needs at least one action');
    return {
      receiverId,
      actions: actions.map((action) => structuredClone(completeAction(action))),
      ...(lane !== undefined && { lane }),
      ...(nonceMode === 'Strict' && { nonceMode }),
    };
  });
}

/** Throws INVALID_ACTION, which names what the chain takes in no delegate. */
export function assertDelegable(transactions: readonly TransactionRequest[]): void {
  if (transactions.some(({ lane }) => lane !== undefined))
    throw invalid('A delegate has no lane: the chain takes none that a gas key signed');
  if (transactions.some(({ nonceMode }) => nonceMode === 'Strict'))
    throw invalid('A delegate has no strict nonce: only a transaction has one');
  if (transactions.some(({ actions }) => actions.some(({ type }) => type === 'WithdrawFromGasKey')))
    throw invalid('A delegate cannot take back from a gas key: only a transaction of the account can');
}

/** Throws INVALID_ACTION for anything but a list. */
export function assertList(transactions: readonly unknown[]): void {
  if (!Array.isArray(transactions)) throw invalid('Transactions come as a list of { receiverId, actions }');
}

export function completeAction(action: ActionInput): Action {
  const given: unknown = action;
  if (!isRecord(given)) throw invalid("An action is an object with a type, such as { type: 'Transfer' }");
  switch (action.type) {
    case 'FunctionCall':
      return completeFunctionCall(action);
    case 'Transfer':
      return { ...action, amount: amount(`Transfer needs an amount ${IN_YOCTO}`, action.amount) };
    case 'Stake':
      assertPublicKey(action.type, action.publicKey);
      if (!isEd25519Key(action.publicKey))
        throw invalid('Stake needs an ed25519 key: validators have no other');
      return { ...action, stake: amount(`Stake needs a stake ${IN_YOCTO}`, action.stake) };
    case 'DeployContract':
      return { ...action, code: codeOf(action) };
    case 'AddKey':
      assertPublicKey(action.type, action.publicKey);
      if (!action.accessKey?.permission) throw invalid('AddKey needs an accessKey');
      return { ...action, accessKey: { permission: completePermission(action.accessKey.permission) } };
    case 'DeleteKey':
      assertPublicKey(action.type, action.publicKey);
      return action;
    case 'DeleteAccount':
      if (!action.beneficiaryId) throw invalid('DeleteAccount needs a beneficiaryId');
      assertNearAccountId('beneficiaryId', action.beneficiaryId);
      return action;
    case 'CreateAccount':
      return action;
    case 'DeployGlobalContract':
      if (action.deployMode !== 'CodeHash' && action.deployMode !== 'AccountId')
        throw invalid("DeployGlobalContract needs deployMode as 'CodeHash' or 'AccountId'");
      return { ...action, code: codeOf(action) };
    case 'UseGlobalContract':
      return { ...action, contractIdentifier: globalContract(action.type, action.contractIdentifier) };
    case 'DeterministicStateInit':
      return completeStateInit(action);
    case 'TransferToGasKey':
      assertPublicKey(action.type, action.publicKey);
      return { ...action, deposit: amount(`TransferToGasKey needs a deposit ${IN_YOCTO}`, action.deposit) };
    case 'WithdrawFromGasKey':
      assertPublicKey(action.type, action.publicKey);
      return { ...action, amount: amount(`WithdrawFromGasKey needs an amount ${IN_YOCTO}`, action.amount) };
    case 'UniversalStateInit':
      return completeUniversalState(action);
    default:
      throw invalid(`Unsupported action type: ${String((action as { readonly type: unknown }).type)}`);
  }
}

function codeOf({ type, code }: { readonly type: string; readonly code: unknown }): Uint8Array {
  const bytes = bytesOf(code);
  if (!bytes || bytes.length === 0) throw invalid(`${type} needs code as a Uint8Array that is not empty`);
  return bytes;
}

/** An absent allowance means null, no limit; absent method names mean an empty list, every method. */
function completePermission(permission: unknown): AccessKeyPermission {
  if (permission === 'FullAccess') return permission;
  const given = isRecord(permission) ? permission : {};
  const { FunctionCall: call, GasKeyFunctionCall: gasKeyCall, GasKeyFullAccess: gasKey } = given;
  if (Object.keys(given).length === 1) {
    if (isRecord(call)) {
      const { allowance = null } = call;
      const problem = 'AddKey needs FunctionCall.allowance in yoctoNEAR as a decimal text, or null';
      const limit = allowance === null ? null : amount(problem, allowance);
      return { FunctionCall: { ...completeBounds('FunctionCall', call), allowance: limit } };
    }
    if (isRecord(gasKeyCall)) {
      const numNonces = laneCount('GasKeyFunctionCall', gasKeyCall);
      return { GasKeyFunctionCall: { numNonces, ...completeBounds('GasKeyFunctionCall', gasKeyCall) } };
    }
    if (isRecord(gasKey)) return { GasKeyFullAccess: { numNonces: laneCount('GasKeyFullAccess', gasKey) } };
  }
  throw invalid(
    "AddKey needs accessKey.permission as 'FullAccess', { FunctionCall }, { GasKeyFunctionCall } or { GasKeyFullAccess }",
  );
}

function completeBounds(kind: string, bounds: Readonly<Record<string, unknown>>) {
  const { receiverId } = bounds;
  const methodNames = bounds.methodNames ?? [];
  if (typeof receiverId !== 'string' || receiverId === '') {
    throw invalid(`AddKey needs ${kind}.receiverId, the account id of a contract`);
  }
  assertNearAccountId(`${kind}.receiverId`, receiverId);
  if (!isTexts(methodNames)) throw invalid(`AddKey needs ${kind}.methodNames as a list of texts`);
  return { receiverId, methodNames: [...methodNames] };
}

function laneCount(kind: string, { numNonces, allowance = null }: Readonly<Record<string, unknown>>): number {
  if (allowance !== null)
    throw invalid(`AddKey takes no allowance in ${kind}: the balance of a gas key is its limit`);
  const isCount = typeof numNonces === 'number' && Number.isInteger(numNonces);
  if (!isCount || numNonces < 1 || numNonces > MAX_LANES)
    throw invalid(`AddKey needs ${kind}.numNonces, the number of lanes, from 1 to ${MAX_LANES}`);
  return numNonces;
}

function globalContract(type: string, identifier: unknown): GlobalContractIdentifier {
  if (isRecord(identifier)) {
    const { CodeHash: hash, AccountId: accountId } = identifier;
    if (typeof hash === 'string' && accountId === undefined) return { CodeHash: hash };
    if (typeof accountId === 'string' && hash === undefined) return { AccountId: accountId };
  }
  throw invalid(`${type} needs a contract as { CodeHash } in base58, or { AccountId }`);
}

/** The entries of the state in the chain's order. */
function completeStateInit(action: Extract<Action, { type: 'DeterministicStateInit' }>): Action {
  const { type, stateInit, deposit } = action;
  const state: unknown = stateInit?.V1;
  const data = isRecord(state) ? stateEntries(state.data) : undefined;
  if (!isRecord(state) || !data)
    throw invalid(
      `${type} needs stateInit as { V1: { code, data: [{ key, value }] } }, keys and values as bytes`,
    );
  return {
    type,
    stateInit: { V1: { code: globalContract(type, state.code), data } },
    deposit: amount(`${type} needs a deposit ${IN_YOCTO}`, deposit),
  };
}

/** Entries and keys of the state in the chain's order. */
function completeUniversalState(action: Extract<Action, { type: 'UniversalStateInit' }>): Action {
  const { type, stateInit, deposit } = action;
  const state: unknown = stateInit?.V1;
  const { code = null, data: given = [], accessKeys = [] } = isRecord(state) ? state : {};
  const data = stateEntries(given);
  if (!isRecord(state) || !data || !Array.isArray(accessKeys))
    throw invalid(
      `${type} needs stateInit as { V1: { code, data: [{ key, value }], accessKeys } }, keys and values of data as bytes`,
    );
  for (const key of accessKeys) {
    if (!isKeyHandle(key))
      throw invalid(`${type} needs accessKeys as ed25519:, secp256k1: or ml-dsa-65-hash: and base58`);
  }
  if (code === null && accessKeys.length === 0)
    throw invalid(`${type} needs code or accessKeys: an account without either can never act`);
  return {
    type,
    stateInit: {
      V1: {
        code: code === null ? null : globalContract(type, code),
        data,
        accessKeys: [...(accessKeys as readonly string[])].sort(compareHandles),
      },
    },
    deposit: amount(`${type} needs a deposit ${IN_YOCTO}`, deposit),
  };
}

/** By kind, as the chain numbers them, then by bytes. */
function compareHandles(one: string, other: string): number {
  const [kind, otherKind] = [KINDS.indexOf(kindOfKey(one)), KINDS.indexOf(kindOfKey(other))];
  return kind - otherKind || compareBytes(bytesOfKey(one), bytesOfKey(other));
}

const KINDS = ['ed25519', 'secp256k1', 'ml-dsa-65-hash'];
const kindOfKey = (key: string): string => key.slice(0, key.indexOf(':'));
const bytesOfKey = (key: string): Uint8Array => base58.decode(key.slice(key.indexOf(':') + 1));

function stateEntries(data: unknown): StateEntry[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const entries = data.map(stateEntry).filter((entry) => entry !== undefined);
  if (entries.length < data.length) return undefined;
  return entries.sort((one, other) => compareBytes(one.key, other.key));
}

function stateEntry(entry: unknown): StateEntry | undefined {
  const [key, value] = isRecord(entry) ? [bytesOf(entry.key), bytesOf(entry.value)] : [];
  return key && value && { key, value };
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  if (at === -1) return one.length - other.length;
  return (one[at] ?? 0) - (other[at] ?? -1);
}

/** Throws INVALID_ACTION, which names `what` needs the key. */
export function assertPublicKey(what: string, publicKey: string): void {
  if (isMlDsaHandle(publicKey))
    throw invalid(`${what} needs the ML-DSA-65 key itself, 'ml-dsa-65:' and base58: this is only its hash`);
  if (!isPublicKey(publicKey))
    throw invalid(
      `${what} needs a publicKey, 'ed25519:', 'secp256k1:' or 'ml-dsa-65:' and base58 of its bytes`,
    );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function completeFunctionCall({ methodName, args, gas, deposit }: FunctionCallInput): Action {
  if (typeof methodName !== 'string' || methodName === '') throw invalid('FunctionCall needs a methodName');
  if (args === undefined || args === null) throw invalid('FunctionCall needs args');
  return {
    type: 'FunctionCall',
    methodName,
    args: argsOf(args),
    gas: amount("FunctionCall needs gas as a decimal text, as parseTgas('30') makes it", gas ?? DEFAULT_GAS),
    deposit: amount(`FunctionCall needs a deposit ${IN_YOCTO}`, deposit ?? DEFAULT_DEPOSIT),
  };
}

function argsOf(args: CallArguments): string | Uint8Array {
  const bytes = bytesOf(args);
  if (bytes) return formOf(bytes);
  if (typeof args !== 'string') return written(args);
  if (!isJson(args)) throw invalid('FunctionCall action args must be valid JSON string');
  return args;
}

/** Throws for what JSON would change, and for an object within itself. */
function written(args: object): string {
  if (!isRecord(args))
    throw invalid(`FunctionCall needs args as an object, a text or bytes, not ${kindOf(args)}`);
  try {
    return writeJson(args);
  } catch (cause) {
    const reason = `FunctionCall needs args that JSON can hold: ${messageOf(cause)}`;
    throw new LatchkeyError(INVALID_ACTION, { values: { reason }, cause });
  }
}

/** Bytes that are JSON become its text, so that no app can hide JSON in them. The signer does the same. */
function formOf(bytes: Uint8Array): string | Uint8Array {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    return isJson(text) ? text : bytes;
  } catch {
    return bytes;
  }
}

function amount(problem: string, value: unknown): string {
  if (typeof value !== 'string' || !AMOUNT.test(value)) throw invalid(problem);
  return value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_ACTION, { values: { reason } });
}
