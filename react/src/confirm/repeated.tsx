import type { RepeatedModel } from 'latchkey';
import { dateOf } from '../format/date.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Warns that an equal payment left earlier: its outcome is not known yet, and a second one may pay twice. */
export function Repeated({ payments }: { payments: readonly RepeatedModel[] }) {
  const words = useConfirmTexts().repeated;
  const [first] = payments;
  if (!first) return null;
  const sentAt = timeOf(first.sentAt);
  return (
    <p className="warning">
      <WarningSign />
      <span>
        <strong>{words.title}</strong>{' '}
        <Filled
          text={payments.length > 1 ? words.sentOneOf(sentAt, payments.length) : words.sent(sentAt)}
          receiver={<Untrusted text={first.receiverId} />}
        />{' '}
        {first.transactionId === null ? (
          words.byRelay
        ) : (
          <Filled text={words.lookUp} transaction={<code>{first.transactionId}</code>} />
        )}
      </span>
    </p>
  );
}

/** With its date if that is not today's. */
function timeOf(ms: number): string {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString(undefined, { timeStyle: 'short' }) : dateOf(ms);
}
