/** A message to sign, and what it moves. */
import type { ConfirmModel, MessageModel } from 'latchkey';
import { movesOfMessage } from 'latchkey/confirm-moves';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { Fact } from './facts.js';
import { siteOf } from './request-context.js';
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

/** Says that the site which asks can use the signature elsewhere. */
export function ForAnother({ message, askedBy }: { message: MessageModel; askedBy: string | undefined }) {
  const { careful, message: words } = useConfirmTexts();
  if (!message.isForAnother) return null;
  return (
    <Warning title={careful}>
      <Filled
        text={words.forAnother}
        site={askedBy === undefined ? words.thisPage : <UntrustedText text={siteOf(askedBy)} />}
        recipient={<UntrustedText text={message.recipient} />}
      />
    </Warning>
  );
}

/** The text, and who may use its signature. The part that decides nothing is under Details. */
export function Message({ model }: { model: MessageModel }) {
  const { message } = useConfirmTexts();
  return (
    <section className="card message" aria-label={message.label}>
      <Boxed label={message.text} parts={[model.message]} />
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
      </dl>
    </section>
  );
}
