/** Another behaviour for each method of an object; a method that has none does not compile. */
export type Wrappers<T> = {
  readonly [Method in keyof T]-?: (own: NonNullable<T[Method]>) => NonNullable<T[Method]>;
};

/** The object with each of its methods wrapped. A method that it does not have stays absent. */
export function wrapEach<T extends object>(target: T, wrappers: Wrappers<T>): T {
  const methods = Object.entries<(own: never) => unknown>(wrappers).flatMap(([name, wrap]) => {
    const own: unknown = Reflect.get(target, name);
    return typeof own === 'function' ? [[name, wrap(own.bind(target) as never)]] : [];
  });
  return Object.fromEntries(methods) as T;
}
