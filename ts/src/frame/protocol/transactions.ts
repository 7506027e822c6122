/** Actions, transactions, and the fate of those that were sent. */
import * as v from 'valibot';
import { isRecord } from '../../is-record.js';
import { WAIT_LEVELS } from '../../near/wait-levels.js';
import type {
  AccessKeyPermission,
  Action,
  ActionInput,
  CallArguments,
  ExecutionWait,
  FunctionCallInput,
  GlobalContractIdentifier,
  NonceMode,
  SignedTransaction,
  TransactionFate,
  TransactionInput,
  TransactionRequest,
  Version1,
  WaitUntil,
} from '../../types.js';
import {
  accountId,
  amount,
  bytes,
  exact,
  HUGE,
  list,
  MAX_TRANSACTIONS,
  name,
  oneOf,
  only,
  optional,
  orAbsent,
  orNull,
  publicKey,
  type Schema,
  text,
  wholeNumber,
} from './schemas.js';
import type { WireSignedTransaction } from './wire-transaction.js';

/** A payload with an unknown field is refused; a result loses it. */
type ObjectOf = typeof v.strictObject;
const told = v.object as unknown as ObjectOf;

const permissionOf = (
  object: ObjectOf,
  methodNames: Schema<unknown>,
  allowance: Schema<unknown>,
): Schema<AccessKeyPermission> => {
  const bounds = { receiverId: accountId, methodNames };
  const numNonces = wholeNumber;
  return v.union([
    v.literal('FullAccess'),
    object({ FunctionCall: object({ ...bounds, allowance }) }),
    object({ GasKeyFunctionCall: object({ ...bounds, numNonces }) }),
    object({ GasKeyFullAccess: object({ numNonces }) }),
  ]) as unknown as Schema<AccessKeyPermission>;
};

const permission = permissionOf(told, list(name), orNull(amount));

/** An app may omit these; the signing flow fills them in. */
const permissionInput = permissionOf(v.strictObject, orAbsent(list(name)), optional(orNull(amount)));

const globalContract = (object: ObjectOf): Schema<GlobalContractIdentifier> =>
  v.union([object({ CodeHash: name }), object({ AccountId: accountId })]) as never;

const otherActions = (object: ObjectOf, keyPermission: Schema<AccessKeyPermission>) => {
  const contract = globalContract(object);
  const stateInit = (state: v.ObjectEntries) => {
    const data = list(object({ key: bytes(HUGE), value: bytes(HUGE) }));
    return object({ V1: object({ ...state, data }) });
  };
  const fields: Readonly<Record<Exclude<Action['type'], 'FunctionCall'>, v.ObjectEntries>> = {
    CreateAccount: {},
    DeployContract: { code: bytes(HUGE) },
    Transfer: { amount },
    Stake: { stake: amount, publicKey },
    AddKey: { publicKey, accessKey: object({ permission: keyPermission }) },
    DeleteKey: { publicKey },
    DeleteAccount: { beneficiaryId: accountId },
    DeployGlobalContract: { code: bytes(HUGE), deployMode: oneOf('CodeHash', 'AccountId') },
    UseGlobalContract: { contractIdentifier: contract },
    DeterministicStateInit: { stateInit: stateInit({ code: contract }), deposit: amount },
    TransferToGasKey: { publicKey, deposit: amount },
    WithdrawFromGasKey: { publicKey, amount },
    UniversalStateInit: {
      stateInit: stateInit({ code: orNull(contract), accessKeys: list(name) }),
      deposit: amount,
    },
  };
  return Object.entries(fields).map(([type, entries]) => object({ type: v.literal(type), ...entries }));
};

const nonceMode: Schema<NonceMode> = oneOf('Monotonic', 'Strict');

/** The arguments of a complete call: JSON text, or bytes. */
const completeArgs: Schema<string | Uint8Array> = v.lazy((input) =>
  typeof input === 'string' ? text(HUGE) : bytes(HUGE),
);

/** The arguments of a call: those, or what becomes JSON: a record would lose fields such as `constructor`. */
export const args: Schema<CallArguments> = v.lazy((input) =>
  typeof input === 'string' || input instanceof Uint8Array
    ? completeArgs
    : v.custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object, a text or bytes'),
);

export const actionInput: Schema<ActionInput> = v.variant('type', [
  exact<FunctionCallInput>({
    type: v.literal('FunctionCall'),
    methodName: name,
    args,
    gas: orAbsent(amount),
    deposit: orAbsent(amount),
  }) as never,
  ...otherActions(v.strictObject, permissionInput),
]) as Schema<ActionInput>;

/** One action or several. */
export const actionInputs: Schema<ActionInput | readonly ActionInput[]> = v.lazy((input) =>
  Array.isArray(input) ? list(actionInput, MAX_TRANSACTIONS) : actionInput,
);

export const transactionInputs: Schema<readonly TransactionInput[]> = list(
  exact<TransactionInput>({
    receiverId: accountId,
    actions: list(actionInput, MAX_TRANSACTIONS),
    lane: orAbsent(wholeNumber),
    nonceMode: orAbsent(nonceMode),
  }),
  MAX_TRANSACTIONS,
);

const action = v.variant('type', [
  told({
    type: v.literal('FunctionCall'),
    methodName: name,
    args: completeArgs,
    gas: amount,
    deposit: amount,
  }),
  ...otherActions(told, permission),
]) as unknown as Schema<SignedTransaction['transaction']['actions'][number]>;

/** Complete in every field. */
export const transactionRequests: Schema<readonly TransactionRequest[]> = list(
  only<TransactionRequest>({
    receiverId: accountId,
    actions: list(action as unknown as Schema<Action>, MAX_TRANSACTIONS),
    lane: orAbsent(wholeNumber),
    nonceMode: orAbsent(nonceMode),
  }),
  MAX_TRANSACTIONS,
);

export const signedTransaction = only<WireSignedTransaction>({
  transaction: only<SignedTransaction['transaction']>({
    signerId: accountId,
    publicKey,
    nonce: amount,
    receiverId: accountId,
    blockHash: name,
    actions: list(action, MAX_TRANSACTIONS),
    version1: orAbsent(only<Version1>({ lane: orNull(wholeNumber), nonceMode })),
  }),
  signature: name,
  hash: name,
  borsh_bytes: bytes(2 * HUGE),
});

export const fate: Schema<TransactionFate> = oneOf(
  'executed',
  'sent',
  'failed',
  'refused',
  'unknown',
  'not-sent',
);

export const waitUntil: Schema<WaitUntil> = oneOf(...WAIT_LEVELS);

export const executionWait: Schema<ExecutionWait> = v.variant('mode', [
  v.strictObject({ mode: v.literal('sequential'), waitUntil: optional(waitUntil) }),
  v.strictObject({
    mode: v.literal('parallelStaggered'),
    staggerMs: optional(wholeNumber),
    waitUntil: optional(waitUntil),
  }),
]);
