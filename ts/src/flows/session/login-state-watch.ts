/** Reads the login state whenever it may have changed, and reports changes. */
import type { LoginState } from '../../types.js';

export interface LoginStateWatchOptions {
  readonly read: () => Promise<LoginState>;
  readonly tell: (state: LoginState) => void;
  readonly failed: (error: unknown) => void;
}

export class LoginStateWatch {
  readonly #options: LoginStateWatchOptions;
  /** The last state read; undefined means logged out. */
  #seen: string | undefined;
  #held = 0;
  #wanted = false;
  #looking = false;
  #closed = false;

  constructor(options: LoginStateWatchOptions) {
    this.#options = options;
  }

  /** Schedules a read. Several calls in a row cause one read. */
  look(): void {
    this.#wanted = true;
    if (this.#held === 0 && !this.#looking) void this.#run();
  }

  /** Holds back reports while the flow runs: a session that it opened may still be closed by it. */
  async during<T>(flow: () => Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await flow();
    } finally {
      this.#held -= 1;
      this.look();
    }
  }

  close(): void {
    this.#closed = true;
  }

  async #run(): Promise<void> {
    this.#looking = true;
    while (this.#wanted && this.#held === 0 && !this.#closed) {
      this.#wanted = false;
      try {
        this.#compare(await this.#options.read());
      } catch (error) {
        this.#options.failed(error);
      }
    }
    this.#looking = false;
  }

  #compare(state: LoginState): void {
    // A flow that began meanwhile, or closing the watch, makes this reading stale.
    if (this.#closed || this.#held > 0) return;
    const { isLoggedIn, nearAccountId, publicKey, userData } = state;
    const { deviceNumber, passkeyProven, passkeyBackup } = userData ?? {};
    const seen = [isLoggedIn, nearAccountId, publicKey, deviceNumber, passkeyProven, passkeyBackup];
    const now = JSON.stringify(seen);
    const isNews = this.#seen === undefined ? isLoggedIn : this.#seen !== now;
    this.#seen = now;
    if (isNews) this.#options.tell(state);
  }
}
