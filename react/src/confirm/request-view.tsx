import type { ConfirmModel, RecordingModel, TransactionsConfirmModel } from 'latchkey';
import { filled } from 'latchkey/internal';
import { aboutNear } from '../format/amount.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Amount, Delegate, Fact } from './facts.js';
import { titledStep } from './headline.js';
import { ForAnother, Message, MovesOfMessage, messageOf } from './message.js';
import { JoinedAccount, NewDevice } from './new-device.js';
import { Summary, TitledStep } from './summary.js';
import { OpenTransaction } from './transaction-view.js';
import { EndingAppKeys, RecoveryKeyNote, RemovedDevices, RepeatedPayment, RiskyActions } from './warnings.js';

/** What a confirmation asks for: warnings, what is done, and everything that is signed and says more. */
export function RequestView({ model }: { model: ConfirmModel }) {
  const { facts } = useConfirmTexts();
  const message = messageOf(model);
  return (
    <>
      {message && <ForAnother message={message} askedBy={model.askedBy} />}
      {model.kind === 'registration' && (
        <>
          {model.joining && <JoinedAccount accountId={model.accountId} joining={model.joining} />}
          {model.label !== undefined && <NewWallet label={model.label} />}
          {model.label === undefined && model.joining?.checkCode === undefined && (
            <dl className="details large">
              <Fact label={facts.account}>
                <strong>
                  <UntrustedText text={model.accountId} />
                </strong>
              </Fact>
            </dl>
          )}
          {model.recording && <Recording recording={model.recording} />}
        </>
      )}
      {model.kind === 'transactions' && <Transactions model={model} />}
      {message && <MovesOfMessage message={message} />}
      {message && <Message model={message} />}
    </>
  );
}

/** An account without a name: what lists of passkeys will show for it, and what its loss means. */
function NewWallet({ label }: { label: string }) {
  const { nameless } = useConfirmTexts();
  return (
    <>
      <dl className="details large">
        <Fact label={nameless.label}>
          <strong>
            <UntrustedText text={label} />
          </strong>
        </Fact>
      </dl>
      <Warning isNote>{nameless.loss}</Warning>
    </>
  );
}

/** The record of the account's own passkey: what it costs, and why some browsers ask for the passkey twice. */
function Recording({ recording }: { recording: RecordingModel }) {
  const { recording: words } = useConfirmTexts();
  return (
    <>
      <dl className="details">
        <Fact label={words.deposit}>
          <Amount yocto={recording.depositYocto} />
        </Fact>
        <Fact label={words.kept}>{filled(words.about, { amount: aboutNear(recording.keptYocto) })}</Fact>
      </dl>
      {recording.asksTwice && <Warning isNote>{words.twice}</Warning>}
    </>
  );
}

function Transactions({ model }: { model: TransactionsConfirmModel }) {
  const { transactions: words } = useConfirmTexts();
  const { accountId, transactions, device, delegate } = model;
  const step = titledStep(model);
  return (
    <>
      {model.repeats && <RepeatedPayment payments={model.repeats} />}
      {model.removes && <RemovedDevices accountId={accountId} devices={model.removes} />}
      {model.recoveryKey !== undefined && <RecoveryKeyNote accountId={accountId} />}
      {model.appKeys && <EndingAppKeys keys={model.appKeys} />}
      {device ? <NewDevice model={model} device={device} /> : <RiskyActions model={model} />}
      {step ? <TitledStep model={model} step={step} /> : <Summary model={model} />}
      {delegate && (
        <dl className="details">
          <Delegate delegate={delegate} />
        </dl>
      )}
      {!step &&
        transactions.map((transaction, index) => (
          <OpenTransaction
            // biome-ignore lint/suspicious/noArrayIndexKey: the transactions of one request never move
            key={index}
            transaction={transaction}
            position={
              transactions.length > 1
                ? filled(words.position, { number: index + 1, count: transactions.length })
                : null
            }
          />
        ))}
    </>
  );
}
