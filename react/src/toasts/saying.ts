import type { PasskeyToast } from './toast.js';
import type { toastOf } from './toast-of.js';

/** Says the events of one flow. */
export interface FlowSayings {
  /** Says an event, after those before it. */
  readonly hear: (...of: Parameters<typeof toastOf>) => void;
  /** Says nothing more: words that load late must not follow what the page says of the end. */
  readonly end: () => void;
}

/** The toasts of one flow. Their words load with it, since a menu that only shows needs none. */
export function saying(say: (toast: PasskeyToast | undefined) => void): FlowSayings {
  let hasEnded = false;
  // Without a network they may not load, and the flow goes on without.
  const loading = import('./remembering-steps.js').then(
    ({ rememberingSteps }) => rememberingSteps(),
    () => undefined,
  );
  return {
    hear(...of) {
      void loading.then((toastFor) => toastFor && !hasEnded && say(toastFor(...of)));
    },
    end() {
      hasEnded = true;
    },
  };
}
