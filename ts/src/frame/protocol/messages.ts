/**
 * The one table of the messages that a host may send: what each takes and answers, and what it runs; what it may show is
 * in its policy. The router of the wallet page, the host's client, the overlay and docs/frame-protocol.md are made from it.
 */
import { DEVICE_MESSAGES } from './device-messages.js';
import type { Message, SchemaOutput } from './message.js';
import type { MessageType } from './policies.js';
import { SESSION_MESSAGES } from './session-messages.js';
import { SIGNING_MESSAGES } from './signing-messages.js';

export const MESSAGES = {
  ...SESSION_MESSAGES,
  ...SIGNING_MESSAGES,
  ...DEVICE_MESSAGES,
} satisfies Record<MessageType, unknown>;

export type PayloadOf<T extends MessageType> = SchemaOutput<(typeof MESSAGES)[T]['payload']>;
export type ResultOf<T extends MessageType> = SchemaOutput<(typeof MESSAGES)[T]['result']>;
/** What a sticky request comes to after its result; never for any other. */
export type EndOf<T extends MessageType> = (typeof MESSAGES)[T] extends { readonly end?: infer S }
  ? SchemaOutput<NonNullable<S>>
  : never;

/** The message of a name that came from outside. */
export function messageNamed(type: string): Message<unknown, unknown, unknown> | undefined {
  return Object.hasOwn(MESSAGES, type)
    ? (MESSAGES[type as MessageType] as unknown as Message<unknown, unknown, unknown>)
    : undefined;
}
