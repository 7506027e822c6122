import { unknownToast, usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { toast } from 'sonner';

/** Says that an outcome is not known, and has it looked up until it is. `toastId` names the toast that says so. */
export function useFollow(toastId: string): () => Promise<void> {
  const { resume } = usePasskeyContext();
  const toasts = usePasskeyToasts(toast);
  return async () => {
    toasts.show(unknownToast(toastId));
    await resume().catch(() => undefined);
  };
}
