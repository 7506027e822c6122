import type { TransactionRequest } from 'latchkey';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { LONG_TEXT } from '../format/json.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { type ConfirmTexts, useConfirmTexts } from '../texts/confirm-texts.js';
import { type Detail, describeAction } from './describe-action.js';
import { drawAction, drawBody, drawDetail, type Renderer } from './draw-action.js';
import { Amount } from './facts.js';
import type { Step } from './headline.js';
import { sortDetails } from './sort-details.js';

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
  const renderer = useReactRenderer();
  return (
    <Card
      position={position}
      receiver={receiver}
      actions={actions.map((action) => drawAction(action, receiverId, renderer))}
    />
  );
}

/** The same, of those actions alone that have something which their lines do not say. Null where none has. */
export function OpenTransaction({
  transaction: { receiverId, actions },
  position,
}: {
  transaction: TransactionRequest;
  position: string | null;
}) {
  const renderer = useReactRenderer();
  const shown = actions.flatMap((action) => {
    const { details, warning } = describeAction(action, renderer.words, receiverId);
    const { open } = sortDetails(receiverId, action, details);
    return open.length > 0 || warning !== undefined ? [drawAction(action, receiverId, renderer, open)] : [];
  });
  if (shown.length === 0) return null;
  return <Card position={position} receiver={<UntrustedText text={receiverId} />} actions={shown} />;
}

function Card({
  position,
  receiver,
  actions,
}: {
  position: string | null;
  receiver: ReactNode;
  actions: readonly ReactElement[];
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
      {createElement('ol', { className: 'actions' }, ...actions)}
    </section>
  );
}

/** What one action has that its title does not say. */
export function OpenAction({ step: { receiverId, action } }: { step: Step }) {
  const renderer = useReactRenderer();
  const described = describeAction(action, renderer.words, receiverId);
  const { open } = sortDetails(receiverId, action, described.details);
  return createElement(Fragment, null, ...drawBody(described, open, renderer));
}

/** Details of actions, a line each. */
export function DetailLines({ details }: { details: readonly Detail[] }) {
  const renderer = useReactRenderer();
  return createElement(Fragment, null, ...details.map((detail) => drawDetail(detail, renderer)));
}

function useReactRenderer(): Renderer<ReactElement> {
  return reactRenderer(useConfirmTexts());
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
