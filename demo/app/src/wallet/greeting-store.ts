/** Refusals of {@link GreetingStore.fetch}, without a request to the chain. */
export type FetchRefusal = 'Already fetching' | 'Rate limited';

export interface GreetingState {
  readonly greeting: string | undefined;
  readonly fetching: boolean;
  readonly error: string | undefined;
}

export interface GreetingStore {
  get(): GreetingState;
  subscribe(changed: () => void): () => void;
  /** Reads the greeting from the chain: one fetch at a time, at least a second from start to start. */
  fetch(): Promise<{ success: true } | { success: false; error: string }>;
  /**
   * Fetches, as the rate limit allows, until the greeting changes: nodes may be some blocks behind the write. Gives up
   * after {@link MAX_FETCHES_FOR_CHANGE}.
   */
  fetchChange(): Promise<void>;
}

const SPACING_MS = 1000;
/** At a second each, longer than nodes usually lag. */
const MAX_FETCHES_FOR_CHANGE = 12;

/** The greeting on the chain, shared by every component that shows it. */
export function createGreetingStore(
  view: () => Promise<string>,
  now: () => number = Date.now,
): GreetingStore {
  let state: GreetingState = { greeting: undefined, fetching: false, error: undefined };
  let lastStart = Number.NEGATIVE_INFINITY;
  let running: Promise<unknown> | undefined;
  const listeners = new Set<() => void>();
  const update = (change: Partial<GreetingState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const refused = (error: FetchRefusal) => ({ success: false, error }) as const;

  async function run() {
    update({ fetching: true, error: undefined });
    try {
      update({ greeting: await view(), fetching: false });
      return { success: true } as const;
    } catch (cause) {
      const error = (cause instanceof Error && cause.message) || 'Failed to fetch greeting';
      update({ error, fetching: false });
      return { success: false, error } as const;
    } finally {
      running = undefined;
    }
  }

  const store: GreetingStore = {
    get: () => state,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    async fetch() {
      if (running) return refused('Already fetching');
      if (now() - lastStart < SPACING_MS) return refused('Rate limited');
      lastStart = now();
      const fetching = run();
      running = fetching;
      return fetching;
    },
    async fetchChange() {
      const { greeting: old } = state;
      for (let left = MAX_FETCHES_FOR_CHANGE; left > 0 && state.greeting === old; left -= 1) {
        await running;
        const rest = SPACING_MS - (now() - lastStart);
        if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
        await store.fetch();
      }
    },
  };
  return store;
}
