import {
  usePasskeyContext,
  usePasskeyToasts,
} from 'latchkey-react';
import { toast } from 'sonner';

/** Pays, and waits until that is final. */
export function usePayment(nearAccountId: string) {
  const { passkeyManager } = usePasskeyContext();
  const { onEvent } = usePasskeyToasts(toast);
  return (receiverId: string, amount: string) =>
    passkeyManager.executeAction({
      nearAccountId,
      receiverId,
      actionArgs: { type: 'Transfer', amount },
      options: {
        waitUntil: 'FINAL',
        onEvent: (event) =>
          onEvent(event, { ownFailures: true }),
      },
    });
}
