import { useState } from 'react';
import { SendForm, type SentMoney } from '../../../src/send-form/send-form.js';
import { usePasskeyToasts } from '../../../src/toasts/use-passkey-toasts.js';
import { useHomeHooks } from '../context.js';
import { useMoney } from '../money.js';
import { Loading, Screen } from '../parts.js';
import { tokenOf } from '../routes.js';
import { SentReceipt } from '../sent-receipt.js';
import { useHomeTexts } from '../texts/index.js';
import { useToaster } from '../toaster.js';

/** Sends NEAR or a token: the confirmation and the passkey come as for every app. */
export function Send({ accountId }: { accountId: string }) {
  const words = useHomeTexts().send;
  const { worthOf } = useHomeHooks();
  const { tokens } = useMoney();
  const toaster = useToaster();
  const toasts = usePasskeyToasts(toaster);
  const [sent, setSent] = useState<SentMoney>();
  const chosen = tokenOf(location.hash);

  if (sent) {
    return (
      <Screen title={words.title}>
        <SentReceipt accountId={accountId} sent={sent} onAgain={() => setSent(undefined)} />
      </Screen>
    );
  }
  // Before its tokens are there, the form would mean NEAR.
  const isReading = chosen !== undefined && tokens.value === undefined && tokens.error === undefined;
  return (
    <Screen title={words.title} lead={words.lead}>
      {isReading ? (
        <Loading />
      ) : (
        <SendForm
          tokens={tokens.value?.tokens}
          contractId={chosen}
          worthOf={worthOf}
          onEvent={(event) => {
            // The page itself says what became of it.
            if (event.status === 'error') toaster.dismiss('send');
            else toasts.onEvent(event, { id: 'send' });
          }}
          onSent={(ended) => {
            toaster.dismiss('send');
            setSent(ended);
            if (ended.token) void tokens.reload();
          }}
        />
      )}
    </Screen>
  );
}
