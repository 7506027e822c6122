import type { PasskeyToast } from './toast.js';
import type { toastOf } from './toast-of.js';

/** Says each event of a flow, in their order. The words load with the flow, since a menu that only shows needs none. */
export function saying(
  say: (toast: PasskeyToast | undefined) => void,
): (...of: Parameters<typeof toastOf>) => void {
  const loading = import('./remembering-steps.js').then(({ rememberingSteps }) => rememberingSteps());
  return (...of) => {
    loading.then(
      (toastFor) => say(toastFor(...of)),
      () => undefined,
    );
  };
}
