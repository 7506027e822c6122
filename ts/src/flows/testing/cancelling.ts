/** A user who cancels every wait for the chain. */
import { expect } from 'vitest';
import type { Confirmer, WaitingModel } from '../../confirm/port.js';

export interface Cancelling extends Confirmer {
  /** The waits that were shown. */
  readonly waits: readonly WaitingModel[];
}

/** Nothing may be confirmed. */
export function cancelling(): Cancelling {
  const waits: WaitingModel[] = [];
  return {
    waits,
    show: () => expect.unreachable('nothing can be confirmed before the chain answers'),
    wait: async (model) => void waits.push(model),
  };
}
