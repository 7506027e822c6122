/** The host's end of the bridge: runs the ceremonies that its wallet frame may not run. Off unless it is configured. */
import { browserCredentials } from '../../webauthn/credentials.js';
import {
  BridgeRequestSchema,
  type BridgeResult,
  type CeremonyResult,
  readFrom,
  sentError,
  wipeSent,
} from '../webauthn-messages.js';

/**
 * Serves the frame with that window and that origin alone, one ceremony at a time, until the signal aborts. The
 * answers hold PRF outputs: they go to the wallet's exact origin.
 */
export function serveBridge(frame: Window, walletOrigin: string, signal: AbortSignal): void {
  let isBusy = false;
  addEventListener(
    'message',
    (event) => {
      const request = readFrom(BridgeRequestSchema, event, frame, walletOrigin);
      if (!request || isBusy) return;
      isBusy = true;
      const { requestId, publicKey } = request.payload;
      const asked =
        request.type === 'WALLET_WEBAUTHN_CREATE'
          ? browserCredentials.create(publicKey as PublicKeyCredentialCreationOptions, signal)
          : browserCredentials.get(publicKey as PublicKeyCredentialRequestOptions, signal);
      const send = (payload: CeremonyResult): void => {
        isBusy = false;
        const answer: BridgeResult = { type: `${request.type}_RESULT`, payload };
        if (!signal.aborted) frame.postMessage(answer, walletOrigin);
      };
      asked.then(
        (credential) => {
          send({ requestId, ok: true, credential } as CeremonyResult);
          wipeSent(credential);
        },
        (error: unknown) => send({ requestId, ok: false, error: sentError(error) }),
      );
    },
    { signal },
  );
}
