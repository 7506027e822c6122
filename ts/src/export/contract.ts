/**
 * The messages between page, viewer and worker, for the key viewer and the phrase viewer alike. The viewer has an opaque origin, which cannot be named, so
 * everything but the first message goes through a port that the first message transfers.
 *
 * 1. page → viewer's window, once: {@link Connect}, with the port for everything after it
 * 2. viewer → page: `WALLET_UI_OPENED`; at each click on its button `KEY_REQUESTED`
 * 3. page → viewer: `KEY_PORT` with a port whose other end the page transfers to the worker, or `FAILED`
 * 4. worker → viewer, through that port: {@link KeyDelivery} or a new phrase; viewer → page: `KEY_RECEIVED`. Where the user
 *    enters a phrase, it goes from the viewer to the worker
 * 5. viewer → page: `WALLET_UI_CLOSED`, by 'done' once the user has the key, or has shown that the phrase is written down
 *
 * No message from or to the page ever contains the key or the phrase.
 */
import type { Theme, UiMode } from '../types.js';
import type { KnownCredential } from '../webauthn/passkeys.js';
import type { ViewerLook } from './viewer-texts.js';

export const CONNECT = 'LATCHKEY_KEY_VIEWER';

/** The viewer's content; contains no secret. */
export interface ViewerModel {
  readonly accountId: string;
  /** `ed25519:...` */
  readonly publicKey: string;
  readonly networkId: string;
  readonly variant: Exclude<UiMode, 'skip'>;
  readonly theme: Theme;
}

/** A key to show: the viewer's content, and what opens the key. Contains no secret, because the key is sealed. */
export interface KeyToShow {
  readonly rpId: string;
  readonly model: ViewerModel;
  /** The account's passkeys that open the key. */
  readonly passkeys: readonly KnownCredential[];
  /** base64url. */
  readonly sealed: { readonly encryptedData: string; readonly iv: string };
}

/** The phrase viewer's content; contains no secret. */
export type PhraseModel = {
  readonly networkId: string;
  readonly variant: Exclude<UiMode, 'skip'>;
  readonly theme: Theme;
} & (
  | { readonly purpose: 'show'; readonly accountId: string }
  /** Without an account it asks for one. */
  | { readonly purpose: 'enter'; readonly accountId?: string }
);

/** What a viewer gets at its start. */
export interface Connect<Model = ViewerModel, Look = ViewerLook> {
  readonly type: typeof CONNECT;
  readonly model: Model;
  readonly look: Look;
}

/** `ed25519:` and base58 of 64 bytes, as UTF-8. The buffer is transferred. */
export interface KeyDelivery {
  readonly privateKey: Uint8Array;
}

/** Why the viewer closed: the user finished, cancelled, or left it open too long. */
export type ClosedBy = 'done' | 'cancel' | 'timeout';

export type FromViewer =
  | { readonly type: 'WALLET_UI_OPENED' }
  /** With the account that the user named, where the phrase viewer asked for it. */
  | { readonly type: 'KEY_REQUESTED'; readonly accountId?: string }
  | { readonly type: 'KEY_RECEIVED' }
  /** The key is being copied, or is on the clipboard; clear it after this time. */
  | { readonly type: 'COPYING' | 'COPIED'; readonly clearAfterMs: number }
  /** The copy failed: the clipboard does not contain our key. */
  | { readonly type: 'NOT_COPIED' }
  /** After a timeout, with the limit that passed. */
  | { readonly type: 'WALLET_UI_CLOSED'; readonly by: ClosedBy; readonly limitMs?: number };

export type ToViewer =
  /** Transferred with the port. */
  | { readonly type: 'KEY_PORT' }
  | { readonly type: 'FAILED'; readonly message: string }
  | { readonly type: 'CLIPBOARD'; readonly isCleared: boolean };
