/** A message to sign, and what it moves. */
import type { AuthorizationModel, ConfirmModel, MessageModel } from 'latchkey';
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

/** Who may use the message without being the page that asks: what its signature is meant for. */
const meantFor = ({ authorization, recipient }: MessageModel): string => authorization?.domain ?? recipient;

/** Says that the site which asks can use the signature elsewhere. */
export function ForAnother({ message, askedBy }: { message: MessageModel; askedBy: string | undefined }) {
  const { careful, message: words } = useConfirmTexts();
  if (!message.isForAnother) return null;
  return (
    <Warning title={careful}>
      <Filled
        text={words.forAnother}
        site={askedBy === undefined ? words.thisPage : <UntrustedText text={siteOf(askedBy)} />}
        recipient={<UntrustedText text={meantFor(message)} />}
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
        {model.authorization ? (
          <Authorization model={model} authorization={model.authorization} />
        ) : (
          <Fact label={message.for}>
            <strong>
              <UntrustedText text={model.recipient} />
            </strong>
          </Fact>
        )}
        {model.callbackUrl !== undefined && (
          <Fact label={message.answerTo}>
            <UntrustedText text={model.callbackUrl} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** The app and what it is allowed, where the payload says so; then the accounts that it counts for, and all that it binds. */
function Authorization({
  model,
  authorization: { domain, action, path },
}: {
  model: MessageModel;
  authorization: AuthorizationModel;
}) {
  const { message } = useConfirmTexts();
  return (
    <>
      {domain !== undefined && action !== undefined && (
        <>
          <Fact label={message.for}>
            <strong>
              <UntrustedText text={domain} />
            </strong>
          </Fact>
          <Fact label={message.action}>
            <UntrustedText text={action} />
          </Fact>
        </>
      )}
      {path.length > 0 && (
        <Fact label={message.through}>
          <strong>
            <UntrustedText text={path.join(', ')} />
          </strong>
        </Fact>
      )}
      <Fact label={message.signedAs}>
        <UntrustedText text={model.recipient} />
      </Fact>
    </>
  );
}
