/** The apps that used this wallet from this browser: what each may see, and whether it may ask. */
import { ASKING_PREFIX, Patience } from '../frame/wallet/patience.js';
import type { HomeStore, KnownApp } from './home-store.js';

export interface AppOfUser extends KnownApp {
  /** The user told it to stop asking. */
  readonly isStopped: boolean;
  /** It may not ask before this moment, in milliseconds since 1970: it was stopped, or refused too often. */
  readonly silentUntil?: number;
}

export class AppList {
  readonly #store: HomeStore;
  readonly #tellForgotten: () => void;
  /** One for each app: they follow what other tabs store. */
  readonly #patience = new Map<string, Patience>();

  /** Calls `tellForgotten` after an app was forgotten, so that its open pages end their sessions. */
  constructor(store: HomeStore, tellForgotten: () => void) {
    this.#store = store;
    this.#tellForgotten = tellForgotten;
  }

  /** Every app that this browser knows, in the order of their names. */
  async list(): Promise<readonly AppOfUser[]> {
    const known = await this.#store.apps();
    // An app that was refused without an account. A mere count of refusals does not show.
    const silenced = refusedOrigins()
      .filter((origin) => !known.some((app) => app.origin === origin))
      .filter((origin) => this.#patienceOf(origin).silentUntil !== undefined)
      .map((origin) => ({ origin, accounts: [] }));
    return [...known, ...silenced]
      .map((app) => {
        const { isStopped, silentUntil } = this.#patienceOf(app.origin);
        return { ...app, isStopped, ...(silentUntil !== undefined && { silentUntil }) };
      })
      .sort((a, b) => a.origin.localeCompare(b.origin));
  }

  /** The app may not ask from now on, for a day. What it asks at this moment ends. */
  stop(origin: string): void {
    this.#patienceOf(origin).stop();
  }

  /** The app may ask again. */
  allow(origin: string): void {
    this.#patienceOf(origin).allow();
  }

  /** Takes back what the user chose for its requests: each of them asks for a click again. */
  resetChoices(origin: string): Promise<void> {
    return this.#store.resetChoices(origin);
  }

  /** Forgets the app: it sees no account until the user logs in there again. A stop stays: forgetting must not lift it. */
  async forget(origin: string): Promise<void> {
    await this.#store.forgetApp(origin);
    this.#tellForgotten();
  }

  #patienceOf(origin: string): Patience {
    const known = this.#patience.get(origin);
    if (known) return known;
    const made = new Patience(origin);
    this.#patience.set(origin, made);
    return made;
  }
}

/** The origins that the user refused something lately. */
function refusedOrigins(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(ASKING_PREFIX))
      .map((key) => key.slice(ASKING_PREFIX.length));
  } catch {
    // The browser refuses this page its storage: it has kept nothing.
    return [];
  }
}
