/** Sends a private key from the signer worker to the export viewer, whose document holds the port's other end. */
import type { KeyDelivery } from '../export/contract.js';

/** Sends the key once and closes the port. The bytes move there: no copy of them stays in this worker. */
export function sendKey(viewer: MessagePort, open: () => Uint8Array): void {
  try {
    const privateKey = open();
    try {
      viewer.postMessage({ privateKey } satisfies KeyDelivery, [privateKey.buffer]);
    } finally {
      // Empty now, unless the transfer failed.
      if (privateKey.byteLength > 0) privateKey.fill(0);
    }
  } finally {
    viewer.close();
  }
}
