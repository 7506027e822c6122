import { Dialog } from '@base-ui/react/dialog';
import type { ConfirmModel, Decision, RetryReason } from 'latchkey';
import { useEffect, useId, useRef } from 'react';
import { Mark } from '../surface/icons.js';
import { LayerDialog, type LayerDialogProps } from '../surface/layer-dialog.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { WarningSign } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import type { ConfirmTexts } from '../texts/english-confirm.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { ClosedDetails } from './closed-details.js';
import { FeeLine } from './facts.js';
import { type Headline, headlineOf } from './headline.js';
import { RequestContext } from './request-context.js';
import { RequestView } from './request-view.js';
import { Unseen, useClickRule } from './use-click-rule.js';
import { riskOf } from './warnings.js';

export interface ConfirmDialogProps extends Pick<LayerDialogProps, 'open' | 'container' | 'onClosed'> {
  model: ConfirmModel;
  /** Counts the questions of one flow, from 1: a retry is a new question in the same dialog. */
  attempt: number;
  /** The user has answered; the flow is running. */
  answered: boolean;
  /** Shown above the buttons, under the question. */
  notice: string | undefined;
  onDecision: (decision: Decision) => void;
}

/** Shows the request and its two answers. After 'confirm' it stays open and busy until `open` is false. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { model, attempt, answered, notice, onDecision, ...layer } = props;
  const autoProceed = model.behavior === 'autoProceed' && model.retry === undefined;
  const clicks = useClickRule(model.digest, attempt);
  const unseenId = useId();
  const cancelButton = useRef<HTMLButtonElement>(null);
  const risk = riskOf(model);
  const texts = useConfirmTexts();
  const headline = headlineOf(model, texts);
  const { missingPasskey } = useTexts().common;
  const isWaiting = clicks.hasWaited && !clicks.isRead;
  const agree = model.retry === undefined ? headline.verb : agreeAgain(model.retry, texts);
  const busy = answered || autoProceed;

  useAutoProceed(autoProceed && layer.open && !answered, model.autoProceedDelayMs, () =>
    onDecision('confirm'),
  );
  useEffect(() => {
    if (attempt > 1) cancelButton.current?.focus();
  }, [attempt]);

  return (
    <LayerDialog
      {...layer}
      popupRef={clicks.box}
      className={model.uiMode}
      aria-busy={busy}
      initialFocus={cancelButton}
      onCancel={() => onDecision('cancel')}
    >
      <header>
        <Mark />
        <div>
          <Dialog.Title className="title">
            <Title headline={headline} />
          </Dialog.Title>
          <Dialog.Description className="lead">
            <RequestContext model={model} />
          </Dialog.Description>
          {model.offersStop && !answered && (
            <button type="button" className="stop" onClick={() => onDecision('stop')}>
              {texts.stop}
            </button>
          )}
        </div>
      </header>

      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={clicks.text} className="body" aria-label={texts.question} tabIndex={0}>
        {model.error !== undefined && (
          <p className="error" role="alert">
            <WarningSign />
            <span>{model.error}</span>
          </p>
        )}
        {mayLackPasskey(model) && <p className="notice">{missingPasskey}</p>}
        <RequestView model={model} />
        <span className="end" data-end />
        <ClosedDetails key={model.digest} model={model} />
      </section>

      <footer>
        {model.kind === 'transactions' && !model.delegate && model.cost && <FeeLine cost={model.cost} />}
        {notice !== undefined && <p className="notice">{notice}</p>}
        <p className="status" role="status">
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy && (answered ? texts.busy : texts.moment)}
          {!busy && clicks.isRead && clicks.hasWaited && <span className="sr-only">{texts.seenAll}</span>}
          {!busy && clicks.isTooSoon && <span className="sr-only">{texts.tooSoon}</span>}
        </p>
        {!busy && isWaiting && <Unseen clicks={clicks} confirm={agree} id={unseenId} />}
        {autoProceed && !answered && model.autoProceedDelayMs > 0 && (
          <span className="countdown" style={{ animationDuration: `${model.autoProceedDelayMs}ms` }} />
        )}
        <div className="buttons">
          <button
            ref={cancelButton}
            type="button"
            className="button"
            aria-disabled={answered}
            onClick={() => onDecision('cancel')}
          >
            {texts.cancel}
          </button>
          {!autoProceed && (
            <button
              type="button"
              className={`button primary ${isWaiting ? 'waits' : risk === 'high' ? 'danger' : ''}`}
              aria-disabled={answered || !clicks.isRead || !clicks.isArmed}
              aria-describedby={isWaiting ? unseenId : undefined}
              onClick={(event) => {
                if (clicks.accepts(event.nativeEvent)) onDecision('confirm');
              }}
            >
              {agree}
            </button>
          )}
        </div>
      </footer>
    </LayerDialog>
  );
}

/** The title, with the names that it has from the request. */
function Title({ headline: { title, amount, method, recipient } }: { headline: Headline }) {
  return (
    <Filled
      text={title}
      amount={amount}
      method={
        <code>
          <UntrustedText text={method ?? ''} />
        </code>
      }
      recipient={<UntrustedText text={recipient ?? ''} />}
    />
  );
}

/** The passkey that did not check its user is asked in another way: that is no second try. */
const agreeAgain = (retry: RetryReason, { again, proceed }: ConfirmTexts): string =>
  retry === 'unverified' ? proceed : again;

/** Whether the prompt that ended asked for a passkey that should be there. */
function mayLackPasskey({ kind, retry }: ConfirmModel): boolean {
  return kind !== 'registration' && (retry === 'cancelled' || retry === 'timeout');
}

/** Proceeds after the delay, once the dialog has been painted. */
function useAutoProceed(active: boolean, delayMs: number, proceed: () => void): void {
  const latest = useRef(proceed);
  latest.current = proceed;
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => latest.current(), delayMs);
    return () => clearTimeout(timer);
  }, [active, delayMs]);
}
