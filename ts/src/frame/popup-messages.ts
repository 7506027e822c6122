/**
 * The window messages between the wallet's frame and the wallet's own window, both documents of the wallet's origin.
 * Each is sent to that one window and origin, and read from them alone.
 *
 * 1. window → frame: {@link PopupReadySchema}
 * 2. frame → window: {@link PopupRequestSchema}, the one thing to do
 * 3. frame → window: {@link PopupThemeSchema}, each time that the theme changes
 * 4. window → frame: of an export, any number of {@link PopupNewsSchema}
 * 5. window → frame: {@link PopupResultSchema}; the frame closes the window
 */
import * as v from 'valibot';
import type { ConfirmModel } from '../confirm/port.js';
import { STEPS } from '../events.js';
import {
  CreationSchema,
  ceremonyResult,
  encoded,
  MAX_PASSKEYS,
  RequestSchema,
  requestId,
  text,
  transports,
} from './webauthn-messages.js';

const MAX_CLIPBOARD_MS = 600_000;
/** Room for every tag that names a language in use (RFC 5646, section 4.4.1). */
const LONGEST_TAG = 35;

const theme = v.picklist(['dark', 'light']);

export const PopupReadySchema = v.strictObject({ type: v.literal('WALLET_POPUP_READY'), requestId });

/** Both ends are the wallet's own documents, so the model is not checked further. */
const model = v.custom<ConfirmModel>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    ['registration', 'transactions', 'nep413'].includes((value as { kind?: string }).kind ?? ''),
);

/**
 * The window is at top level, where it may not reach the frame's storage: it gets the frame's stored records, which
 * only the passkey opens.
 */
const keyToShow = v.strictObject({
  rpId: text,
  model: v.strictObject({
    accountId: text,
    publicKey: text,
    networkId: text,
    variant: v.picklist(['modal', 'drawer']),
    theme,
  }),
  passkeys: v.pipe(
    v.array(
      v.strictObject({
        credentialId: encoded,
        transports,
        aaguid: v.exactOptional(text),
        verifiesUnnamed: v.exactOptional(v.boolean()),
      }),
    ),
    v.minLength(1),
    v.maxLength(MAX_PASSKEYS),
  ),
  sealed: v.strictObject({ encryptedData: encoded, iv: encoded }),
});

/** The frame's language, as in HTML's `lang`; absent from frames that were loaded before an update of the wallet. */
const language = v.optional(v.pipe(v.string(), v.maxLength(LONGEST_TAG)));
const request = { type: v.literal('WALLET_POPUP_REQUEST'), requestId, theme, language };

export const PopupRequestSchema = v.variant('kind', [
  v.strictObject({ ...request, kind: v.literal('create'), publicKey: CreationSchema }),
  v.strictObject({ ...request, kind: v.literal('get'), publicKey: RequestSchema }),
  v.strictObject({ ...request, kind: v.literal('confirm'), model }),
  v.strictObject({ ...request, kind: v.literal('export'), key: keyToShow }),
  v.strictObject({ ...request, kind: v.literal('scan') }),
]);

export const PopupThemeSchema = v.strictObject({ type: v.literal('WALLET_POPUP_THEME'), requestId, theme });

const exportPhase = v.picklist(Object.keys(STEPS.export) as (keyof typeof STEPS.export)[]);

/** The progress of an export. */
export const PopupNewsSchema = v.variant('type', [
  v.strictObject({
    type: v.literal('WALLET_POPUP_PROGRESS'),
    requestId,
    phase: exportPhase,
    status: v.picklist(['progress', 'success', 'error']),
    message: text,
  }),
  /** The key is on the clipboard and must be cleared after this time; null: it is not there, or no longer. */
  v.strictObject({
    type: v.literal('WALLET_POPUP_COPIED'),
    requestId,
    clearAfterMs: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_CLIPBOARD_MS))),
  }),
]);

export const PopupResultSchema = v.strictObject({
  type: v.literal('WALLET_POPUP_RESULT'),
  payload: v.union([
    ceremonyResult,
    v.strictObject({ requestId, ok: v.literal(true), decision: v.picklist(['confirm', 'cancel', 'stop']) }),
    v.strictObject({ requestId, ok: v.literal(true), isShown: v.literal(true) }),
    v.strictObject({ requestId, ok: v.literal(true), scanned: text }),
  ]),
});

export type PopupReady = v.InferOutput<typeof PopupReadySchema>;
export type PopupRequest = v.InferOutput<typeof PopupRequestSchema>;
export type PopupTheme = v.InferOutput<typeof PopupThemeSchema>;
export type PopupNews = v.InferOutput<typeof PopupNewsSchema>;
export type PopupResult = v.InferOutput<typeof PopupResultSchema>;
