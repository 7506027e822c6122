/** Checks callers' actions and completes them to the form that is shown, hashed and signed. */
import { LatchkeyError } from '../../errors/index.js';
import type {
  AccessKeyPermission,
  Action,
  ActionInput,
  FunctionCallInput,
  TransactionInput,
  TransactionRequest,
} from '../../types.js';

const DEFAULT_GAS = '30000000000000';
const DEFAULT_DEPOSIT = '0';
const AMOUNT = /^\d+$/;

/**
 * The transactions, complete in every field. Returns copies, so that the caller cannot change what is signed after it was
 * shown. Throws NO_PAYLOADS or INVALID_ACTION.
 */
export function completeTransactions(transactions: readonly TransactionInput[]): TransactionRequest[] {
  if (transactions.length === 0) throw new LatchkeyError('NO_PAYLOADS');
  return transactions.map(({ receiverId, actions }) => {
    if (!receiverId) throw invalid('A transaction needs a receiverId');
    if (actions.length === 0) throw invalid('A transaction needs at least one action');
    return { receiverId, actions: actions.map((action) => structuredClone(completeAction(action))) };
  });
}

export function completeAction(action: ActionInput): Action {
  switch (action.type) {
    case 'FunctionCall':
      return completeFunctionCall(action);
    case 'Transfer':
      return { ...action, amount: amount('Transfer needs an amount', action.amount) };
    case 'Stake':
      if (!action.publicKey) throw invalid('Stake needs a publicKey');
      return { ...action, stake: amount('Stake needs a stake', action.stake) };
    case 'DeployContract':
      if (!(action.code instanceof Uint8Array) || action.code.length === 0)
        throw invalid('DeployContract needs code');
      return action;
    case 'AddKey':
      if (!action.publicKey) throw invalid('AddKey needs a publicKey');
      if (!action.accessKey?.permission) throw invalid('AddKey needs an accessKey');
      return { ...action, accessKey: { permission: completePermission(action.accessKey.permission) } };
    case 'DeleteKey':
      if (!action.publicKey) throw invalid('DeleteKey needs a publicKey');
      return action;
    case 'DeleteAccount':
      if (!action.beneficiaryId) throw invalid('DeleteAccount needs a beneficiaryId');
      return action;
    case 'CreateAccount':
      return action;
    default:
      throw invalid(`Unsupported action type: ${String((action as { readonly type: unknown }).type)}`);
  }
}

/** An absent allowance means null, no limit; absent method names mean an empty list, every method. */
function completePermission(permission: unknown): AccessKeyPermission {
  if (permission === 'FullAccess') return permission;
  const bounds = isRecord(permission) ? permission.FunctionCall : undefined;
  if (!isRecord(bounds))
    throw invalid("AddKey needs accessKey.permission as 'FullAccess' or { FunctionCall }");
  const { receiverId, methodNames = [], allowance = null } = bounds;
  if (typeof receiverId !== 'string' || receiverId === '') {
    throw invalid('AddKey needs FunctionCall.receiverId, the account id of a contract');
  }
  if (!isTexts(methodNames)) throw invalid('AddKey needs FunctionCall.methodNames as a list of texts');
  const limit =
    allowance === null
      ? null
      : amount('AddKey needs FunctionCall.allowance in yoctoNEAR as a decimal text, or null', allowance);
  return { FunctionCall: { receiverId, methodNames: [...methodNames], allowance: limit } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function completeFunctionCall({ methodName, args, gas, deposit }: FunctionCallInput): Action {
  if (!methodName) throw invalid('FunctionCall needs a methodName');
  if (args === undefined || args === null) throw invalid('FunctionCall needs args');
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  if (!isJson(text)) throw invalid('FunctionCall action args must be valid JSON string');
  return {
    type: 'FunctionCall',
    methodName,
    args: text,
    gas: amount('FunctionCall needs gas as a whole number', gas ?? DEFAULT_GAS),
    deposit: amount('FunctionCall needs a deposit in yoctoNEAR', deposit ?? DEFAULT_DEPOSIT),
  };
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
  return new LatchkeyError('INVALID_ACTION', { values: { reason } });
}
