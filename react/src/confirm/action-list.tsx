import type { Action, TransactionRequest } from 'latchkey';
import type { ReactNode } from 'react';
import { showGas } from '../format/amount.js';
import { LONG_TEXT, readableJson } from '../format/json.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { Amount } from './amount.js';
import { type Detail, describeAction } from './describe-action.js';
import { Untrusted } from './untrusted.js';

/** Shows one transaction: its receiver, where it is one of several, then its actions in order. */
export function TransactionView({
  transaction,
  position,
  receiver = <Untrusted text={transaction.receiverId} />,
}: {
  transaction: TransactionRequest;
  position: string | null;
  receiver?: ReactNode;
}) {
  const words = useConfirmTexts().transactions;
  return (
    <section className="card" aria-label={position ?? words.one}>
      {position && (
        <>
          <p className="eyebrow">{position}</p>
          <dl className="details">
            <dt>{words.receiver}</dt>
            <dd className="receiver">{receiver}</dd>
          </dl>
        </>
      )}
      <ol className="actions">
        {transaction.actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the actions of one request never move
          <ActionView key={index} action={action} accountId={transaction.receiverId} />
        ))}
      </ol>
    </section>
  );
}

function ActionView({ action, accountId }: { action: Action; accountId: string }) {
  const { careful, note, actions } = useConfirmTexts();
  const { title, subject, details, warning, risk } = describeAction(action, actions, accountId);
  return (
    <li className="action" data-risk={risk}>
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
        <p className={risk === 'high' ? 'warning' : 'warning note'}>
          <WarningSign />
          <span>
            <strong>{risk === 'high' ? careful : note}</strong> {warning}
          </span>
        </p>
      )}
      {details.length > 0 && (
        <dl className="details">
          {details.map((detail) => (
            <div key={detail.label} className={isWide(detail) ? 'wide' : undefined}>
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

function isWide({ kind }: Detail): boolean {
  return kind === 'arguments' || kind === 'bytes';
}

function DetailValue({ detail }: { detail: Detail }) {
  switch (detail.kind) {
    case 'amount':
      return <Amount yocto={detail.yocto} />;
    case 'gas':
      return <Untrusted text={showGas(detail.gas)} />;
    case 'arguments':
      return <Arguments json={detail.json} />;
    case 'bytes':
      return <Bytes detail={detail} />;
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
  const words = useConfirmTexts().actions;
  const empty = json.trim() === '' || json.trim() === '{}';
  if (empty) return <span className="faint">{words.none}</span>;
  return <Boxed label={words.arguments} parts={readableJson(json) ?? [json]} />;
}

/** Bytes that are not JSON: how many, and which, in hexadecimal digits. */
function Bytes({ detail: { label, count, hex } }: { detail: Extract<Detail, { kind: 'bytes' }> }) {
  const words = useConfirmTexts().actions;
  if (hex === '') return <span className="faint">{words.none}</span>;
  return (
    <>
      <strong>{count}</strong>
      <Boxed label={label} parts={[hex]} />
    </>
  );
}

/** Untrusted text in its own box; of several parts, each folds by itself. */
export function Boxed({ label, parts }: { label: string; parts: readonly string[] }) {
  return (
    <section className="boxed" aria-label={label}>
      {parts.map((part, index) => (
        <Untrusted
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
          key={index}
          text={part}
          multiline
          {...(parts.length > 1 && part.startsWith('"') && { limit: LONG_TEXT })}
        />
      ))}
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
