/** A prop or an option that is undefined counts as left out, for the compiler (exactOptionalPropertyTypes). */
import type { Confirmer, PasskeyManager } from 'latchkey';
import type { ReactElement } from 'react';
import { expect, it } from 'vitest';
import type { AnyFlowEvent } from './index.js';

/** Values that hold no options: handles, what the wallet tells, what a host implements, and what React makes. */
type Closed =
  | Uint8Array
  | AbortSignal
  | EventTarget
  | Event
  | Error
  | AnyFlowEvent
  | Confirmer
  | PasskeyManager
  | ReactElement
  | ((...args: never) => unknown);

/** The optional fields of a type, and of its fields, that do not take undefined. */
type Strict<T, Depth extends 0[] = []> = Depth['length'] extends 6
  ? never
  : T extends Closed
    ? never
    : T extends readonly (infer Item)[]
      ? Strict<Item, [...Depth, 0]>
      : T extends object
        ? {
            [K in keyof T]-?: object extends Pick<T, K>
              ? { [P in K]: undefined } extends Pick<T, K>
                ? Strict<T[K], [...Depth, 0]>
                : K
              : Strict<T[K], [...Depth, 0]>;
          }[keyof T]
        : never;

/** By argument: in a union, one that is unknown hides all others. */
type StrictArguments<Call> = Call extends (...args: infer A) => unknown
  ? { [I in keyof A]-?: Strict<A[I]> }[number]
  : never;
type StrictCalls<Calls> = { [K in keyof Calls]-?: StrictArguments<Calls[K]> }[keyof Calls];
/** Of the functions that a module's hooks give. */
type StrictHooks<Module> = {
  [K in keyof Module]: Module[K] extends (...args: never) => infer Given
    ? K extends `use${string}`
      ? StrictCalls<Given>
      : never
    : never;
}[keyof Module];

it('every prop and every option of the package takes undefined', () => {
  const strict: readonly (
    | StrictCalls<typeof import('./index.js')>
    | StrictHooks<typeof import('./index.js')>
    | StrictCalls<typeof import('./surface/icons.js')>
  )[] = [];
  expect(strict satisfies readonly never[]).toEqual([]);
  // Nothing would be found if a type of `Closed` fitted every object.
  const found = { a: 1, c: 1 } satisfies Record<Strict<{ a?: 1; b: { c?: 1; d?: 1 | undefined } }>, 1>;
  expect(found).toBeDefined();
});
