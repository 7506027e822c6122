import type { RepeatedModel } from 'latchkey';
import { dateOf } from '../format/date.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Warns that an equal payment left earlier: its outcome is not known yet, and a second one may pay twice. */
export function Repeated({ payments }: { payments: readonly RepeatedModel[] }) {
  const [first] = payments;
  if (!first) return null;
  return (
    <p className="warning">
      <WarningSign />
      <span>
        <strong>This may pay twice.</strong> The same payment to <Untrusted text={first.receiverId} /> was
        sent at {timeOf(first.sentAt)}
        {payments.length > 1 && ` (one of ${payments.length} open payments that equal these)`}. Whether it
        arrived is not known yet.{' '}
        {first.transactionId === null ? (
          'A relay carries it out. Press Cancel and wait.'
        ) : (
          <>
            Press Cancel and wait, or look it up first: <code>{first.transactionId}</code>
          </>
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
