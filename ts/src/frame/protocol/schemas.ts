/** What payloads and results are made of: strict on the way in, and stripped of what is unknown on the way out. */
import * as v from 'valibot';
import type { LatchkeyErrorCode } from '../../errors/latchkey-error.js';
import type {
  AccessKeyPermission,
  ActionInput,
  ConfirmationConfig,
  ExecutionWait,
  FunctionCallInput,
  LinkDeviceQrData,
  SignedTransaction,
  TransactionFate,
  TransactionInput,
  WaitUntil,
} from '../../types.js';

/** A schema for values of `T`, whatever comes in. */
export type Schema<T> = v.GenericSchema<unknown, T>;

type Entries<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? v.ExactOptionalSchema<Schema<T[K]>, undefined>
    : Schema<T[K]>;
};

/** An object with these fields and, once read, no others. */
export function only<T>(entries: NoInfer<Entries<T>>): Schema<T> {
  return v.object(entries as unknown as v.ObjectEntries) as unknown as Schema<T>;
}

/** An object that is refused when it has any other field. */
export function exact<T>(entries: NoInfer<Entries<T>>): Schema<T> {
  return v.strictObject(entries as unknown as v.ObjectEntries) as unknown as Schema<T>;
}

/** A field that may be left out. */
export function optional<T>(schema: Schema<T>): v.ExactOptionalSchema<Schema<T>, undefined> {
  return v.exactOptional(schema);
}

// ---------------------------------------------------------------- sizes, in characters, bytes or entries

/** Names, hashes, keys. */
export const NAME = 256;
/** A sentence for a person. */
export const SHORT = 4_096;
/** What a person signs as a message. */
export const LONG = 65_536;
/** The arguments of a call and the code of a contract: what a transaction of the chain can hold. */
export const HUGE = 4 * 1024 * 1024;
export const MAX_ENTRIES = 1_000;
/** Transactions of a request, and actions of a transaction: the chain takes 100 actions. */
export const MAX_TRANSACTIONS = 100;

export const text = (maxLength: number): Schema<string> => v.pipe(v.string(), v.maxLength(maxLength));
/** A sentence for a person; one that is too long is cut. */
export const sentence: Schema<string> = v.pipe(
  v.string(),
  v.transform((said) => said.slice(0, SHORT)),
);
export const list = <T>(item: Schema<T>, maxLength: number = MAX_ENTRIES): Schema<T[]> =>
  v.pipe(v.array(item), v.maxLength(maxLength));
export const bytes = (maxLength: number): Schema<Uint8Array> =>
  v.pipe(
    v.instance(Uint8Array),
    v.check(({ length }) => length <= maxLength, `more than ${maxLength} bytes`),
  );
export const flag: Schema<boolean> = v.boolean();
export const wholeNumber: Schema<number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const orNull = <T>(schema: Schema<T>): Schema<T | null> => v.nullable(schema);
export const oneOf = <const T extends string>(...values: T[]): Schema<T> => v.picklist(values);

/** `<milliseconds since 1970>-<counter>`; the counter grows with every request of a port. */
export const requestId: Schema<string> = v.pipe(v.string(), v.regex(/^\d{1,16}-\d{1,12}$/));

/** An account id as far as its length goes: the flow that uses it says what else is wrong with it. */
export const accountId = text(64);
export const name = text(NAME);
/** A decimal number of any size: yoctoNEAR, gas, a nonce, a block height. */
export const amount: Schema<string> = v.pipe(v.string(), v.regex(/^\d{1,39}$/));
/** Any JSON: how deep and how large is checked for the message as a whole. */
export const json: Schema<unknown> = v.unknown();

export const code = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Z\d_]{0,63}$/),
) as unknown as Schema<LatchkeyErrorCode>;

// ---------------------------------------------------------------- transactions

const functionCallPermission = only<{
  receiverId: string;
  methodNames: string[];
  allowance: string | null;
}>({ receiverId: accountId, methodNames: list(name), allowance: orNull(amount) });

const permission: Schema<AccessKeyPermission> = v.union([
  v.literal('FullAccess'),
  v.strictObject({ FunctionCall: functionCallPermission }),
]);

/** What an app may leave out of a permission is the signing flow's to fill in. */
const permissionInput = v.union([
  v.literal('FullAccess'),
  v.strictObject({
    FunctionCall: v.strictObject({
      receiverId: accountId,
      methodNames: optional(list(name)),
      allowance: optional(orNull(amount)),
    }),
  }),
]) as unknown as Schema<AccessKeyPermission>;

const otherActions = <T extends AccessKeyPermission>(keyPermission: Schema<T>) =>
  [
    v.strictObject({ type: v.literal('CreateAccount') }),
    v.strictObject({ type: v.literal('DeployContract'), code: bytes(HUGE) }),
    v.strictObject({ type: v.literal('Transfer'), amount }),
    v.strictObject({ type: v.literal('Stake'), stake: amount, publicKey: name }),
    v.strictObject({
      type: v.literal('AddKey'),
      publicKey: name,
      accessKey: v.strictObject({ permission: keyPermission }),
    }),
    v.strictObject({ type: v.literal('DeleteKey'), publicKey: name }),
    v.strictObject({ type: v.literal('DeleteAccount'), beneficiaryId: accountId }),
  ] as const;

/** The arguments of a call: JSON text, or an object. */
export const args: Schema<FunctionCallInput['args']> = v.lazy((input) =>
  typeof input === 'string' ? text(HUGE) : v.record(v.string(), json),
);

const actionInput: Schema<ActionInput> = v.variant('type', [
  exact<FunctionCallInput>({
    type: v.literal('FunctionCall'),
    methodName: name,
    args,
    gas: optional(amount),
    deposit: optional(amount),
  }) as never,
  ...otherActions(permissionInput),
]) as Schema<ActionInput>;

/** One action or several. */
export const actionInputs: Schema<ActionInput | ActionInput[]> = v.lazy((input) =>
  Array.isArray(input) ? list(actionInput, MAX_TRANSACTIONS) : actionInput,
);

export const transactionInputs: Schema<TransactionInput[]> = list(
  exact<TransactionInput>({ receiverId: accountId, actions: list(actionInput, MAX_TRANSACTIONS) }),
  MAX_TRANSACTIONS,
);

const action = v.variant('type', [
  v.strictObject({
    type: v.literal('FunctionCall'),
    methodName: name,
    args: text(HUGE),
    gas: amount,
    deposit: amount,
  }),
  ...otherActions(permission),
]) as unknown as Schema<SignedTransaction['transaction']['actions'][number]>;

/** A signed transaction as it travels: its bytes under the name that the protocol gives them. */
export interface WireSignedTransaction extends Omit<SignedTransaction, 'borshBytes'> {
  readonly borsh_bytes: Uint8Array;
}

export const signedTransaction = only<WireSignedTransaction>({
  transaction: only<SignedTransaction['transaction']>({
    signerId: accountId,
    publicKey: name,
    nonce: amount,
    receiverId: accountId,
    blockHash: name,
    actions: list(action, MAX_TRANSACTIONS),
  }),
  signature: name,
  hash: name,
  borsh_bytes: bytes(2 * HUGE),
});

export function toWireTransaction({ borshBytes, ...rest }: SignedTransaction): WireSignedTransaction {
  return { ...rest, borsh_bytes: borshBytes };
}

export function fromWireTransaction({ borsh_bytes, ...rest }: WireSignedTransaction): SignedTransaction {
  return { ...rest, borshBytes: borsh_bytes };
}

export const fate: Schema<TransactionFate> = oneOf(
  'executed',
  'sent',
  'failed',
  'refused',
  'unknown',
  'not-sent',
);

export const waitUntil: Schema<WaitUntil> = oneOf(
  'NONE',
  'INCLUDED',
  'INCLUDED_FINAL',
  'EXECUTED',
  'FINAL',
  'EXECUTED_OPTIMISTIC',
);

export const executionWait: Schema<ExecutionWait> = v.variant('mode', [
  v.strictObject({ mode: v.literal('sequential'), waitUntil: optional(waitUntil) }),
  v.strictObject({
    mode: v.literal('parallelStaggered'),
    staggerMs: optional(wholeNumber),
    waitUntil: optional(waitUntil),
  }),
]);

// ---------------------------------------------------------------- settings, linking codes

export const theme = oneOf('dark', 'light');
export const behavior = oneOf('requireClick', 'autoProceed');

const settings = {
  uiMode: optional(oneOf('skip', 'modal', 'drawer')),
  behavior: optional(behavior),
  autoProceedDelayMs: optional(wholeNumber),
  theme: optional(theme),
};
/** What a host wishes for. */
export const confirmationWish = exact<Partial<ConfirmationConfig>>(settings);
/** What a person chose. */
export const confirmationChoice = only<Partial<ConfirmationConfig>>(settings);

export const linkQrData = only<LinkDeviceQrData>({
  device2PublicKey: name,
  accountId: optional(accountId),
  timestamp: wholeNumber,
  version: oneOf('1.0'),
});
