/** What a flow reads before it can ask the user or go on, while the chain may be slow or not answer at all. */
import { cancelledBy } from '../errors/core.js';
import type { FlowContext } from './context.js';
import { getConfirmationConfig } from './session/settings.js';
import { warn } from './warn.js';

/** How long the user sees nothing after a click: longer than a chain that answers takes. */
const PATIENCE_MS = 1_500;

/**
 * Resolves as `reading` does. If that takes long, the confirmer shows what it waits for, and `onShown` is called. Rejects
 * with CANCELLED when the user cancels there, and when `signal` aborts; what the reading then still answers is dropped.
 */
export function beforeAsking<T>(
  context: FlowContext,
  signal: AbortSignal,
  reading: Promise<T>,
  onShown?: () => void,
): Promise<T> {
  const over = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const cancel = (): void => reject(cancelledBy(signal));
    const wait = async (): Promise<void> => {
      const { theme } = await getConfirmationConfig(context);
      if (over.signal.aborted) return;
      const { networkId } = context.config;
      const waiting = context.confirmer()?.wait?.({ networkId, theme }, over.signal);
      if (waiting) onShown?.();
      await waiting?.then(cancel);
    };
    const unseen = (error: unknown): void => warn(context.config, 'The wait could not be shown', error);
    const timer = setTimeout(() => wait().catch(unseen), PATIENCE_MS);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', cancel, { signal: over.signal });
    if (signal.aborted) cancel();
    reading.then(resolve, reject);
  }).finally(() => over.abort());
}
