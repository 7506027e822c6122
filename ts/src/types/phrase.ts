import type { FlowOptions } from './flow.js';
import type { LinkedAccount } from './linking.js';
import type { ActionOptions, ActionResult } from './transactions.js';

/** A recovery phrase to make, whose key the account gets. */
export interface AddRecoveryKeyArgs {
  readonly nearAccountId: string;
  readonly options?: ActionOptions<RecoveryKeyResult> | undefined;
}

export interface RecoveryKeyResult extends ActionResult {
  /** `ed25519:...`, the key of the words; null when none were made. */
  readonly publicKey: string | null;
}

/** An account to open again with its recovery phrase. */
export interface RecoverWithPhraseArgs {
  /** Default: the user is asked for it, next to the words. */
  readonly nearAccountId?: string | undefined;
  readonly options?: FlowOptions<'linking', RestoredAccount> | undefined;
}

/** The account that a recovery phrase let a new passkey into. */
export interface RestoredAccount extends Omit<LinkedAccount, 'nearAccountId'> {
  /** Null when the user named none. */
  readonly nearAccountId: string | null;
}
