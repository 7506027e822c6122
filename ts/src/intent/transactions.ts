/** The digest of transactions: an array of {actions, receiverId}, actions in the specification's snake_case. */
import { bytesOf } from '../bytes.js';
import type { AccessKey, Action, TransactionRequest } from '../types.js';
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

/** The fields of each action that stand in the text; no other does. */
const FIELDS: { readonly [T in Action['type']]: readonly (keyof Extract<Action, { type: T }>)[] } = {
  CreateAccount: [],
  DeployContract: ['code'],
  FunctionCall: ['methodName', 'args', 'gas', 'deposit'],
  Transfer: ['amount'],
  Stake: ['stake', 'publicKey'],
  AddKey: ['publicKey', 'accessKey'],
  DeleteKey: ['publicKey'],
  DeleteAccount: ['beneficiaryId'],
  DeployGlobalContract: ['code', 'deployMode'],
  UseGlobalContract: ['contractIdentifier'],
  DeterministicStateInit: ['stateInit', 'deposit'],
  TransferToGasKey: ['publicKey', 'deposit'],
  WithdrawFromGasKey: ['publicKey', 'amount'],
  UniversalStateInit: ['stateInit', 'deposit'],
};

function actionJson(action: Action): Json {
  const { type } = action;
  const fields = (FIELDS[type] as readonly string[]).map((name) => {
    const value: unknown = action[name as keyof Action];
    if (name === 'accessKey') {
      const { permission } = value as AccessKey;
      return ['access_key', canonicalJson({ nonce: 0, permission: inSnakeCase(permission) })];
    }
    // The specification's name for it.
    return [type === 'Transfer' ? 'deposit' : snakeCase(name), inSnakeCase(value)];
  });
  return { action_type: type, ...Object.fromEntries(fields) };
}

/**
 * Bytes as a list of numbers, and fields by the specification's names; those with a capital are the chain's. A text for
 * JSON arguments and a list for bytes: no bytes have the text of JSON arguments.
 */
function inSnakeCase(value: unknown): Json {
  const bytes = bytesOf(value);
  if (bytes) return Array.from(bytes);
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [snakeCase(name), inSnakeCase(field)]),
  );
}

function snakeCase(name: string): string {
  return /^[a-z]/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
}
