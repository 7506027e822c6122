import type { ConnectChoice, ConnectModel } from 'latchkey';
import { mountScreen } from '../surface/mount-screen.js';
import { ChooseDialog } from './choose-dialog.js';

/** Asks which account to connect, and stays until `signal` aborts; see `Confirmer.choose`. */
export function chooseOnScreen(model: ConnectModel, signal: AbortSignal): Promise<ConnectChoice> {
  return new Promise<ConnectChoice>((resolve) => {
    if (signal.aborted) return resolve({ kind: 'cancel' });
    const screen = mountScreen((isOpen) => <ChooseDialog model={model} open={isOpen} onChoice={resolve} />);
    signal.addEventListener(
      'abort',
      () => {
        screen.close();
        resolve({ kind: 'cancel' });
      },
      { once: true },
    );
  });
}
