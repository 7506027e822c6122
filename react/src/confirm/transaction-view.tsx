import type { TransactionRequest } from 'latchkey';
import { createElement, type ReactElement, type ReactNode } from 'react';
import { LONG_TEXT } from '../format/json.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { type ConfirmTexts, useConfirmTexts } from '../texts/confirm-texts.js';
import { drawAction, type Renderer } from './draw-action.js';
import { Amount } from './facts.js';

/** Shows one transaction: its receiver, where it is one of several, then its actions in order. */
export function TransactionView({
  transaction: { receiverId, actions },
  position,
  receiver = <UntrustedText text={receiverId} />,
}: {
  transaction: TransactionRequest;
  position: string | null;
  receiver?: ReactNode;
}) {
  const texts = useConfirmTexts();
  const words = texts.transactions;
  const renderer = reactRenderer(texts);
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
      {createElement(
        'ol',
        { className: 'actions' },
        ...actions.map((action) => drawAction(action, receiverId, renderer)),
      )}
    </section>
  );
}

const reactRenderer = ({ actions: words, careful, note }: ConfirmTexts): Renderer<ReactElement> => ({
  words,
  wide: ['arguments', 'bytes'],
  // Children by their place: those of one request never move, and need no keys.
  element: (tag, className, ...children) =>
    createElement(tag, className === '' ? null : { className }, ...children),
  untrusted: (text) => <UntrustedText text={text} />,
  amount: (yocto) => <Amount yocto={yocto} />,
  boxed: (label, parts) => <Boxed label={label} parts={parts} />,
  bytes: ({ label, count, hex }) => (
    <>
      <strong>{count}</strong>
      <Boxed label={label} parts={[hex]} />
    </>
  ),
  warning: (text, isHigh) => (
    <Warning title={isHigh ? careful : note} isNote={!isHigh}>
      {text}
    </Warning>
  ),
});

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
