import type { AnyOf } from '../defined-fields.js';

export type UiMode = 'skip' | 'modal' | 'drawer';

export type ConfirmationBehavior = 'requireClick' | 'autoProceed';

export type Theme = 'dark' | 'light';

export interface ConfirmationConfig {
  /** Default `modal`. `skip` shows nothing where no click is needed. */
  readonly uiMode: UiMode;
  /** Default `autoProceed`. In a frame, a request that signs still needs a click. */
  readonly behavior: ConfirmationBehavior;
  /** How long `autoProceed` waits, 0 (the default) to 60000. */
  readonly autoProceedDelayMs: number;
  /** Default `dark`. */
  readonly theme: Theme;
}

/** Confirmation settings as a page gives them: some of them. Unknown names and values are refused with INVALID_CONFIG. */
export interface ConfirmationWish extends AnyOf<ConfirmationConfig> {
  /** Another name for `autoProceedDelayMs`, in milliseconds too. */
  readonly autoProceedDelay?: number | undefined;
}
