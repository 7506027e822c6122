import { tokenMoves } from 'latchkey/confirm-moves';
import { filled, SHOWING_SIZE } from 'latchkey/internal';
import type { ShownTransactionButton } from 'latchkey/wallet';
import { useEffect, useState } from 'react';
import { transactionCss } from '../src/button/styles.js';
import { actionsOf, totalSpent } from '../src/confirm/describe-action.js';
import { Fact, ShortCost } from '../src/confirm/facts.js';
import { actionCss, summaryCss, valueCss } from '../src/confirm/styles.js';
import { Lookalikes, Summary } from '../src/confirm/summary.js';
import { Recipient } from '../src/confirm/token-moves.js';
import { TransactionView } from '../src/confirm/transaction-view.js';
import { useClickRule } from '../src/confirm/use-click-rule.js';
import { exactNear } from '../src/format/amount.js';
import { Mark } from '../src/surface/icons.js';
import { Inline } from '../src/surface/inline.js';
import { popupCss } from '../src/surface/layer-styles.js';
import { UntrustedText } from '../src/surface/untrusted-text.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { Filled } from '../src/texts/filled.js';
import { rootUntil } from './root-until.js';
import { useButtonRun } from './use-button-run.js';

/** Fills this page with the transaction button until `signal` aborts; the host gives the frame the button's size. */
export function showTransactionButton(props: ShownTransactionButton, signal: AbortSignal): void {
  if (signal.aborted) return;
  rootUntil(signal).render(
    <Inline
      theme={props.theme}
      css={popupCss + actionCss + valueCss + summaryCss + transactionCss + transactionButtonCss}
    >
      <TransactionButton {...props} />
    </Inline>,
  );
}

function TransactionButton({
  nearAccountId,
  transactions,
  askedBy,
  preview: toBeRead,
  sign,
}: ShownTransactionButton) {
  const { size, isRunning, isEnlarged, run } = useButtonRun();
  const preview = useSettled(toBeRead);
  const { walletPage, acts, transactions: told, facts, reading } = useConfirmTexts();
  const hasRoom = size.width >= SHOWING_SIZE.width && size.height >= SHOWING_SIZE.height;
  const question = JSON.stringify([nearAccountId, transactions.length, preview, hasRoom]);
  const { isRead, isArmed, box, text, accepts, more } = useClickRule(question);
  if (isEnlarged) return null;

  function start(click: Event): void {
    if (isRunning || !click.isTrusted) return;
    const seen = hasRoom && accepts(click) ? preview : undefined;
    if (!hasRoom || seen) void run(() => sign(seen));
    // One that comes too early is none: the user has not seen all of it yet.
    else if (!isRead) more();
  }

  const spent = totalSpent(actionsOf({ transactions }));
  const sum = spent === undefined || spent === 0n ? undefined : exactNear(String(spent));
  const recipients = preview?.recipients ?? [];
  const movesTokens = transactions.some((transaction) => tokenMoves(transaction).length > 0);
  const words = sum === undefined ? acts.nothing.verb : filled(walletPage.send, { amount: sum });
  return (
    <div ref={box} className={hasRoom ? 'panel whole' : 'panel whole small'}>
      {hasRoom && (
        <>
          <p className="asked">
            <Filled
              text={walletPage.signsFor}
              account={<UntrustedText text={nearAccountId} />}
              host={<UntrustedText text={askedBy} />}
            />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <section ref={text} className="seen" aria-label={walletPage.whatSigned} tabIndex={0}>
            {movesTokens ? (
              <Summary model={{ transactions, ...preview }} />
            ) : (
              <Lookalikes recipients={recipients} />
            )}
            {transactions.map((transaction, index) => (
              <TransactionView
                // biome-ignore lint/suspicious/noArrayIndexKey: the transactions of one button never move
                key={index}
                transaction={transaction}
                position={filled(told.position, { number: index + 1, count: transactions.length })}
                receiver={<Recipient id={transaction.receiverId} recipients={recipients} />}
              />
            ))}
            <div className="last" data-end />
          </section>
          {(!preview || preview.cost) && (
            <dl className="details cost" aria-busy={!preview}>
              {preview?.cost ? <ShortCost cost={preview.cost} /> : <Fact label={facts.fee}>…</Fact>}
            </dl>
          )}
        </>
      )}
      <button
        type="button"
        className="button primary activate pay"
        aria-disabled={isRunning || (hasRoom && isRead && !(isArmed && preview))}
        aria-busy={isRunning}
        onClick={({ nativeEvent }) => start(nativeEvent)}
      >
        {isRunning ? <span className="spinner" aria-hidden="true" /> : <Mark />}
        <span>{hasRoom && !isRead ? reading.more : hasRoom ? words : `${words}…`}</span>
      </button>
    </div>
  );
}

/** What the promise resolved with; undefined before. */
function useSettled<T>(promise: Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let isLatest = true;
    void promise.then((settled) => isLatest && setValue(settled));
    return () => {
      isLatest = false;
    };
  }, [promise]);
  return value;
}

const transactionButtonCss = /* css */ `
:host { display: block; }
.whole { position: fixed; inset: 0; grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr); }
.whole.small { display: block; border: 0; }
.asked { padding: 7px 10px 5px; color: var(--lk-muted); font-size: var(--lk-text-xs); overflow-wrap: anywhere; }
.seen { padding: 4px 8px 8px; display: grid; gap: 8px; align-content: start; grid-template-columns: minmax(0, 1fr); }
.last { height: 1px; margin-top: -8px; }
.card > .details { grid-template-columns: 68px minmax(0, 1fr); gap: 5px 8px; align-items: baseline; }
.receiver .badge { padding: 0 5px; font-size: 10px; }
.cost { padding: 5px 18px 7px; border-top: 1px solid var(--lk-line); }
.cost > div { grid-template-columns: auto minmax(0, 1fr); }
.seen .card { padding: 7px 10px; gap: 4px; }
.receiver { font-size: var(--lk-text-s); line-height: 1.35; }
.pay { margin: 0 8px 8px; min-height: 44px; border-radius: var(--lk-radius-s); }
.small .pay { position: absolute; inset: 0; margin: 0; min-height: 0; border-radius: var(--lk-radius-m); }
.pay .mark { width: 24px; height: 24px; flex: none; }
.pay .plate { fill: var(--lk-on-primary); }
.pay .key { fill: var(--lk-primary); }
`;
