/** Bringing an account from another wallet. */
import type { FlowOptions, Outcome } from './flow.js';
import type { LinkedAccount } from './linking.js';

export type PrepareAdoptionOptions = FlowOptions<'linking', PreparedAdoption>;

/** A passkey that waits for its key to be added to the account. */
export interface PreparedAdoption extends Outcome {
  readonly nearAccountId: string;
  /** The key to add; null when none was made. */
  readonly publicKey: string | null;
  /** True when the account has it already, after an interrupted earlier try. */
  readonly isAdded: boolean;
}

export type AdoptAccountOptions = Pick<
  FlowOptions<'linking', LinkedAccount>,
  'onEvent' | 'signal' | 'confirmationConfig'
>;

export interface AdoptAccountArgs {
  /** The account to bring: one that exists, and that the user controls with another wallet. */
  readonly accountId: string;
  /**
   * Asks that wallet for one transaction, the AddKey, and resolves when it is sent. Its result is ignored, because the
   * wallet asks the chain. A rejection means that it was refused.
   */
  readonly addKey: (key: KeyToAdd) => Promise<unknown>;
  readonly options?: AdoptAccountOptions | undefined;
}

/** The key of the new passkey, and the action that adds it to the account. */
export interface KeyToAdd {
  /** The signer of the transaction. */
  readonly accountId: string;
  /** Its receiver: the account itself. */
  readonly receiverId: string;
  /** `ed25519:...`. */
  readonly publicKey: string;
  /** The one action, in the form that near-connect takes. */
  readonly action: {
    readonly type: 'AddKey';
    readonly params: {
      readonly publicKey: string;
      readonly accessKey: { readonly permission: 'FullAccess' };
    };
  };
}

export interface AbandonedAdoption {
  /** True when the account has the key after all: the adoption can be finished, and nothing was rolled back. */
  readonly isAdded: boolean;
}
