/**
 * The window messages by which a host mounts the wallet's own UI in the frame, besides what it asks for over the port. A
 * host that uses them sizes the frame itself.
 *
 * 1. host → wallet: `WALLET_UI_REGISTER_TYPES`: does the wallet ship these types? It keeps silent if it does
 * 2. host → wallet: `WALLET_UI_MOUNT` draws one under an id of the host's choosing; at most {@link MAX_MOUNTED} at a time
 * 3. host → wallet: `WALLET_UI_UPDATE` gives it other props. The same ones change nothing; others redraw it, which
 *    cancels the work of its previous drawing
 * 4. host → wallet: `WALLET_UI_UNMOUNT` removes it, and cancels its work
 * 5. wallet → host: `WALLET_UI_CLOSED`, once for each mounted id, in every case of closing; the id is free again
 *
 * An invalid message changes nothing, and gets one `ERROR` with code INVALID_MESSAGE. The wallet reports a click on a
 * register button by `REGISTER_BUTTON_SUBMIT` and `REGISTER_BUTTON_RESULT`; a successful one closes the button.
 *
 * They are distinct from the port's `WALLET_UI_OPENED` and `WALLET_UI_CLOSED`, which concern a sticky request by its id.
 */
import * as v from 'valibot';
import { json, list, optional, type Schema } from '../protocol/schemas.js';
import { type ShippedUi, uiNamed, type WalletUi, type WalletUiType } from './shipped-ui.js';

/** From the host: the types that it is going to mount. Nothing is stored: each must be one that the wallet ships. */
export interface UiRegisterTypes {
  readonly type: 'WALLET_UI_REGISTER_TYPES';
  readonly payload: { readonly types: readonly WalletUiType[] };
}

/** From the host: draw this. `id` has 1 to 64 characters and differs from every mounted one. */
export interface UiMount {
  readonly type: 'WALLET_UI_MOUNT';
  readonly payload: { readonly id: string } & WalletUi;
}

/** From the host: give what is mounted under this id these props. */
export interface UiUpdate {
  readonly type: 'WALLET_UI_UPDATE';
  readonly payload: { readonly id: string; readonly props?: WalletUi['props'] };
}

/** From the host: unmount it. */
export interface UiUnmount {
  readonly type: 'WALLET_UI_UNMOUNT';
  readonly payload: { readonly id: string };
}

/** From the wallet page: what was mounted under this id is gone. */
export interface UiClosed {
  readonly type: 'WALLET_UI_CLOSED';
  readonly payload: { readonly id: string };
}

/**
 * From the wallet page: a message was refused, or a mounted UI failed. `id` is the one that the message named;
 * `details.field` says where it is wrong.
 */
export interface UiError {
  readonly type: 'ERROR';
  readonly payload: {
    readonly id?: string;
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

export const MAX_MOUNTED = 4;
/** Texts (characters) and keys of a payload together. */
export const MAX_UI_SIZE = 16_384;
const MAX_TYPES = 64;
const MAX_NAME = 64;

export const uiId: Schema<string> = v.pipe(
  v.string(),
  v.check(({ length }) => length > 0 && length <= MAX_NAME, `must have 1 to ${MAX_NAME} characters`),
);
/** The UI that the type names. */
const ui: Schema<ShippedUi<unknown>> = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value: type }, addIssue, NEVER }) => {
    const shipped = uiNamed(type);
    if (shipped) return shipped;
    addIssue({ message: `the wallet ships no ${JSON.stringify(type.slice(0, MAX_NAME))}` });
    return NEVER;
  }),
);

/** The fields that payloads of every type share; the type's own schema then reads `props`. */
export const UI_PAYLOADS = {
  WALLET_UI_REGISTER_TYPES: v.strictObject({ types: list(ui, MAX_TYPES) }),
  WALLET_UI_MOUNT: v.strictObject({ id: uiId, type: ui, props: optional(json) }),
  WALLET_UI_UPDATE: v.strictObject({ id: uiId, props: optional(json) }),
  WALLET_UI_UNMOUNT: v.strictObject({ id: uiId }),
};

export type UiRequestType = keyof typeof UI_PAYLOADS;

/** The type of a host's message, if it is one of these. */
export function uiRequestType(data: unknown): UiRequestType | undefined {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
  return typeof type === 'string' && Object.hasOwn(UI_PAYLOADS, type) ? (type as UiRequestType) : undefined;
}
