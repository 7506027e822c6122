/**
 * The one table of the messages that a host may send: what each takes, answers, shows and runs. The wallet page's
 * router, the host's client, the overlay and docs/api/messages.md derive from it. A host loads it with its first
 * call.
 */
import type { CallArgs, CallName } from '../../wallet.js';
import type { CallMessage } from './call-message.js';
import { DEVICE_MESSAGES } from './device-messages.js';
import type { Message, SchemaOutput } from './message.js';
import { SESSION_MESSAGES } from './session-messages.js';
import { SIGNING_MESSAGES } from './signing-messages.js';

export const MESSAGES = { ...SESSION_MESSAGES, ...SIGNING_MESSAGES, ...DEVICE_MESSAGES };

export type MessageType = keyof typeof MESSAGES;
export type PayloadOf<T extends MessageType> = SchemaOutput<(typeof MESSAGES)[T]['payload']>;
export type ResultOf<T extends MessageType> = SchemaOutput<(typeof MESSAGES)[T]['result']>;
/** The end of a sticky request, after its result; never for any other request. */
export type EndOf<T extends MessageType> = (typeof MESSAGES)[T] extends { readonly end?: infer S }
  ? SchemaOutput<NonNullable<S>>
  : never;

/** Looks up a message by a name that came from outside. */
export function messageNamed(type: string): Message<unknown, unknown, unknown> | undefined {
  return Object.hasOwn(MESSAGES, type)
    ? (MESSAGES[type as MessageType] as unknown as Message<unknown, unknown, unknown>)
    : undefined;
}

/** The calls that a message carries. */
export type CarriedCall = Extract<(typeof MESSAGES)[MessageType], { readonly call: CallName }>['call'];

/** The message that carries a call, as the host's end uses it. */
export interface Carrier
  extends Omit<CallMessage<CallName, unknown, unknown, unknown>, 'pack' | 'optionsOf' | 'wire'> {
  readonly type: MessageType;
  pack(args: CallArgs<CallName>): never;
  optionsOf: CallMessage<CallName, unknown, unknown, unknown>['optionsOf'];
  readonly wire?: { from(sent: unknown): unknown };
}

const CARRIERS = new Map(
  Object.entries(MESSAGES).flatMap(([type, message]) =>
    'call' in message ? [[message.call as CallName, { ...message, type } as unknown as Carrier]] : [],
  ),
);

/** Looks up the message that carries the call. */
export function carrierOf(call: CarriedCall): Carrier {
  return CARRIERS.get(call) as Carrier;
}
