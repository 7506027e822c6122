import type { ConfirmModel } from 'latchkey';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Cost, Delegate, Fact, Total } from './facts.js';
import { Message, MovesOfMessage, messageOf } from './message.js';
import { JoinedAccount, NewDevice } from './new-device.js';
import { Summary } from './summary.js';
import { TransactionView } from './transaction-view.js';
import { EndingAppKeys, RecoveryKeyNote, RemovedDevices, RepeatedPayment, RiskyActions } from './warnings.js';

/** What a confirmation asks for: warnings, a summary, facts, and everything that is signed. */
export function RequestView({ model }: { model: ConfirmModel }) {
  const { facts, transactions } = useConfirmTexts();
  const message = messageOf(model);
  return (
    <>
      {model.kind === 'registration' && model.joining && (
        <JoinedAccount accountId={model.accountId} joining={model.joining} />
      )}
      {model.kind === 'transactions' && model.repeats && <RepeatedPayment payments={model.repeats} />}
      {model.kind === 'transactions' && model.removes && (
        <RemovedDevices accountId={model.accountId} devices={model.removes} />
      )}
      {model.kind === 'transactions' && model.recoveryKey !== undefined && (
        <RecoveryKeyNote accountId={model.accountId} />
      )}
      {model.kind === 'transactions' && model.appKeys && <EndingAppKeys keys={model.appKeys} />}
      {model.kind === 'transactions' &&
        (model.device ? (
          <NewDevice model={model} device={model.device} />
        ) : (
          <>
            <RiskyActions model={model} />
            <Summary model={model} />
          </>
        ))}
      {message && <MovesOfMessage message={message} />}
      <dl className="details facts">
        <Fact label={facts.account}>
          <strong>
            <UntrustedText text={model.accountId} />
          </strong>
        </Fact>
        {model.askedBy !== undefined && (
          <Fact label={facts.askedBy}>
            <strong>
              <UntrustedText text={siteOf(model.askedBy)} />
            </strong>
          </Fact>
        )}
        <Fact label={facts.network}>
          <UntrustedText text={model.networkId} />
        </Fact>
        <Fact label={facts.passkeyFor}>
          <UntrustedText text={model.rpId} />
        </Fact>
        {model.kind === 'registration' && (
          <Fact label={facts.device}>{facts.deviceNumber(model.deviceNumber)}</Fact>
        )}
        {model.kind === 'transactions' && !model.delegate && <Total model={model} />}
        {model.kind === 'transactions' && model.cost && <Cost cost={model.cost} />}
        {model.kind === 'transactions' && model.delegate && <Delegate delegate={model.delegate} />}
      </dl>
      {model.kind === 'transactions' &&
        model.transactions.map((transaction, index) => (
          <TransactionView
            // biome-ignore lint/suspicious/noArrayIndexKey: the transactions of one request never move
            key={index}
            transaction={transaction}
            position={
              model.transactions.length > 1
                ? transactions.position(index + 1, model.transactions.length)
                : null
            }
          />
        ))}
      {message && <Message model={message} />}
    </>
  );
}

/** An origin without `https://`. Any other scheme stays visible. */
const siteOf = (origin: string): string => origin.replace(/^https:\/\//, '');
