/**
 * Passkey ceremonies that the page around the frame runs for it: the last way, where a browser allows them neither in
 * a frame nor in a window. That page sees the PRF outputs, and so the keys: the wallet's own configuration must ask
 * for it.
 */

import { WEBAUTHN_BRIDGE_TIMEOUT } from '../../errors/frame.js';
import { INVALID_CREDENTIAL, LatchkeyError } from '../../errors/wallet.js';
import type { Credentials } from '../../webauthn/credentials.js';
import type { AssertedPasskey, CreatedPasskey } from '../../webauthn/read-credential.js';
import {
  type BridgeRequest,
  BridgeResultSchema,
  credentialOf,
  isCreated,
  newRequestId,
  readFrom,
} from '../webauthn-messages.js';

const BRIDGE_TIMEOUT_MS = 60_000;

/**
 * `hostOrigin` is an allowed host; nothing goes to any other origin. Rejects with WEBAUTHN_BRIDGE_TIMEOUT after 60 s.
 */
export function bridgeCredentials(hostOrigin: string, timeoutMs = BRIDGE_TIMEOUT_MS): Credentials {
  return {
    async create(publicKey, signal) {
      const payload = { requestId: newRequestId('create'), publicKey };
      const made = await ask({ type: 'WALLET_WEBAUTHN_CREATE', payload } as BridgeRequest, signal);
      if (!isCreated(made)) throw unexpected();
      return made;
    },
    async get(publicKey, signal) {
      const payload = { requestId: newRequestId('get'), publicKey };
      const asserted = await ask({ type: 'WALLET_WEBAUTHN_GET', payload } as BridgeRequest, signal);
      if (isCreated(asserted)) throw unexpected();
      return asserted;
    },
  };

  function ask(request: BridgeRequest, signal: AbortSignal): Promise<CreatedPasskey | AssertedPasskey> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const over = new AbortController();
      const end = (settle: () => void): void => {
        over.abort();
        clearTimeout(timer);
        settle();
      };
      const timer = setTimeout(
        () => end(() => reject(new LatchkeyError(WEBAUTHN_BRIDGE_TIMEOUT))),
        timeoutMs,
      );
      signal.addEventListener('abort', () => end(() => reject(signal.reason)), { signal: over.signal });
      addEventListener(
        'message',
        (event) => {
          const result = readFrom(BridgeResultSchema, event, parent, hostOrigin);
          if (result?.type !== `${request.type}_RESULT`) return;
          if (result.payload.requestId !== request.payload.requestId) return;
          end(() => {
            try {
              resolve(credentialOf(result.payload));
            } catch (error) {
              reject(error);
            }
          });
        },
        { signal: over.signal },
      );
      parent.postMessage(request, hostOrigin);
    });
  }
}

function unexpected(): LatchkeyError {
  return new LatchkeyError(INVALID_CREDENTIAL, { values: { reason: 'it is of the other ceremony' } });
}
