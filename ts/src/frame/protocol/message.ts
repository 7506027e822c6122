/** One message of the table. */
import type * as v from 'valibot';
import type { FlowEvent } from '../../events.js';
import type {
  ConfirmationWish,
  Device2Linking,
  RecoveryResult,
  RegistrationResult,
  TransactionInput,
} from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import type {
  RegisterButtonResult,
  RegisterButtonSubmit,
  TransactionButtonResult,
  TransactionButtonSubmit,
} from '../window-messages.js';
import type { Progress } from './envelope.js';
import type { HostConfig } from './payloads.js';
import type { Policy } from './policies.js';
import type { Schema } from './schemas.js';

/** What the wallet page does apart from the wallet. */
export interface FrameServices {
  /** Shows the wallet's own settings; resolves when the user has closed them, or `signal` aborts. */
  openSettings(signal: AbortSignal): Promise<void>;
  /** Applies what the host sets. Rejects with CONFIG_NOT_ALLOWED and then applies nothing. */
  setConfig(config: HostConfig): Promise<void>;
  checkDevice(): Promise<DeviceCheck>;
  /** Draws the code of a linking and its steps until its `signal` aborts. */
  showLinkingCode(linking: Device2Linking, progress: LinkingProgress): void;
  /** Draws the register button over all of the page until `signal` aborts; each click on it calls `register`. */
  showRegisterButton(button: RegisterButtonModel, signal: AbortSignal): void;
  /**
   * Draws the transaction button over all of the page until `signal` aborts; each click on it calls `sign`. Rejects
   * where it cannot be drawn, and with INVALID_ACTION where the transactions cannot be signed.
   */
  showTransactionButton(button: TransactionButtonModel, signal: AbortSignal): Promise<void>;
  /**
   * Draws a field over all of the page and offers passkeys in it until the user chooses one or `signal` aborts. Tells only what
   * follows the choice. Rejects with HOST_STOPPED or HOST_PAUSED while the host may not ask, with PASSKEYS_UNSUPPORTED where the
   * browser offers none.
   */
  offerPasskeys(
    options: Call['options'] & { readonly confirmationConfig?: ConfirmationWish },
  ): Promise<RecoveryResult>;
  /** Sends the host a window message, to its exact origin. */
  tellHost(
    message: RegisterButtonSubmit | RegisterButtonResult | TransactionButtonSubmit | TransactionButtonResult,
  ): void;
}

/** How far a linking is whose code is drawn. */
export interface LinkingProgress {
  /** Aborts when this device is linked, or the flow is over. */
  readonly signal: AbortSignal;
  /** Calls `listener` with the latest event and with each that follows. Another listener replaces it. */
  readonly follow: (listener: (event: FlowEvent<'linking'>) => void) => void;
}

export interface TransactionButtonModel {
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionInput[];
  /** Call it within the click. It reports its result to the host itself; after a failure the button remains usable. */
  readonly sign: () => Promise<void>;
}

export interface RegisterButtonModel {
  readonly nearAccountId: string;
  /** Call it within the click. It reports its result to the host itself; after a failure the button remains usable. */
  readonly register: () => Promise<RegistrationResult>;
}

/** A request as the wallet end runs it. */
export interface Call<End = unknown> {
  /** The options that every flow takes. */
  readonly options: {
    readonly onEvent: (event: Progress) => void;
    readonly signal: AbortSignal;
  };
  readonly services: FrameServices;
  /** Cancels a running request of this port, or all. Throws INVALID_MESSAGE for an id that was never used. */
  cancel(requestId?: string): void;
  /** Keeps a sticky request open until `end` settles, and then reports the end to the host. */
  until(end: Promise<End>): void;
  /** Tells the host whether the request's own UI, apart from its confirmation, is shown. */
  ui(state: 'opened' | 'closed'): void;
}

export interface Message<P, R, E> extends Policy {
  readonly payload: Schema<P>;
  readonly result: Schema<R>;
  /** The end of a sticky request, after its result. */
  readonly end?: Schema<E>;
  run(wallet: Wallet, payload: P, call: Call<E>): Promise<R>;
}

export function message<P, R, E = never>(entry: Message<P, R, E>): Message<P, R, E> {
  return entry;
}

export type SchemaOutput<S> = S extends v.GenericSchema<unknown, infer T> ? T : never;
