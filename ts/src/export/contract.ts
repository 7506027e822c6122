/**
 * What page, viewer and signer worker say to each other. The viewer is a document of an opaque origin, so nobody can
 * be named by origin: everything but the first message goes through a port that was handed over with it.
 *
 * 1. page → viewer's window, once: {@link Connect}, with the port for all that follows
 * 2. viewer → page: `WALLET_UI_OPENED`; at each click on its button `KEY_REQUESTED`
 * 3. page → viewer: `KEY_PORT` with a port whose other end the page hands to the signer worker, or `FAILED`
 * 4. worker → viewer, through that port: {@link KeyDelivery}; viewer → page: `KEY_RECEIVED`
 * 5. viewer → page: `WALLET_UI_CLOSED`
 *
 * No message of the page, and none to it, ever holds the key.
 */
import type { Theme, UiMode } from '../types.js';
import type { KnownCredential } from '../webauthn/passkeys.js';

export const CONNECT = 'LATCHKEY_KEY_VIEWER';

/** What the viewer shows, nothing of it secret. */
export interface ViewerModel {
  readonly accountId: string;
  /** `ed25519:...` */
  readonly publicKey: string;
  readonly networkId: string;
  readonly variant: Exclude<UiMode, 'skip'>;
  readonly theme: Theme;
}

/** A key to be shown: what the viewer says of it, and what opens it. Nothing of it is secret, for the key is sealed. */
export interface KeyToShow {
  readonly rpId: string;
  readonly model: ViewerModel;
  /** Those of the account that open the key. */
  readonly passkeys: readonly KnownCredential[];
  /** base64url. */
  readonly sealed: { readonly encryptedData: string; readonly iv: string };
}

export interface Connect {
  readonly type: typeof CONNECT;
  readonly model: ViewerModel;
}

/** `ed25519:` and base58 of 64 bytes, as UTF-8. The buffer moves. */
export interface KeyDelivery {
  readonly privateKey: Uint8Array;
}

/** Why the viewer closed: the person was done, or changed their mind, or left it open too long. */
export type ClosedBy = 'done' | 'cancel' | 'timeout';

export type FromViewer =
  | { readonly type: 'WALLET_UI_OPENED' }
  | { readonly type: 'KEY_REQUESTED' }
  | { readonly type: 'KEY_RECEIVED' }
  /** The key is on its way to the clipboard, or on it, and shall be off it after this time. */
  | { readonly type: 'COPYING' | 'COPIED'; readonly clearAfterMs: number }
  /** It never came there: what is there is none of ours. */
  | { readonly type: 'NOT_COPIED' }
  | { readonly type: 'WALLET_UI_CLOSED'; readonly by: ClosedBy };

export type ToViewer =
  /** Comes with the port. */
  | { readonly type: 'KEY_PORT' }
  | { readonly type: 'FAILED'; readonly message: string }
  | { readonly type: 'CLIPBOARD'; readonly isCleared: boolean };
