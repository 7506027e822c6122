/**
 * The window messages between a page and the wallet's window that it opened. A port cannot pass through a connector, so the
 * port's messages go from window to window, each in an envelope with the session's name.
 *
 * 1. page → window: {@link OpenerConnect}, again and again until the window answers
 * 2. window → page: {@link OpenerReady}, or an error
 * 3. both ways: {@link OpenerMessage}, the messages of the port
 *
 * The window takes them from the one window that opened it, and answers the one origin that they came from.
 */
import * as v from 'valibot';
import { text } from './protocol/schemas.js';

const session = v.pipe(v.string(), v.uuid());

/** Carries nothing: the page may send it before it knows that the wallet answers at this address. */
export const OpenerConnectSchema = v.object({ type: v.literal('WALLET_OPENER_CONNECT'), session });
export const OpenerReadySchema = v.object({
  type: v.literal('WALLET_OPENER_READY'),
  session,
  protocolVersion: text(64),
});
export const OpenerRefusedSchema = v.object({
  type: v.literal('WALLET_OPENER_REFUSED'),
  session,
  code: text(64),
  message: text(4_096),
});
/** `message` is read like one on the port. */
export const OpenerMessageSchema = v.object({
  type: v.literal('WALLET_OPENER_MESSAGE'),
  session,
  message: v.record(v.string(), v.unknown()),
});

export type OpenerConnect = v.InferOutput<typeof OpenerConnectSchema>;
export type OpenerReady = v.InferOutput<typeof OpenerReadySchema>;
export type OpenerRefused = v.InferOutput<typeof OpenerRefusedSchema>;
export type OpenerMessage = v.InferOutput<typeof OpenerMessageSchema>;
