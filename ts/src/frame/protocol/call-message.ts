/** The messages that carry a call of the wallet. Their rows say how the arguments cross; both ends derive from that. */
import { checkedSettings } from '../../confirm/settings-check.js';
import type { ConfirmationWish } from '../../types.js';
import { type CallArgs, type CallName, type CallResult, callOn } from '../../wallet.js';
import type { Call, Message } from './message.js';
import type { Policy } from './policies.js';
import type { Schema } from './schemas.js';

type StaysWithHost = 'onEvent' | 'onError' | 'beforeCall' | 'afterCall' | 'signal' | 'uiDigest' | 'immediate';

/** The options of any flow. */
export type HostOptions = { readonly [K in StaysWithHost]?: unknown };

/**
 * The options that cross. Callbacks, the signal and what a host's own button showed stay with the host. `immediate` stays too: it
 * needs a click in the frame.
 */
export type Wish<O> = Omit<NonNullable<O>, StaysWithHost>;

/** A call's object of arguments as it crosses: its options become fields of it. */
export type Crossing<A extends { readonly options?: unknown }> = Omit<A, 'options'> & Wish<A['options']>;

/** Ordered arguments as they cross, under these names. */
type InOrder<N extends readonly string[], A extends readonly unknown[]> = N extends readonly [
  infer K extends string,
  ...infer Rest extends readonly string[],
]
  ? (K extends 'options'
      ? Wish<A[0]>
      : A extends readonly [unknown, ...unknown[]]
        ? { readonly [P in K]: A[0] }
        : { readonly [P in K]?: NonNullable<A[0]> }) &
      InOrder<Rest, A extends readonly [unknown?, ...infer AfterIt] ? AfterIt : []>
  : A extends readonly []
    ? unknown
    : never;

/** Converts a result that crosses in another shape. */
export interface Wire<T, W> {
  to(result: T): W;
  from(sent: W): T;
}

export interface CallMessage<C extends CallName, P, R, E> extends Message<P, R, E> {
  readonly call: C;
  /** Builds the payload for these arguments. */
  pack(args: CallArgs<C>): P;
  /** Finds the flow's options among the arguments. */
  optionsOf(args: CallArgs<C>): HostOptions;
  /** Of a sticky message: whether the call resolves with its result or with its end. */
  readonly resolvesWith?: 'result' | 'end';
  readonly wire?: Wire<CallResult<C>, R>;
}

/** What a row states; the rest follows from the names of the arguments. */
type Row<C extends CallName, P, R, E> = Policy & {
  readonly payload: Schema<P>;
  readonly result: Schema<R>;
  readonly end?: Schema<E>;
} & Partial<Pick<CallMessage<C, P, R, E>, 'pack' | 'optionsOf' | 'run' | 'resolvesWith'>> &
  ([R] extends [CallResult<C>] ? Unchanged : [E] extends [never] ? Changed<C, R> : Unchanged);
type Unchanged = { readonly wire?: never };
type Changed<C extends CallName, R> = { readonly wire: Wire<CallResult<C>, R> };

/** Defines the message of a call whose arguments come in order. The one named `options` crosses field by field. */
export function inOrder<
  C extends CallName,
  const N extends readonly string[],
  P extends InOrder<N, CallArgs<C>> | undefined,
  R,
  E = never,
>(call: C, names: N, row: Row<C, P, R, E>): CallMessage<C, P, R, E> {
  const at = names.indexOf('options');
  return callMessage(call, row, {
    pack: (args) =>
      Object.assign(
        {},
        ...names.map((name, index) => {
          if (index === at) return wishOf(optionsAt(args[index]));
          return args[index] === undefined ? {} : { [name]: args[index] };
        }),
      ),
    optionsOf: (args) => optionsAt(args[at]),
    unpack: (payload, options) => {
      const wish = wishIn(payload, names);
      return names.map((name, index) => (index === at ? { ...wish, ...options } : payload[name]));
    },
  });
}

type ObjectOf<C extends CallName> = Extract<CallArgs<C>[0], { readonly options?: unknown }>;

/** Defines the message of a call that takes one object with these fields, and its options. */
export function inObject<C extends CallName, P extends Crossing<ObjectOf<C>>, R, E = never>(
  call: C,
  names: readonly Exclude<keyof ObjectOf<C> & string, 'options'>[],
  row: Row<C, P, R, E>,
): CallMessage<C, P, R, E> {
  return callMessage(call, row, {
    pack: ([{ options, ...fields } = {}]: readonly Packable[]) => ({
      ...fields,
      ...wishOf(optionsAt(options)),
    }),
    optionsOf: ([{ options } = {}]: readonly Packable[]) => optionsAt(options),
    unpack: (payload, options) => {
      const own = names.filter((name) => Object.hasOwn(payload, name)).map((name) => [name, payload[name]]);
      return [{ ...Object.fromEntries(own), options: { ...wishIn(payload, names), ...options } }];
    },
  });
}

/** Defines the message of a call whose arguments cross in a shape of their own. */
export function inOwnShape<C extends CallName, P, R, E = never>(
  call: C,
  row: Omit<CallMessage<C, P, R, E>, 'call'>,
): CallMessage<C, P, R, E> {
  return { call, ...row };
}

type Fields = Readonly<Record<string, unknown>>;
type Packable = { readonly options?: unknown };

interface Arguments {
  pack(args: readonly never[]): unknown;
  optionsOf(args: readonly never[]): HostOptions;
  unpack(payload: Fields, options: Call['options']): readonly unknown[];
}

function callMessage<C extends CallName, P, R, E>(
  call: C,
  row: Row<C, P, R, E>,
  { pack, optionsOf, unpack }: Arguments,
): CallMessage<C, P, R, E> {
  return {
    call,
    pack,
    optionsOf,
    run: async (wallet, payload, { options }) => {
      const result = await callOn(wallet, call, unpack(payload ?? {}, options) as CallArgs<C>);
      return row.wire ? row.wire.to(result) : result;
    },
    ...row,
  } as CallMessage<C, P, R, E>;
}

function optionsAt(options: unknown): HostOptions {
  return options ?? {};
}

/** Drops the options that stay with the host. Throws INVALID_CONFIG for confirmation settings that do not exist. */
export function wishOf<O extends HostOptions>(options: O): Wish<O> {
  const { onEvent, onError, beforeCall, afterCall, signal, uiDigest, immediate, ...wish } = options;
  const { confirmationConfig } = wish as { readonly confirmationConfig?: ConfirmationWish };
  const checked = confirmationConfig && { confirmationConfig: checkedSettings(confirmationConfig) };
  return { ...wish, ...checked } as Wish<O>;
}

/** Collects the options in a payload: every field that is no argument, and the fields of `options`. */
function wishIn(payload: Fields, names: readonly string[]): Fields {
  const { options, ...fields } = payload;
  const rest = Object.entries(fields).filter(([name]) => !names.includes(name));
  return { ...(options as Fields | undefined), ...Object.fromEntries(rest) };
}
