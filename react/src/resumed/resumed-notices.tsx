'use client';
import type { ResumedBatch } from 'latchkey';
import type { ReactNode } from 'react';
import { usePasskeyContext } from '../context.js';
import { exactNear } from '../format/amount.js';
import { dateOf } from '../format/date.js';
import { fateWords } from '../format/fate.js';
import { ExternalIcon } from '../surface/icons.js';
import { Account, Notice, Notices } from '../surface/notices.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';

export type ResumedKind = 'payments' | 'registrations' | 'links';

export interface ResumedNoticesProps {
  /** What to show; by default everything. */
  kinds?: readonly ResumedKind[] | undefined;
  /** Called at the button that finishes a link: run `finishDeviceLinking` for the account. Without it, no button. */
  onFinishLink?: ((accountId: string) => void) | undefined;
}

const EVERY_KIND: readonly ResumedKind[] = ['payments', 'registrations', 'links'];

/**
 * Shows what an earlier visit or another tab left open, what became of it, and what the user can do. Draws nothing
 * when there is nothing to say. A settled payment stays until the user has seen it.
 */
export function ResumedNotices({ kinds = EVERY_KIND, onFinishLink }: ResumedNoticesProps) {
  const { theme, resumed, isResuming, resume, markSeen, passkeyManager } = usePasskeyContext();
  const { explorerUrl, logger } = passkeyManager.config;
  const words = useTexts().resumed;
  const of = <T,>(kind: ResumedKind, all: readonly T[] = []): readonly T[] =>
    kinds.includes(kind) ? all : [];
  const batches = of('payments', resumed?.batches);
  const pending = of('registrations', resumed?.pending);
  const committed = of('registrations', resumed?.committed);
  const dropped = of('registrations', resumed?.dropped);
  const mismatched = of('registrations', resumed?.mismatched);
  const unfinished = of('links', resumed?.unfinished);
  const settled = batches.length + committed.length + dropped.length + mismatched.length;
  if (settled + pending.length + unfinished.length === 0) return null;

  const checkNow = (): void => {
    resume().catch((error: unknown) =>
      logger.warn('What an earlier visit left open could not be looked up', error),
    );
  };
  const checkAgain = (
    <button type="button" className="button" aria-disabled={isResuming} onClick={checkNow}>
      {isResuming ? words.checking : words.checkNow}
    </button>
  );
  return (
    <Notices theme={theme} label={words.label}>
      {batches.map((batch) => (
        <Payments
          key={`${batch.nearAccountId} ${batch.createdAt}`}
          batch={batch}
          explorerUrl={explorerUrl}
          buttons={isUnknown(batch) && checkAgain}
        />
      ))}
      {pending.map((account) => (
        <Notice key={account} title={words.pending} buttons={checkAgain}>
          <Filled text={words.pendingText} account={<Account id={account} />} />
        </Notice>
      ))}
      {committed.map((account) => (
        <Notice key={account} title={words.committed}>
          <Filled text={words.committedText} account={<Account id={account} />} />
        </Notice>
      ))}
      {dropped.map((account) => (
        <Notice key={account} title={words.dropped}>
          <Filled text={words.droppedText} account={<Account id={account} />} />
        </Notice>
      ))}
      {mismatched.map((account) => (
        <Notice key={account} title={words.mismatched} isBad>
          <Filled text={words.mismatchedText} account={<Account id={account} />} />
        </Notice>
      ))}
      {unfinished.map((account) => (
        <Notice key={account} title={words.unfinished}>
          <Filled text={words.unfinishedText} account={<Account id={account} />} />
          {onFinishLink && (
            <button type="button" className="button" onClick={() => onFinishLink(account)}>
              {words.finish}
            </button>
          )}
        </Notice>
      ))}
      {settled > 0 && !batches.every(isUnknown) && (
        <div className="ends">
          <button type="button" className="button" onClick={markSeen}>
            {words.gotIt}
          </button>
        </div>
      )}
    </Notices>
  );
}

interface PaymentsProps {
  batch: ResumedBatch;
  explorerUrl: string;
  /** The buttons under it. */
  buttons: ReactNode;
}

function Payments({ batch, explorerUrl, buttons }: PaymentsProps) {
  const { nearAccountId, createdAt, transactions } = batch;
  const words = useTexts().resumed;
  const when = dateOf(createdAt);
  return (
    <Notice
      title={isUnknown(batch) ? words.paymentUnknown : words.payment}
      isBad={transactions.some(({ fate }) => fate === 'failed' || fate === 'refused')}
      buttons={buttons || undefined}
    >
      <Filled text={words.from} account={<Account id={nearAccountId} />} date={when} />
      <ul>
        {transactions.map(({ transactionId, receiverId, amountYocto = '', fate }, index) => {
          const { label, sentence } = fateWords(fate);
          const amount = exactNear(amountYocto);
          return (
            <li key={transactionId ?? index}>
              <span>
                <Filled
                  text={amount === undefined ? words.to : words.amountTo}
                  fate={<strong>{label}</strong>}
                  amount={<strong>{amount}</strong>}
                  receiver={<UntrustedText text={receiverId} />}
                  sentence={sentence}
                />
              </span>
              {fate !== 'not-sent' && transactionId !== null && (
                <a href={`${explorerUrl}/transactions/${transactionId}`} target="_blank" rel="noreferrer">
                  <code>{transactionId}</code>
                  <ExternalIcon />
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

function isUnknown({ transactions }: ResumedBatch): boolean {
  return transactions.some(({ fate }) => fate === 'unknown');
}
