import type { Action, TransactionRequest } from 'latchkey';
import type { ReactNode } from 'react';
import { showGas } from '../format/amount.js';
import { LONG_TEXT, readableJson } from '../format/json.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { type Detail, describeAction } from './describe-action.js';
import { Amount } from './facts.js';

/** Shows one transaction: its receiver, where it is one of several, then its actions in order. */
export function TransactionView({
  transaction,
  position,
  receiver = <UntrustedText text={transaction.receiverId} />,
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
              <UntrustedText text={subject} />
            </code>
          </>
        )}
      </h3>
      {warning && (
        <Warning title={risk === 'high' ? careful : note} isNote={risk !== 'high'}>
          {warning}
        </Warning>
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
      return <UntrustedText text={showGas(detail.gas)} />;
    case 'arguments':
      return <Arguments json={detail.json} />;
    case 'bytes':
      return <Bytes detail={detail} />;
    case 'note':
      return <strong>{detail.value}</strong>;
    case 'key':
      return (
        <code>
          <UntrustedText text={detail.value} />
        </code>
      );
    default:
      return <UntrustedText text={detail.value} />;
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
        <UntrustedText
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
