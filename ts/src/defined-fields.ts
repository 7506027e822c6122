/** Any of the fields. One that is undefined counts as left out. */
export type AnyOf<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The fields of an object that have a value: one that is undefined counts as left out. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
