import type { ConfirmModel, TransactionsConfirmModel } from 'latchkey';
import { filled } from 'latchkey/internal';
import { useId, useState } from 'react';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { describeAction } from './describe-action.js';
import { Cost, Fact } from './facts.js';
import { stepsOf } from './headline.js';
import { messageOf } from './message.js';
import { networkName } from './request-context.js';
import { sortDetails } from './sort-details.js';
import { DetailLines } from './transaction-view.js';

/** What the user need not see to know what is signed: closed at first. */
export function ClosedDetails({ model }: { model: ConfirmModel }) {
  const texts = useConfirmTexts();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="more">
      <button
        type="button"
        className="quiet"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.details}
      </button>
      <dl className="details" id={id}>
        {isOpen && <Lines model={model} />}
      </dl>
    </section>
  );
}

function Lines({ model }: { model: ConfirmModel }) {
  const { facts, digest } = useConfirmTexts();
  return (
    <>
      {model.kind === 'transactions' && model.cost && <Cost cost={model.cost} />}
      {model.kind === 'transactions' && <OrderLines model={model} />}
      {model.kind === 'transactions' && <ActionLines model={model} />}
      <MessageLines model={model} />
      <Fact label={facts.network}>
        <UntrustedText text={networkName(model.networkId, facts)} />
      </Fact>
      <Fact label={facts.wallet}>
        <UntrustedText text={model.rpId} />
      </Fact>
      <div className="wide">
        <dt>{digest}</dt>
        <dd>
          <code>{model.digest}</code>
        </dd>
      </div>
    </>
  );
}

/** The lane and the strict nonce of a transaction that has one. */
function OrderLines({ model }: { model: TransactionsConfirmModel }) {
  const { facts } = useConfirmTexts();
  return model.transactions.flatMap(({ lane, nonceMode }, index) => {
    const said = [
      ...(lane === undefined ? [] : [filled(facts.lane, { lane })]),
      ...(nonceMode === 'Strict' ? [facts.strict] : []),
    ];
    if (said.length === 0) return [];
    return [
      // biome-ignore lint/suspicious/noArrayIndexKey: the transactions of one request never move
      <Fact key={index} label={facts.order}>
        {said.join(' · ')}
      </Fact>,
    ];
  });
}

/** The gas of each action, and the arguments that its lines say in full. */
function ActionLines({ model }: { model: TransactionsConfirmModel }) {
  const { actions } = useConfirmTexts();
  const details = stepsOf(model).flatMap(({ receiverId, action }) => {
    const described = describeAction(action, actions, receiverId);
    return sortDetails(receiverId, action, described.details).closed;
  });
  return <DetailLines details={details} />;
}

function MessageLines({ model }: { model: ConfirmModel }) {
  const { message: words } = useConfirmTexts();
  const message = messageOf(model);
  if (!message) return null;
  return (
    <>
      {message.state !== undefined && (
        <Fact label={words.state}>
          <UntrustedText text={message.state} />
        </Fact>
      )}
      <Fact label={words.nonce}>
        <code>
          <UntrustedText text={message.nonce} />
        </code>
      </Fact>
    </>
  );
}
