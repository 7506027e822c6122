/** A message to sign, and what it moves. */
import type { ConfirmModel, MessageModel } from 'latchkey';
import { movesOfMessage } from 'latchkey/confirm-moves';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { Fact } from './facts.js';
import { MessageSummary } from './summary.js';
import { Boxed } from './transaction-view.js';

/** The message to sign, by itself or next to transactions. */
export function messageOf(model: ConfirmModel): MessageModel | undefined {
  if (model.kind === 'nep413') return model;
  return model.kind === 'transactions' ? model.withMessage : undefined;
}

export function MovesOfMessage({ message: model }: { message: MessageModel }) {
  const { note, message } = useConfirmTexts();
  const moves = movesOfMessage(model.message, model.recipient);
  if (!moves) return null;
  return (
    <>
      <Warning title={note} isNote>
        <Filled text={message.order} recipient={<UntrustedText text={model.recipient} />} />
      </Warning>
      <MessageSummary model={model} moves={moves} />
    </>
  );
}

export function Message({ model }: { model: MessageModel }) {
  const { careful, message } = useConfirmTexts();
  return (
    <section className="card" aria-label={message.label}>
      <dl className="details">
        <Fact label={message.for}>
          <strong>
            <UntrustedText text={model.recipient} />
          </strong>
        </Fact>
        {model.callbackUrl !== undefined && (
          <Fact label={message.answerTo}>
            <UntrustedText text={model.callbackUrl} />
          </Fact>
        )}
        {model.state !== undefined && (
          <Fact label={message.state}>
            <UntrustedText text={model.state} />
          </Fact>
        )}
        <Fact label={message.nonce}>
          <code>
            <UntrustedText text={model.nonce} />
          </code>
        </Fact>
      </dl>
      {model.isForAnother && <Warning title={careful}>{message.forAnother}</Warning>}
      <p className="eyebrow">{message.label}</p>
      <Boxed label={message.text} parts={[model.message]} />
    </section>
  );
}
