import type { TransactionFate } from 'latchkey';
import { useEffect, useRef } from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { exactNear } from '../../src/format/amount.js';
import { fateWords } from '../../src/format/fate.js';
import type { SentMoney } from '../../src/send-form/send-form.js';
import { FailureDetails } from '../../src/surface/failure.js';
import { AlertIcon, CheckIcon } from '../../src/surface/icons.js';
import { UntrustedText } from '../../src/surface/untrusted-text.js';
import { outcomeFailure } from '../../src/texts/error-text.js';
import { Filled } from '../../src/texts/filled.js';
import { ExplorerLink, toneOf } from './activity-list.js';
import { amountText } from './amount-text.js';
import { ActivityIcon } from './icons.js';
import { Copy } from './parts.js';
import { useHomeTexts } from './texts/index.js';
import { useActivity } from './use-activity.js';

interface SentReceiptProps {
  accountId: string;
  sent: SentMoney;
  /** The user wants to send something else. */
  onAgain: () => void;
}

/** What became of a transfer. One that is not known yet is followed until it is. */
export function SentReceipt({ accountId, sent, onAgain }: SentReceiptProps) {
  const words = useHomeTexts();
  const { explorerUrl } = usePasskeyContext().passkeyManager.config;
  const { receiverId, amount, token, storageDeposit, result } = sent;
  const { transactionId } = result;
  const fate = useFate(accountId, transactionId, result.fate ?? 'unknown');
  const { label, sentence } = fateWords(fate);
  const tone = toneOf(fate);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="card centred receipt" data-tone={tone}>
      <span className="badge big" data-tone={tone}>
        {tone === 'good' ? <CheckIcon /> : tone === 'bad' ? <AlertIcon /> : <ActivityIcon />}
      </span>
      <div role="status">
        <h2 ref={title} tabIndex={-1}>
          {label}
        </h2>
        <p className="faint">{sentence}</p>
      </div>
      <p className="receipt-what">
        <strong>{amountText(token?.contractId, amount, token ? [token] : [], words)}</strong>
        <span className="break">
          <Filled text={words.send.to} receiver={<UntrustedText text={receiverId} />} />
        </span>
        {storageDeposit !== undefined && (
          <span className="faint small">
            <Filled text={words.send.storage} amount={exactNear(storageDeposit)} />
          </span>
        )}
      </p>
      {tone === 'bad' && result.error !== undefined && <FailureDetails failure={outcomeFailure(result)} />}
      <p className="receipt-id">
        <span className="eyebrow">{words.send.transaction}</span>
        {fate === 'not-sent' ? (
          <code className="break">{transactionId}</code>
        ) : (
          <ExplorerLink at={explorerUrl} path={`transactions/${transactionId}`} id={transactionId} />
        )}
        <Copy text={transactionId} what={words.send.transaction} />
      </p>
      <button type="button" className="button" onClick={onAgain}>
        {words.send.another}
      </button>
    </section>
  );
}

/** The newest of what is known: the answer to the call, or what a later look found. */
function useFate(accountId: string, transactionId: string, first: TransactionFate): TransactionFate {
  const { resumed } = usePasskeyContext();
  const { value } = useActivity(accountId);
  if (first !== 'unknown' && first !== 'sent') return first;
  const looked = resumed?.batches
    ?.flatMap(({ transactions }) => transactions)
    .find((transaction) => transaction.transactionId === transactionId);
  const kept = value?.find((entry) => entry.transactionId === transactionId);
  const later = [looked?.fate, kept?.fate].find((fate) => fate !== undefined && fate !== 'unknown');
  return later ?? first;
}
