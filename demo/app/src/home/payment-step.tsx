import type { ActionResult } from 'latchkey';
import { usePasskeyContext } from 'latchkey-react';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { SentList } from '../wallet/sent-list.js';
import { sentRows } from '../wallet/sent-rows.js';
import { followed } from '../wallet/transaction-details.js';
import { useFollow } from '../wallet/use-follow.js';
import { CLAIMS } from './claims.js';
import { CodePanel } from './code-panel.js';
import { NeedsAccount } from './needs-account.js';
import { NotSent } from './not-sent.js';
import { Safety } from './safety.js';
import { usePayment } from './shown/use-payment.js';
import Code from './shown/use-payment.ts?code';
import { Step } from './step.js';

const NEAR = '0.001';
const YOCTO = '1000000000000000000000';
/** Of the toasts that the payment's events show. */
const TOAST_ID = 'action';
const words = texts.home.payment;

/** The account that is logged in, and who hears of each payment. */
export interface Payer {
  readonly accountId: string;
  readonly onTransaction: (result: ActionResult) => void;
}

/** The second step: a small payment, for a user who is logged in. */
export function PaymentStep({ payer }: { payer: Payer | undefined }) {
  const [isDone, setIsDone] = useState(false);
  return (
    <Step
      title={words.title}
      lead={words.lead}
      isDone={isDone}
      code={<CodePanel file="use-payment.ts" of={Code} />}
      safety={<Safety claims={CLAIMS.payment} />}
    >
      {payer ? (
        <Payment {...payer} onPaid={() => setIsDone(true)} />
      ) : (
        <NeedsAccount label={words.pay(NEAR)} />
      )}
    </Step>
  );
}

/** Pays the contract that the demo runs with: no account is sure to exist besides it. */
function Payment({ accountId, onTransaction, onPaid }: Payer & { onPaid: () => void }) {
  const { resumed, passkeyManager } = usePasskeyContext();
  const { contractId, explorerUrl } = passkeyManager.config;
  const pay = usePayment(accountId);
  const follow = useFollow(TOAST_ID);
  const [isPaying, setIsPaying] = useState(false);
  const [result, setResult] = useState<ActionResult>();

  async function submit() {
    if (isPaying) return;
    setIsPaying(true);
    setResult(undefined);
    try {
      const paid = await pay(contractId, YOCTO);
      setResult(paid);
      if (paid.transactionId !== null) onTransaction(paid);
      if (paid.success) onPaid();
      if (paid.fate === 'unknown') await follow();
    } finally {
      setIsPaying(false);
    }
  }

  const isSent = result !== undefined && result.transactionId !== null;
  return (
    <div className="stack">
      <div className="row wrap">
        <button
          type="button"
          className="button primary"
          aria-disabled={isPaying}
          onPointerEnter={() => void passkeyManager.prefetchBlockheight().catch(() => undefined)}
          onClick={() => void submit()}
        >
          {isPaying ? words.paying : words.pay(NEAR)}
        </button>
        <span className="muted break">{words.to(contractId)}</span>
      </div>
      {isSent && (
        <SentList
          problem=""
          sent={sentRows(
            [{ what: `${NEAR} NEAR`, recipient: contractId }],
            [followed(result, resumed)],
            explorerUrl,
          )}
        />
      )}
      {result && !isSent && <NotSent result={result} />}
    </div>
  );
}
