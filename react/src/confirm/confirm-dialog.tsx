import { Dialog } from '@base-ui/react/dialog';
import type {
  Action,
  ConfirmModel,
  CostModel,
  Decision,
  DelegateModel,
  TransactionsConfirmModel,
} from 'latchkey';
import { type ReactNode, useEffect, useRef } from 'react';
import { MISSING_PASSKEY_TEXT } from '../format/missing-passkey.js';
import { Mark } from '../surface/icons.js';
import { LayerDialog, type LayerDialogProps } from '../surface/layer-dialog.js';
import { Scrolled, TransactionView, WarningSign } from './action-list.js';
import { Amount } from './amount.js';
import { describeAction, totalSpent } from './describe-action.js';
import { JoinedAccount, NewDevice } from './new-device.js';
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

/** Whether a page frames this one. It moves the focus as it likes, so the focus starts on Cancel there. */
const isFramed = globalThis.top !== globalThis.self;

/** Shows the request and its two answers. After 'confirm' it stays open and busy until `open` is false. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { model, attempt, answered, notice, onDecision, ...layer } = props;
  const autoProceed = model.behavior === 'autoProceed' && model.retry === undefined;
  const guard = useClickGuard(attempt);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const risky = isRisky(model);
  const words = wordsOf(model);
  const busy = answered || autoProceed;

  useAutoProceed(autoProceed && layer.open && !answered, model.autoProceedDelayMs, () =>
    onDecision('confirm'),
  );
  useEffect(() => {
    if (attempt > 1 && !isFramed) confirmButton.current?.focus();
  }, [attempt]);

  return (
    <LayerDialog
      {...layer}
      ref={guard.ref}
      className={model.uiMode}
      aria-busy={busy}
      initialFocus={() => (autoProceed || risky || isFramed ? cancelButton.current : confirmButton.current)}
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
      <section className="body" aria-label="What you are asked for" tabIndex={0}>
        {model.error !== undefined && (
          <p className="error" role="alert">
            <WarningSign />
            <span>{model.error}</span>
          </p>
        )}
        {mayLackPasskey(model) && <p className="notice">{MISSING_PASSKEY_TEXT}</p>}
        <Asked model={model} />
      </section>

      <footer>
        {notice !== undefined && <p className="notice">{notice}</p>}
        <p className="status" role="status">
          {busy && <span className="spinner" aria-hidden="true" />}
          {busy && (answered ? words.busy : 'One moment…')}
        </p>
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
            Cancel
          </button>
          {!autoProceed && (
            <button
              ref={confirmButton}
              type="button"
              className={risky ? 'button primary danger' : 'button primary'}
              aria-disabled={answered || !guard.isArmed}
              onClick={(event) => {
                if (guard.accepts(event.nativeEvent)) onDecision('confirm');
              }}
            >
              {model.retry === undefined ? words.confirm : 'Try again'}
            </button>
          )}
        </div>
      </footer>
    </LayerDialog>
  );
}

/** Whether the prompt that ended asked for a passkey that should be there. */
function mayLackPasskey({ kind, retry }: ConfirmModel): boolean {
  return kind !== 'registration' && (retry === 'cancelled' || retry === 'timeout');
}

function Asked({ model }: { model: ConfirmModel }) {
  return (
    <>
      {model.kind === 'registration' && model.joining && (
        <JoinedAccount accountId={model.accountId} joining={model.joining} />
      )}
      {model.kind === 'transactions' && model.repeats && <Repeated payments={model.repeats} />}
      {model.kind === 'transactions' && model.removes && (
        <RemovedDevices accountId={model.accountId} devices={model.removes} />
      )}
      {model.kind === 'transactions' &&
        (model.device ? <NewDevice model={model} device={model.device} /> : <Risks model={model} />)}
      <dl className="details facts">
        <Fact label="Account">
          <strong>
            <Untrusted text={model.accountId} />
          </strong>
        </Fact>
        {model.askedBy !== undefined && (
          <Fact label="Asked by">
            <strong>
              <Untrusted text={siteOf(model.askedBy)} />
            </strong>
          </Fact>
        )}
        <Fact label="Network">
          <Untrusted text={model.networkId} />
        </Fact>
        <Fact label="Passkey for">
          <Untrusted text={model.rpId} />
        </Fact>
        {model.kind === 'registration' && <Fact label="Device">Number {model.deviceNumber}</Fact>}
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
                ? `Transaction ${index + 1} of ${model.transactions.length}`
                : null
            }
          />
        ))}
      {model.kind === 'nep413' && <Message model={model} />}
      <dl className="details digest">
        <div className="wide">
          <dt>Intent digest</dt>
          <dd>
            <code>{model.digest}</code>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** An origin without `https://`. Any other scheme stays visible. */
const siteOf = (origin: string): string => origin.replace(/^https:\/\//, '');

function Message({ model }: { model: Extract<ConfirmModel, { kind: 'nep413' }> }) {
  return (
    <section className="card" aria-label="Message">
      <dl className="details">
        <Fact label="For">
          <strong>
            <Untrusted text={model.recipient} />
          </strong>
        </Fact>
        {model.callbackUrl !== undefined && (
          <Fact label="Answer goes to">
            <Untrusted text={model.callbackUrl} />
          </Fact>
        )}
        {model.state !== undefined && (
          <Fact label="State (not signed)">
            <Untrusted text={model.state} />
          </Fact>
        )}
        <Fact label="Nonce">
          <code>
            <Untrusted text={model.nonce} />
          </code>
        </Fact>
      </dl>
      {model.isForAnother && (
        <p className="warning">
          <WarningSign />
          <span>
            <strong>Careful.</strong> This message is not for the site that asks. With your signature that
            site can act as you wherever the message is for.
          </span>
        </p>
      )}
      <p className="eyebrow">Message</p>
      <Scrolled label="Message text" text={model.message} />
    </section>
  );
}

function Total({ model }: { model: TransactionsConfirmModel }) {
  const actions = actionsOf(model);
  const total = totalSpent(actions);
  if (total === undefined || total === 0n || actions.length < 2) return null;
  return (
    <Fact label="You send">
      <Amount yocto={total.toString()} />
    </Fact>
  );
}

/** The cost that the wallet estimates, and the account's balance. */
function Cost({ cost: { gas, deposit, total, available } }: { cost: CostModel }) {
  const isShort = available !== undefined && BigInt(total) > BigInt(available);
  return (
    <>
      <Fact label="Network fee">
        up to <Amount yocto={gas} />
      </Fact>
      {deposit !== '0' && (
        <Fact label="In all">
          up to <Amount yocto={total} />
        </Fact>
      )}
      {available !== undefined && (
        <Fact label="Balance">
          <Amount yocto={available} />
          {isShort && <strong> This may not be enough.</strong>}
        </Fact>
      )}
    </>
  );
}

/** For a delegate, which another party sends: shows the sender, who pays fees and deposits, and how long it is valid. */
function Delegate({ delegate: { relay, validForBlocks } }: { delegate: DelegateModel }) {
  return (
    <>
      <Fact label="Sent by">
        {relay === null ? (
          <strong>Whoever this page gives it to</strong>
        ) : (
          <>
            The relay{' '}
            <strong>
              <Untrusted text={relay} />
            </strong>
          </>
        )}
      </Fact>
      <Fact label="Fees, deposits">Paid by whoever sends it, not by you</Fact>
      <Fact label="Good for">{validForBlocks} blocks, once</Fact>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Names the risky actions at the top when there are several actions: a risky one may be far down. */
function Risks({ model }: { model: TransactionsConfirmModel }) {
  const risks = new Set(risksOf(model));
  if (risks.size === 0 || actionsOf(model).length === 1) return null;
  return (
    <p className="warning">
      <WarningSign />
      <span>
        <strong>Look closely.</strong> Among other things: {[...risks].join(' · ')}
      </span>
    </p>
  );
}

function isRisky(model: ConfirmModel): boolean {
  if (model.kind !== 'transactions') return false;
  return (model.repeats ?? model.removes) !== undefined || risksOf(model).length > 0;
}

function risksOf(model: TransactionsConfirmModel): string[] {
  return actionsOf(model)
    .map(describeAction)
    .flatMap(({ warning, title }) => (warning === undefined ? [] : [title]));
}

function actionsOf(model: TransactionsConfirmModel): Action[] {
  return model.transactions.flatMap((transaction) => transaction.actions);
}

interface Words {
  title: string;
  lead: string;
  confirm: string;
  busy: string;
}

function wordsOf(model: ConfirmModel): Words {
  const busy = 'Follow your browser’s passkey prompt. This closes by itself.';
  switch (model.kind) {
    case 'registration':
      if (model.joining) {
        return {
          title: 'Link this device',
          lead: 'It gets its own passkey for an account that you already have.',
          confirm: 'Create passkey',
          busy,
        };
      }
      return {
        title: 'Create your passkey',
        lead: 'Your device makes a passkey. It becomes your key to this account.',
        confirm: 'Create passkey',
        busy,
      };
    case 'nep413':
      return {
        title: 'Sign a message',
        lead: 'Proves that you hold this account. Moves nothing and costs nothing.',
        confirm: 'Sign message',
        busy,
      };
    case 'transactions': {
      const count = model.transactions.length;
      if (model.device) {
        return {
          title: 'Link a new device',
          lead: 'Compare the code, then approve it with your passkey.',
          confirm: 'Link device',
          busy,
        };
      }
      return {
        title: count === 1 ? 'Confirm transaction' : `Confirm ${count} transactions`,
        lead: 'Read what it does, then approve it with your passkey.',
        confirm: 'Confirm',
        busy,
      };
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
