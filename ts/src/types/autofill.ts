/** Apart from the other types, which a backend uses without the DOM library. */
import type { RecoveryOptions } from './recovery.js';

export interface AutofillOptions extends RecoveryOptions {
  /** Of the page: a wallet in a frame lays its own field over this element, and follows it. Without effect in the page itself. */
  readonly container?: Element | null | undefined;
}
