/** The host's end of the bridge: runs the ceremonies that its wallet frame may not run. Off unless it is configured. */
import { browserCredentials } from '../../webauthn/credentials.js';
import { wipeAnswer } from '../../webauthn/prf.js';
import {
  type BridgeRequest,
  BridgeRequestSchema,
  type BridgeResult,
  type CeremonyResult,
  readFrom,
  sentError,
} from '../webauthn-messages.js';

export interface BridgedWallet {
  readonly walletOrigin: string;
  /** The only one whose passkeys it gets: with an assertion for this page's own rpId it could log in here as the user. */
  readonly rpId: string;
}

/**
 * Serves the frame with that window and that origin alone, one ceremony at a time, until the signal aborts. The
 * answers hold PRF outputs: they go to the wallet's exact origin.
 */
export function serveBridge(frame: Window, { walletOrigin, rpId }: BridgedWallet, signal: AbortSignal): void {
  let isBusy = false;
  addEventListener(
    'message',
    (event) => {
      const request = readFrom(BridgeRequestSchema, event, frame, walletOrigin);
      if (!request || isBusy) return;
      isBusy = true;
      const { requestId } = request.payload;
      const send = (payload: CeremonyResult): void => {
        isBusy = false;
        const answer: BridgeResult = { type: `${request.type}_RESULT`, payload };
        if (!signal.aborted) frame.postMessage(answer, walletOrigin);
      };
      ceremonyOf(request, rpId, signal).then(
        (credential) => {
          send({ requestId, ok: true, credential } as CeremonyResult);
          wipeAnswer(credential.prf);
        },
        (error: unknown) => send({ requestId, ok: false, error: sentError(error) }),
      );
    },
    { signal },
  );
}

async function ceremonyOf({ type, payload }: BridgeRequest, rpId: string, signal: AbortSignal) {
  const isCreation = type === 'WALLET_WEBAUTHN_CREATE';
  const asked = isCreation ? payload.publicKey.rp.id : payload.publicKey.rpId;
  if (asked !== rpId) {
    throw new DOMException(`This page runs passkey prompts for the rpId ${rpId} alone`, 'SecurityError');
  }
  return isCreation
    ? browserCredentials.create(payload.publicKey as PublicKeyCredentialCreationOptions, signal)
    : browserCredentials.get(payload.publicKey as PublicKeyCredentialRequestOptions, signal);
}
