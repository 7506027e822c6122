import { tokenMoves } from 'latchkey/confirm-moves';
import type { ShownTransactionButton } from 'latchkey/wallet';
import { useEffect, useState } from 'react';
import { actionsOf, totalSpent } from '../src/confirm/describe-action.js';
import { Fact, ShortCost } from '../src/confirm/facts.js';
import { useReading } from '../src/confirm/reading.js';
import { actionCss, summaryCss, valueCss } from '../src/confirm/styles.js';
import { Lookalikes, Summary } from '../src/confirm/summary.js';
import { Recipient } from '../src/confirm/token-moves.js';
import { TransactionView } from '../src/confirm/transaction-view.js';
import { exactNear } from '../src/format/amount.js';
import { Mark } from '../src/surface/icons.js';
import { Inline } from '../src/surface/inline.js';
import { FoldsOf, UntrustedText } from '../src/surface/untrusted-text.js';
import { useClickGuard } from '../src/surface/use-click-guard.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { Filled } from '../src/texts/filled.js';
import { rootUntil } from './root-until.js';
import { useWindowSize } from './use-window-size.js';

/** A smaller button has no room for what it signs. */
const LEAST = { width: 200, height: 160 };

/** Fills this page with the transaction button until `signal` aborts; the host gives the frame the button's size. */
export function showTransactionButton(props: ShownTransactionButton, signal: AbortSignal): void {
  if (signal.aborted) return;
  rootUntil(signal).render(
    <Inline theme={props.theme} css={actionCss + valueCss + summaryCss + transactionButtonCss}>
      <TransactionButton {...props} />
    </Inline>,
  );
}

function TransactionButton({
  nearAccountId,
  transactions,
  askedBy,
  besides: toBeRead,
  sign,
}: ShownTransactionButton) {
  const [runningAt, setRunningAt] = useState<string>();
  const besides = useSettled(toBeRead);
  const { walletPage, transactions: told, facts, reading: toRead } = useConfirmTexts();
  const { width, height } = useWindowSize();
  const size = `${width}x${height}`;
  const isRunning = runningAt !== undefined;
  const hasRoom = width >= LEAST.width && height >= LEAST.height;
  const question = JSON.stringify([nearAccountId, transactions.length, besides, hasRoom]);
  const reading = useReading(question);
  // The click that shows the end is not the one that confirms.
  const { ref, isArmed, accepts } = useClickGuard(`${question} ${reading.isRead}`);
  // A confirmation enlarges the frame, so the button would cover the whole page meanwhile.
  if (isRunning && size !== runningAt) return null;

  async function start(click: Event): Promise<void> {
    if (isRunning || !click.isTrusted) return;
    const seen = hasRoom && reading.isRead && accepts(click) ? besides : undefined;
    // One that comes too early is none: the user has not seen all of it yet.
    if (hasRoom && !seen) {
      if (!reading.isRead) reading.more();
      return;
    }
    setRunningAt(size);
    try {
      await sign(seen);
    } finally {
      setRunningAt(undefined);
    }
  }

  const spent = totalSpent(actionsOf({ transactions }));
  const sum = spent === undefined || spent === 0n ? undefined : exactNear(String(spent));
  const recipients = besides?.recipients ?? [];
  const movesTokens = transactions.some((transaction) => tokenMoves(transaction).length > 0);
  const words = sum === undefined ? told.confirm : walletPage.send(sum);
  return (
    <div ref={ref} className={hasRoom ? 'whole' : 'whole small'}>
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
          <section ref={reading.body} className="seen" aria-label={walletPage.whatSigned} tabIndex={0}>
            <FoldsOf add={reading.addFold}>
              {movesTokens ? (
                <Summary model={{ transactions, ...besides }} />
              ) : (
                <Lookalikes recipients={recipients} />
              )}
              {transactions.map((transaction, index) => (
                <TransactionView
                  // biome-ignore lint/suspicious/noArrayIndexKey: the transactions of one button never move
                  key={index}
                  transaction={transaction}
                  position={told.position(index + 1, transactions.length)}
                  receiver={<Recipient id={transaction.receiverId} recipients={recipients} />}
                />
              ))}
            </FoldsOf>
            <div ref={reading.end} className="last" />
          </section>
          {(!besides || besides.cost) && (
            <dl className="details cost" aria-busy={!besides}>
              {besides?.cost ? <ShortCost cost={besides.cost} /> : <Fact label={facts.fee}>…</Fact>}
            </dl>
          )}
        </>
      )}
      <button
        type="button"
        className="button primary pay"
        aria-disabled={isRunning || (hasRoom && reading.isRead && !(isArmed && besides))}
        aria-busy={isRunning}
        onClick={({ nativeEvent }) => void start(nativeEvent)}
      >
        {isRunning ? <span className="spinner" aria-hidden="true" /> : <Mark />}
        <span>{hasRoom && !reading.isRead ? toRead.more : hasRoom ? words : `${words}…`}</span>
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
.whole {
  position: fixed; inset: 0; display: grid; grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr); overflow: hidden;
  font: 400 var(--lk-text-s)/1.45 var(--lk-font); color: var(--lk-text); background: var(--lk-surface);
  border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); text-align: start; -webkit-font-smoothing: antialiased;
}
.whole.small { display: block; border: 0; }
.asked { padding: 7px 10px 5px; color: var(--lk-muted); font-size: var(--lk-text-xs); overflow-wrap: anywhere; }
.seen { overflow: auto; overscroll-behavior: contain; padding: 4px 8px 8px; display: grid; gap: 8px; align-content: start; grid-template-columns: minmax(0, 1fr); }
.seen:focus-visible { outline: 2px solid var(--lk-accent); outline-offset: -2px; }
.last { height: 1px; margin-top: -8px; }
.details { display: grid; gap: 5px; }
.details > div { display: grid; grid-template-columns: 68px minmax(0, 1fr); gap: 8px; align-items: baseline; }
.details > div.wide { grid-template-columns: minmax(0, 1fr); }
dt { color: var(--lk-muted); font-size: var(--lk-text-xs); }
dd { min-width: 0; overflow-wrap: anywhere; }
.card > .details { grid-template-columns: 68px minmax(0, 1fr); gap: 5px 8px; align-items: baseline; }
.receiver .badge { padding: 0 5px; font-size: 10px; }
.cost { padding: 5px 18px 7px; border-top: 1px solid var(--lk-line); }
.cost > div { grid-template-columns: auto minmax(0, 1fr); }
.seen .card { padding: 7px 10px; gap: 4px; }
.seen .actions, .seen .action { gap: 4px; }
.seen .action { padding-top: 6px; }
.seen h3, .receiver { font-size: var(--lk-text-s); line-height: 1.35; }
.pay { display: flex; gap: 9px; align-items: center; justify-content: center; margin: 0 8px 8px; min-height: 44px; border-radius: var(--lk-radius-s); }
.small .pay { position: absolute; inset: 0; margin: 0; min-height: 0; border-radius: var(--lk-radius-m); }
.pay .mark { width: 24px; height: 24px; flex: none; }
.pay .plate { fill: var(--lk-on-primary); }
.pay .key { fill: var(--lk-primary); }
.pay .spinner { border-color: currentColor; border-top-color: transparent; }
`;
