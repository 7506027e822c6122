/** Recovery in two steps, for a page that shows what was found before it asks for the passkey. */
import { LatchkeyError, RECOVERY_FAILED, toLatchkeyError } from './errors/wallet.js';
import type { PasskeyManager } from './passkey-manager.js';
import type { RecoverableAccount, RecoveryOptions, RecoveryResult } from './types.js';

export type RecoveryPhase = 'idle' | 'discovering' | 'ready' | 'recovering' | 'complete' | 'error';

export interface RecoveryState {
  readonly phase: RecoveryPhase;
  /** What {@link AccountRecoveryFlow.discover} found. */
  readonly accounts: readonly RecoverableAccount[];
  /** In phase `complete`. */
  readonly result?: RecoveryResult;
  /** In phase `error`. */
  readonly error?: LatchkeyError;
}

/** What the class needs of a PasskeyManager. */
export type RecoveringManager = Pick<PasskeyManager, 'discoverRecoverableAccounts' | 'recoverAccountFlow'>;

const IDLE: RecoveryState = { phase: 'idle', accounts: [] };

/**
 * One recovery: `discover`, then `recover`. Either may be called again after it failed. Only one of them runs at a
 * time; `reset` ends it.
 */
export class AccountRecoveryFlow {
  readonly #manager: RecoveringManager;
  readonly #options: RecoveryOptions;
  #state = IDLE;
  #running = new AbortController();

  constructor(manager: RecoveringManager, options: RecoveryOptions = {}) {
    this.#manager = manager;
    this.#options = options;
  }

  /** Returns the recovery's state: a new object at each change. */
  getState(): RecoveryState {
    return this.#state;
  }

  /**
   * Looks up the passkeys of the account; with a blank name the user chooses one (one prompt). Rejects with the
   * LatchkeyError that `getState` then holds.
   */
  async discover(accountId?: string): Promise<readonly RecoverableAccount[]> {
    const { signal, become } = this.#begin({ phase: 'discovering', accounts: [] });
    const { onEvent } = this.#options;
    try {
      const options = { signal, ...(onEvent && { onEvent }) };
      const accounts = await this.#manager.discoverRecoverableAccounts(accountId, options);
      become({ phase: 'ready', accounts });
      return accounts;
    } catch (thrown) {
      const error = toLatchkeyError(thrown, 'Recovery');
      become({ phase: 'error', accounts: [], error });
      throw error;
    }
  }

  /**
   * Recovers the account that was found, with the selected passkey or any of those found (one prompt). Resolves with
   * success false where that failed; rejects when nothing was found before, or the selection is not among it.
   */
  async recover(selection?: Pick<RecoverableAccount, 'credentialId'>): Promise<RecoveryResult> {
    const { accounts } = this.#state;
    const [first] = accounts;
    if (!first) throw refused('call discover first');
    const selected =
      selection && accounts.find(({ credentialId }) => credentialId === selection.credentialId);
    if (selection && !selected) throw refused('the selection is none of the accounts found');
    // A single passkey is meant: the user may have chosen it.
    const passkey = selected ?? (accounts.length === 1 ? first : undefined);

    const { signal, become } = this.#begin({ phase: 'recovering', accounts });
    const error = { current: undefined as LatchkeyError | undefined };
    try {
      const result = await this.#manager.recoverAccountFlow({
        accountId: first.accountId,
        credentialId: passkey?.credentialId,
        options: {
          ...this.#options,
          signal,
          onError: (failed) => {
            error.current = failed;
            this.#options.onError?.(failed);
          },
        },
      });
      become(
        result.success
          ? { phase: 'complete', accounts, result }
          : { phase: 'error', accounts, error: error.current ?? refused(result.message) },
      );
      return result;
    } catch (thrown) {
      const failed = toLatchkeyError(thrown, 'Recovery');
      become({ phase: 'error', accounts, error: failed });
      throw failed;
    }
  }

  /** Returns to the beginning. Ends what runs, which then no longer changes the state. */
  reset(): void {
    this.#running.abort();
    this.#state = IDLE;
  }

  #begin(state: RecoveryState) {
    const { phase } = this.#state;
    if (phase === 'discovering' || phase === 'recovering') throw refused('it is running already');
    const running = new AbortController();
    this.#running = running;
    this.#state = state;
    const ofHost = this.#options.signal;
    return {
      signal: ofHost ? AbortSignal.any([running.signal, ofHost]) : running.signal,
      become: (next: RecoveryState) => {
        if (!running.signal.aborted) this.#state = next;
      },
    };
  }
}

function refused(reason: string): LatchkeyError {
  return new LatchkeyError(RECOVERY_FAILED, { values: { reason } });
}
