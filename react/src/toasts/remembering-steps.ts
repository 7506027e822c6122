import { dismissalOf } from './toast.js';
import { toastOf } from './toast-of.js';

/**
 * As `toastOf`, knowing the steps before: names the transaction at the end of a registration, where an event in its middle
 * has the id, and removes the toast of a scan that the user closed.
 */
export function rememberingSteps(): typeof toastOf {
  let transactionId: string | null = null;
  let isScanning = false;
  return (event, about) => {
    if (event.flow === 'linking') {
      const isClosed = isScanning && event.error?.code === 'CANCELLED';
      isScanning = event.phase === 'scanning';
      if (isClosed) return dismissalOf(about?.id ?? event.flow);
    }
    if (event.flow !== 'registration') return toastOf(event, about);
    if (event.phase === 'webauthn-verification') transactionId = null;
    const id = event.data?.transactionId;
    if (typeof id === 'string') transactionId = id;
    const { transactionId: named = transactionId } = about ?? {};
    return toastOf(event, { ...about, transactionId: named });
  };
}
