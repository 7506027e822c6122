import { Dialog } from '@base-ui/react/dialog';
import type {
  Action,
  ConfirmModel,
  Decision,
  DelegateModel,
  MessageModel,
  TransactionsConfirmModel,
} from 'latchkey';
import { movesOfMessage } from 'latchkey/confirm-moves';
import { useEffect, useId, useRef } from 'react';
import { Mark } from '../surface/icons.js';
import { LayerDialog, type LayerDialogProps } from '../surface/layer-dialog.js';
import { confirmTexts } from '../texts/current-confirm.js';
import type { ConfirmTexts } from '../texts/english-confirm.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { useTexts } from '../texts/use-texts.js';
import { Boxed, TransactionView, WarningSign } from './action-list.js';
import { Amount } from './amount.js';
import { Cost } from './cost.js';
import { type ActionDescription, describeAction, totalSpent } from './describe-action.js';
import { EndingKeys } from './ending-keys.js';
import { Fact } from './fact.js';
import { Glance, GlanceOfMessage } from './glance.js';
import { JoinedAccount, NewDevice } from './new-device.js';
import { otherPageAsks } from './other-page.js';
import { FoldsOf, Unseen, useReading } from './reading.js';
import { RecoveryKeyNote } from './recovery-key-note.js';
import { RemovedDevices } from './removed-devices.js';
import { Repeated } from './repeated.js';
import { Untrusted } from './untrusted.js';
import { useClickGuard } from './use-click-guard.js';

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
  const reading = useReading(model.digest);
  const guard = useClickGuard(`${attempt} ${reading.isRead}`);
  const unseenId = useId();
  const confirmButton = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const risk = riskOf(model);
  const texts = useConfirmTexts();
  const words = wordsOf(model, texts);
  const { missingPasskey } = useTexts().common;
  const isWaiting = reading.hasWaited && !reading.isRead;
  const agree = model.retry === undefined ? words.confirm : texts.again;
  const busy = answered || autoProceed;

  useAutoProceed(autoProceed && layer.open && !answered, model.autoProceedDelayMs, () =>
    onDecision('confirm'),
  );
  useEffect(() => {
    if (attempt > 1 && !otherPageAsks()) confirmButton.current?.focus();
  }, [attempt]);

  return (
    <LayerDialog
      {...layer}
      popupRef={guard.ref}
      className={model.uiMode}
      aria-busy={busy}
      initialFocus={() =>
        autoProceed || risk || otherPageAsks() ? cancelButton.current : confirmButton.current
      }
      onCancel={() => onDecision('cancel')}
    >
      <header>
        <Mark />
        <div>
          <Dialog.Title className="title">{words.title}</Dialog.Title>
          <Dialog.Description className="lead">{words.lead}</Dialog.Description>
        </div>
      </header>

      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={reading.body} className="body" aria-label={texts.question} tabIndex={0}>
        {model.error !== undefined && (
          <p className="error" role="alert">
            <WarningSign />
            <span>{model.error}</span>
          </p>
        )}
        {mayLackPasskey(model) && <p className="notice">{missingPasskey}</p>}
        <FoldsOf reading={reading}>
          <Asked model={model} />
        </FoldsOf>
        <span ref={reading.end} className="end" />
        <Digest digest={model.digest} />
      </section>

      <footer>
        {notice !== undefined && <p className="notice">{notice}</p>}
        <p className="status" role="status">
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy && (answered ? texts.busy : texts.moment)}
          {!busy && reading.isRead && reading.hasWaited && texts.seenAll}
        </p>
        {!busy && isWaiting && <Unseen reading={reading} confirm={agree} id={unseenId} />}
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
              ref={confirmButton}
              type="button"
              className={`button primary ${isWaiting ? 'waits' : risk === 'high' ? 'danger' : ''}`}
              aria-disabled={answered || !reading.isRead || !guard.isArmed}
              aria-describedby={isWaiting ? unseenId : undefined}
              onClick={(event) => {
                if (reading.isRead && guard.accepts(event.nativeEvent)) onDecision('confirm');
              }}
            >
              {agree}
            </button>
          )}
        </div>
        {model.offersStop && !answered && (
          <button type="button" className="stop" onClick={() => onDecision('stop')}>
            {texts.stop}
          </button>
        )}
      </footer>
    </LayerDialog>
  );
}

/** Whether the prompt that ended asked for a passkey that should be there. */
function mayLackPasskey({ kind, retry }: ConfirmModel): boolean {
  return kind !== 'registration' && (retry === 'cancelled' || retry === 'timeout');
}

function Asked({ model }: { model: ConfirmModel }) {
  const { facts, transactions } = useConfirmTexts();
  const message = messageOf(model);
  return (
    <>
      {model.kind === 'registration' && model.joining && (
        <JoinedAccount accountId={model.accountId} joining={model.joining} />
      )}
      {model.kind === 'transactions' && model.repeats && <Repeated payments={model.repeats} />}
      {model.kind === 'transactions' && model.removes && (
        <RemovedDevices accountId={model.accountId} devices={model.removes} />
      )}
      {model.kind === 'transactions' && model.recoveryKey !== undefined && (
        <RecoveryKeyNote accountId={model.accountId} />
      )}
      {model.kind === 'transactions' && model.appKeys && <EndingKeys keys={model.appKeys} />}
      {model.kind === 'transactions' &&
        (model.device ? (
          <NewDevice model={model} device={model.device} />
        ) : (
          <>
            <Risks model={model} />
            <Glance model={model} />
          </>
        ))}
      {message && <MovesOfMessage message={message} />}
      <dl className="details facts">
        <Fact label={facts.account}>
          <strong>
            <Untrusted text={model.accountId} />
          </strong>
        </Fact>
        {model.askedBy !== undefined && (
          <Fact label={facts.askedBy}>
            <strong>
              <Untrusted text={siteOf(model.askedBy)} />
            </strong>
          </Fact>
        )}
        <Fact label={facts.network}>
          <Untrusted text={model.networkId} />
        </Fact>
        <Fact label={facts.passkeyFor}>
          <Untrusted text={model.rpId} />
        </Fact>
        {model.kind === 'registration' && (
          <Fact label={facts.device}>{facts.deviceNumber(model.deviceNumber)}</Fact>
        )}
        {model.kind === 'transactions' && !model.delegate && <Total model={model} />}
        {model.kind === 'transactions' && model.cost && <Cost cost={model.cost} />}
        {model.kind === 'transactions' && model.delegate && <Delegate delegate={model.delegate} />}
      </dl>
      {model.kind === 'transactions' &&
        model.transactions.map((transaction, index) => (
          <TransactionView
            // biome-ignore lint/suspicious/noArrayIndexKey: the transactions of one request never move
            key={index}
            transaction={transaction}
            position={
              model.transactions.length > 1
                ? transactions.position(index + 1, model.transactions.length)
                : null
            }
          />
        ))}
      {message && <Message model={message} />}
    </>
  );
}

function Digest({ digest }: { digest: string }) {
  const texts = useConfirmTexts();
  return (
    <dl className="details digest">
      <div className="wide">
        <dt>{texts.digest}</dt>
        <dd>
          <code>{digest}</code>
        </dd>
      </div>
    </dl>
  );
}

function MovesOfMessage({ message: model }: { message: MessageModel }) {
  const { note, message } = useConfirmTexts();
  const moves = movesOfMessage(model.message, model.recipient);
  if (!moves) return null;
  return (
    <>
      <p className="warning note">
        <WarningSign />
        <span>
          <strong>{note}</strong>{' '}
          <Filled text={message.order} recipient={<Untrusted text={model.recipient} />} />
        </span>
      </p>
      <GlanceOfMessage model={model} moves={moves} />
    </>
  );
}

/** An origin without `https://`. Any other scheme stays visible. */
const siteOf = (origin: string): string => origin.replace(/^https:\/\//, '');

function Message({ model }: { model: MessageModel }) {
  const { careful, message } = useConfirmTexts();
  return (
    <section className="card" aria-label={message.label}>
      <dl className="details">
        <Fact label={message.for}>
          <strong>
            <Untrusted text={model.recipient} />
          </strong>
        </Fact>
        {model.callbackUrl !== undefined && (
          <Fact label={message.answerTo}>
            <Untrusted text={model.callbackUrl} />
          </Fact>
        )}
        {model.state !== undefined && (
          <Fact label={message.state}>
            <Untrusted text={model.state} />
          </Fact>
        )}
        <Fact label={message.nonce}>
          <code>
            <Untrusted text={model.nonce} />
          </code>
        </Fact>
      </dl>
      {model.isForAnother && (
        <p className="warning">
          <WarningSign />
          <span>
            <strong>{careful}</strong> {message.forAnother}
          </span>
        </p>
      )}
      <p className="eyebrow">{message.label}</p>
      <Boxed label={message.text} parts={[model.message]} />
    </section>
  );
}

function Total({ model }: { model: TransactionsConfirmModel }) {
  const { send } = useConfirmTexts().facts;
  const actions = actionsOf(model);
  const total = totalSpent(actions);
  if (total === undefined || total === 0n || actions.length < 2) return null;
  return (
    <Fact label={send}>
      <Amount yocto={total.toString()} />
    </Fact>
  );
}

/** For a delegate, which another party sends: shows the sender, who pays fees and deposits, and how long it is valid. */
function Delegate({
  delegate: { relay, validForBlocks, maxBlockHeights = [] },
}: {
  delegate: DelegateModel;
}) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <Fact label={facts.sentBy}>
        {relay === null ? (
          <strong>{facts.anyone}</strong>
        ) : (
          <Filled
            text={facts.relay}
            relay={
              <strong>
                <Untrusted text={relay} />
              </strong>
            }
          />
        )}
      </Fact>
      <Fact label={facts.fees}>{facts.feesPaid}</Fact>
      <Fact label={facts.goodFor}>
        {facts.blocks(validForBlocks)}
        {[...new Set(maxBlockHeights)].map((height) => (
          <span className="fine" key={height}>
            {facts.untilBlock(height)}
          </span>
        ))}
      </Fact>
    </>
  );
}

/** The message to sign, by itself or next to transactions. */
function messageOf(model: ConfirmModel): MessageModel | undefined {
  if (model.kind === 'nep413') return model;
  return model.kind === 'transactions' ? model.withMessage : undefined;
}

/** Names the risky actions at the top when there are several actions: a risky one may be far down. */
function Risks({ model }: { model: TransactionsConfirmModel }) {
  const { lookClosely, amongOthers } = useConfirmTexts().transactions;
  const risks = new Set(risksOf(model));
  if (risks.size === 0 || actionsOf(model).length === 1) return null;
  return (
    <p className={riskOf(model) === 'high' ? 'warning' : 'warning note'}>
      <WarningSign />
      <span>
        <strong>{lookClosely}</strong> {amongOthers([...risks].join(' · '))}
      </span>
    </p>
  );
}

/** The highest risk of the request. */
function riskOf(model: ConfirmModel): ActionDescription['risk'] {
  if (model.kind === 'registration') return undefined;
  const message = messageOf(model);
  const recipients = [...(model.recipients ?? []), ...(message?.recipients ?? [])];
  if (recipients.some(({ looksLike }) => looksLike !== undefined)) return 'high';
  const ofMessage = message && movesOfMessage(message.message, message.recipient) ? 'raised' : undefined;
  if (model.kind === 'nep413') return ofMessage;
  if (model.repeats ?? model.removes) return 'high';
  const risks = descriptionsOf(model).map(({ risk }) => risk);
  return risks.find((risk) => risk === 'high') ?? risks.find((risk) => risk !== undefined) ?? ofMessage;
}

function risksOf(model: TransactionsConfirmModel): string[] {
  return descriptionsOf(model).flatMap(({ warning, title }) => (warning === undefined ? [] : [title]));
}

const descriptionsOf = (model: TransactionsConfirmModel): ActionDescription[] =>
  actionsOf(model).map((action) => describeAction(action, confirmTexts().actions));

function actionsOf(model: TransactionsConfirmModel): Action[] {
  return model.transactions.flatMap((transaction) => transaction.actions);
}

interface Words {
  title: string;
  lead: string;
  confirm: string;
}

function wordsOf(model: ConfirmModel, texts: ConfirmTexts): Words {
  switch (model.kind) {
    case 'registration':
      if (!model.joining) return texts.registration;
      return model.joining.checkCode === undefined ? texts.adopting : texts.joining;
    case 'nep413': {
      const { title, lead, leadMoves, confirm } = texts.message;
      return { title, lead: movesOfMessage(model.message, model.recipient) ? leadMoves : lead, confirm };
    }
    case 'transactions': {
      if (model.device) return texts.linking;
      if (model.withMessage) return texts.together;
      const { title, lead, confirm } = texts.transactions;
      return { title: title(model.transactions.length), lead, confirm };
    }
  }
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
