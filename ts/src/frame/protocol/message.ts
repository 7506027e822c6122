/** What one message of the table is. */
import type * as v from 'valibot';
import type { Device2Linking, RegistrationResult } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import type { RegisterButtonResult, RegisterButtonSubmit } from '../window-messages.js';
import type { Progress } from './envelope.js';
import type { HostConfig } from './payloads.js';
import type { Policy } from './policies.js';
import type { Schema } from './schemas.js';

/** What the wallet page does beside the wallet. */
export interface FrameServices {
  /** Shows the wallet's own settings; resolves when the person has closed them, or `signal` aborts. */
  openSettings(signal: AbortSignal): Promise<void>;
  /** Takes over what the host may set. Rejects with CONFIG_NOT_ALLOWED, nothing being set. */
  setConfig(config: HostConfig): Promise<void>;
  checkDevice(): Promise<DeviceCheck>;
  /** Draws the code of a linking until `signal` aborts: the other device has it, or the flow is over. */
  showLinkingCode(linking: Device2Linking, signal: AbortSignal): void;
  /** Draws the register button over all of the page until `signal` aborts; each click on it calls `register`. */
  showRegisterButton(button: RegisterButtonModel, signal: AbortSignal): void;
  /** Sends the host a window message, to its exact origin. */
  tellHost(message: RegisterButtonSubmit | RegisterButtonResult): void;
}

export interface RegisterButtonModel {
  readonly nearAccountId: string;
  /** To be called in the click. Its result is told to the host already; a failed one leaves the button usable. */
  readonly register: () => Promise<RegistrationResult>;
}

/** One request as the wallet end runs it. */
export interface Call<End = unknown> {
  /** What every flow takes. */
  readonly options: {
    readonly onEvent: (event: Progress) => void;
    readonly signal: AbortSignal;
  };
  readonly services: FrameServices;
  /** Cancels a running request of this port, or all. INVALID_MESSAGE for an id that was never used. */
  cancel(requestId?: string): void;
  /** For a sticky request: it goes on until `end` settles, which the host is told. */
  until(end: Promise<End>): void;
  /** Tells the host that the request's own UI, beside its confirmation, is shown or gone. */
  ui(state: 'opened' | 'closed'): void;
}

export interface Message<P, R, E> extends Policy {
  readonly payload: Schema<P>;
  readonly result: Schema<R>;
  /** What a sticky request comes to after its result. */
  readonly end?: Schema<E>;
  run(wallet: Wallet, payload: P, call: Call<E>): Promise<R>;
}

export function message<P, R, E = never>(entry: Message<P, R, E>): Message<P, R, E> {
  return entry;
}

export type SchemaOutput<S> = S extends v.GenericSchema<unknown, infer T> ? T : never;
