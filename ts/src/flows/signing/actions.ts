/** Checks callers' actions and completes them to the form that is shown, hashed and signed. */
import { bytesOf } from '../../bytes.js';
import { INVALID_ACTION, LatchkeyError, messageOf, NO_PAYLOADS } from '../../errors/wallet.js';
import { isRecord } from '../../is-record.js';
import { kindOf, writeJson } from '../../json.js';
import { assertNearAccountId } from '../../near/account-id.js';
import { isPublicKey } from '../../near/public-key.js';
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
    if (!receiverId) throw invalid('A transaction needs a receiverId');
    assertNearAccountId('receiverId', receiverId);
    if (!Array.isArray(actions) || actions.length === 0)
      throw invalid('A transaction needs at least one action');
    return { receiverId, actions: actions.map((action) => structuredClone(completeAction(action))) };
  });
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
  const bounds = isRecord(permission) ? permission.FunctionCall : undefined;
  if (!isRecord(bounds))
    throw invalid("AddKey needs accessKey.permission as 'FullAccess' or { FunctionCall }");
  const { receiverId, allowance = null } = bounds;
  const methodNames = bounds.methodNames ?? [];
  if (typeof receiverId !== 'string' || receiverId === '') {
    throw invalid('AddKey needs FunctionCall.receiverId, the account id of a contract');
  }
  assertNearAccountId('FunctionCall.receiverId', receiverId);
  if (!isTexts(methodNames)) throw invalid('AddKey needs FunctionCall.methodNames as a list of texts');
  const limit =
    allowance === null
      ? null
      : amount('AddKey needs FunctionCall.allowance in yoctoNEAR as a decimal text, or null', allowance);
  return { FunctionCall: { receiverId, methodNames: [...methodNames], allowance: limit } };
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
  const entries = isRecord(state) && Array.isArray(state.data) ? state.data.map(stateEntry) : [undefined];
  const data = entries.filter((entry) => entry !== undefined);
  if (!isRecord(state) || data.length < entries.length)
    throw invalid(
      `${type} needs stateInit as { V1: { code, data: [{ key, value }] } }, keys and values as bytes`,
    );
  data.sort((one, other) => compareBytes(one.key, other.key));
  return {
    type,
    stateInit: { V1: { code: globalContract(type, state.code), data } },
    deposit: amount(`${type} needs a deposit ${IN_YOCTO}`, deposit),
  };
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
  if (!isPublicKey(publicKey))
    throw invalid(`${what} needs a publicKey, 'ed25519:' or 'secp256k1:' and base58 of its bytes`);
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
