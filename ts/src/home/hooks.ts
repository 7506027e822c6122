/** Functions of the operator's that the wallet's own page calls. */

export interface HomeHooks {
  /** Called at the button that adds money: opens what sells NEAR, for example. Without it, no button. */
  readonly onAddFunds?: ((accountId: string) => void | Promise<void>) | undefined;
  /**
   * What an amount is worth in a currency, as a text such as `€12.30`; undefined where that is not known. `contractId` is that of a
   * token, and absent for NEAR; `amount` is in the smallest unit, of which `decimals` digits stand behind the point.
   */
  readonly worthOf?:
    | ((money: {
        readonly contractId?: string | undefined;
        readonly amount: string;
        readonly decimals: number;
      }) => string | undefined | Promise<string | undefined>)
    | undefined;
}

type WorthOf = NonNullable<HomeHooks['worthOf']>;

/** What an operator's function answers and is no text, is not known: the page could not draw it. */
function inText(worthOf: WorthOf): WorthOf {
  return async (money) => {
    const text: unknown = await worthOf(money);
    return typeof text === 'string' ? text : undefined;
  };
}

/** Loads the operator's script, of this page's own origin alone. A page without them is better than none. */
export async function loadHomeHooks(
  path: string | undefined,
  warn: (text: string, data: unknown) => void,
): Promise<HomeHooks> {
  if (path === undefined) return {};
  try {
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) throw new TypeError('it is of another origin');
    const { onAddFunds, worthOf } = (await import(/* @vite-ignore */ url.href)) as Record<string, unknown>;
    return {
      ...(typeof onAddFunds === 'function' && { onAddFunds: onAddFunds as HomeHooks['onAddFunds'] }),
      ...(typeof worthOf === 'function' && { worthOf: inText(worthOf as WorthOf) }),
    };
  } catch (error) {
    warn('The hooks of the wallet’s own page could not be loaded', error);
    return {};
  }
}
