import type { Action, TransactionRequest } from 'latchkey';
import { showGas } from '../format/amount.js';
import { indentJson } from '../format/json.js';
import { Amount } from './amount.js';
import { type Detail, describeAction } from './describe-action.js';
import { Untrusted } from './untrusted.js';

/** Shows one transaction: its receiver, then its actions in order. */
export function TransactionView({
  transaction,
  position,
}: {
  transaction: TransactionRequest;
  position: string | null;
}) {
  return (
    <section className="card" aria-label={position ?? 'Transaction'}>
      {position && <p className="eyebrow">{position}</p>}
      <dl className="details">
        <dt>Receiver</dt>
        <dd className="receiver">
          <Untrusted text={transaction.receiverId} />
        </dd>
      </dl>
      <ol className="actions">
        {transaction.actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the actions of one request never move
          <ActionView key={index} action={action} />
        ))}
      </ol>
    </section>
  );
}

function ActionView({ action }: { action: Action }) {
  const { title, subject, details, warning } = describeAction(action);
  return (
    <li className="action" data-risk={warning ? 'high' : undefined}>
      <h3>
        {title}
        {subject !== undefined && (
          <>
            {' '}
            <code>
              <Untrusted text={subject} />
            </code>
          </>
        )}
      </h3>
      {warning && (
        <p className="warning">
          <WarningSign />
          <span>
            <strong>Careful.</strong> {warning}
          </span>
        </p>
      )}
      {details.length > 0 && (
        <dl className="details">
          {details.map((detail) => (
            <div key={detail.label} className={detail.kind === 'arguments' ? 'wide' : undefined}>
              <dt>{detail.label}</dt>
              <dd>
                <DetailValue detail={detail} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function DetailValue({ detail }: { detail: Detail }) {
  switch (detail.kind) {
    case 'amount':
      return <Amount yocto={detail.yocto} />;
    case 'gas':
      return <Untrusted text={showGas(detail.gas)} />;
    case 'arguments':
      return <Arguments json={detail.json} />;
    case 'note':
      return <strong>{detail.value}</strong>;
    case 'key':
      return (
        <code>
          <Untrusted text={detail.value} />
        </code>
      );
    default:
      return <Untrusted text={detail.value} />;
  }
}

function Arguments({ json }: { json: string }) {
  const empty = json.trim() === '' || json.trim() === '{}';
  if (empty) return <span className="faint">None</span>;
  return <Scrolled label="Arguments" text={indentJson(json) ?? json} />;
}

/** Untrusted text in its own box, which scrolls by keyboard too. */
export function Scrolled({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="scrolled" aria-label={label} tabIndex={0}>
      <Untrusted text={text} multiline />
    </section>
  );
}

export function WarningSign() {
  return (
    <svg className="sign" viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M10 2.8 18.2 17H1.8L10 2.8Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <path d="M10 8v4.2" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      <circle cx="10" cy="14.6" r="1.05" fill="currentColor" />
    </svg>
  );
}
