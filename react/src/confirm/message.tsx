/** A message to sign, and what it moves. */
import type { ConfirmModel, MessageModel } from 'latchkey';
import { movesOfMessage } from 'latchkey/confirm-moves';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { Boxed, WarningSign } from './action-list.js';
import { Fact } from './fact.js';
import { GlanceOfMessage } from './glance.js';
import { Untrusted } from './untrusted.js';

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
      <p className="warning note">
        <WarningSign />
        <span>
          <strong>{note}</strong>{' '}
          <Filled text={message.order} recipient={<Untrusted text={model.recipient} />} />
        </span>
      </p>
      <GlanceOfMessage model={model} moves={moves} />
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
            <Untrusted text={model.recipient} />
          </strong>
        </Fact>
        {model.callbackUrl !== undefined && (
          <Fact label={message.answerTo}>
            <Untrusted text={model.callbackUrl} />
          </Fact>
        )}
        {model.state !== undefined && (
          <Fact label={message.state}>
            <Untrusted text={model.state} />
          </Fact>
        )}
        <Fact label={message.nonce}>
          <code>
            <Untrusted text={model.nonce} />
          </code>
        </Fact>
      </dl>
      {model.isForAnother && (
        <p className="warning">
          <WarningSign />
          <span>
            <strong>{careful}</strong> {message.forAnother}
          </span>
        </p>
      )}
      <p className="eyebrow">{message.label}</p>
      <Boxed label={message.text} parts={[model.message]} />
    </section>
  );
}
