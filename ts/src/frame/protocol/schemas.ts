/** The parts of payloads and results: payloads are strict, results lose unknown fields. */
import * as v from 'valibot';
import type { ErrorValues, LatchkeyErrorCode } from '../../errors/latchkey-error.js';
import type { ConfirmationConfig, ConfirmationWish, LinkDeviceQrData } from '../../types.js';

/** A schema that reads any input to a `T`. */
export type Schema<T> = v.GenericSchema<unknown, T>;

type Entries<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? v.ExactOptionalSchema<Schema<T[K]>, undefined>
    : Schema<T[K]>;
};

/** Reads an object and keeps only these fields. */
export function only<T>(entries: NoInfer<Entries<T>>): Schema<T> {
  return v.object(entries as unknown as v.ObjectEntries) as unknown as Schema<T>;
}

/** Reads an object and refuses any other field. */
export function exact<T>(entries: NoInfer<Entries<T>>): Schema<T> {
  return v.strictObject(entries as unknown as v.ObjectEntries) as unknown as Schema<T>;
}

/** A field that may be left out. */
export function optional<T>(schema: Schema<T>): v.ExactOptionalSchema<Schema<T>, undefined> {
  return v.exactOptional(schema);
}

/** A field that may be left out, or be null, as JSON writes what is absent. The flow that uses it takes both alike. */
export function orAbsent<T>(schema: Schema<T>): v.ExactOptionalSchema<Schema<T>, undefined> {
  return v.exactOptional(v.nullable(schema) as Schema<T>);
}

// ---------------------------------------------------------------- sizes, in characters, bytes or entries

/** Names, hashes, keys. */
export const NAME = 256;
/** A sentence for a user. */
export const SHORT = 4_096;
/** A message that a user signs. */
export const LONG = 65_536;
/** The arguments of a call and the code of a contract: as much as a transaction of the chain can hold. */
export const HUGE = 4 * 1024 * 1024;
export const MAX_ENTRIES = 1_000;
/** The values of an error's text. */
const MAX_VALUES = 16;
/** Transactions of a request, and actions of a transaction: the chain takes 100 actions. */
export const MAX_TRANSACTIONS = 100;

export const text = (maxLength: number): Schema<string> => v.pipe(v.string(), v.maxLength(maxLength));
/** A sentence for a user, cut where it is too long. */
export const sentence: Schema<string> = v.pipe(
  v.string(),
  v.transform((said) => said.slice(0, SHORT)),
);
/** What fills the text of an error. */
export const errorValues: Schema<ErrorValues> = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(NAME)), v.union([sentence, v.number()])),
  v.check((values) => Object.keys(values).length <= MAX_VALUES, `more than ${MAX_VALUES} values`),
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

/** An account id, checked for length only: the flow that uses it checks the rest. */
export const accountId = text(64);
export const name = text(NAME);
/** A public key as text: one of ML-DSA-65 has 1,952 bytes in base58. */
export const publicKey = text(3_000);
/** A decimal number of any size: yoctoNEAR, gas, a nonce, a block height. */
export const amount: Schema<string> = v.pipe(
  v.string(),
  v.regex(/^\d{1,39}$/, 'must be a whole number as a decimal text'),
);
/** Any JSON: depth and size are checked for the message as a whole. */
export const json: Schema<unknown> = v.unknown();

export const code = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Z\d_]{0,63}$/),
) as unknown as Schema<LatchkeyErrorCode>;

// ---------------------------------------------------------------- settings, linking codes

export const theme = oneOf('dark', 'light');
export const behavior = oneOf('requireClick', 'autoProceed');

const settings = {
  uiMode: optional(oneOf('skip', 'modal', 'drawer')),
  behavior: optional(behavior),
  autoProceedDelayMs: optional(wholeNumber),
  theme: optional(theme),
};
/** The settings that a host wishes for. */
export const confirmationWish = exact<ConfirmationWish>({
  ...settings,
  autoProceedDelay: optional(wholeNumber),
});
/** The settings that a user chose. */
export const confirmationChoice = only<Partial<ConfirmationConfig>>(settings);

export const linkQrData = only<LinkDeviceQrData>({
  device2PublicKey: name,
  accountId: optional(accountId),
  timestamp: wholeNumber,
  version: oneOf('1.0'),
});
