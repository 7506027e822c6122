import type { ScanModel } from 'latchkey';
import { CANCELLED, LatchkeyError } from 'latchkey/internal';
import { mountScreen } from '../surface/mount-screen.js';
import { texts } from '../texts/current.js';
import { ScannerModal } from './scanner-modal.js';

/** Scans a linking code for the wallet itself; see `Confirmer.scan`. */
export function scanOnScreen(model: ScanModel, signal: AbortSignal): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const screen = mountScreen((isOpen) => (
      <ScannerModal
        isOpen={isOpen}
        theme={model.theme}
        title={texts().scanner.linkTitle}
        onScan={(text) => {
          model.check(text);
          screen.close();
          resolve(text);
        }}
        onClose={() => fail(new LatchkeyError(CANCELLED))}
        onElsewhere={model.hasAnotherWay ? fail : undefined}
      />
    ));
    function fail(reason: unknown): void {
      screen.close();
      reject(reason);
    }
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
}
