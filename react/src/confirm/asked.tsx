/** What a confirmation asks for: its facts, its transactions, its message. */
import type { ConfirmModel, DelegateModel, TransactionsConfirmModel } from 'latchkey';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { TransactionView } from './action-list.js';
import { Amount } from './amount.js';
import { Cost } from './cost.js';
import { totalSpent } from './describe-action.js';
import { EndingKeys } from './ending-keys.js';
import { Fact } from './fact.js';
import { Glance } from './glance.js';
import { Message, MovesOfMessage, messageOf } from './message.js';
import { JoinedAccount, NewDevice } from './new-device.js';
import { RecoveryKeyNote } from './recovery-key-note.js';
import { RemovedDevices } from './removed-devices.js';
import { Repeated } from './repeated.js';
import { actionsOf, Risks } from './risks.js';
import { Untrusted } from './untrusted.js';

export function Asked({ model }: { model: ConfirmModel }) {
  const { facts, transactions } = useConfirmTexts();
  const message = messageOf(model);
  return (
    <>
      {model.kind === 'registration' && model.joining && (
        <JoinedAccount accountId={model.accountId} joining={model.joining} />
      )}
      {model.kind === 'transactions' && model.repeats && <Repeated payments={model.repeats} />}
      {model.kind === 'transactions' && model.removes && (
        <RemovedDevices accountId={model.accountId} devices={model.removes} />
      )}
      {model.kind === 'transactions' && model.recoveryKey !== undefined && (
        <RecoveryKeyNote accountId={model.accountId} />
      )}
      {model.kind === 'transactions' && model.appKeys && <EndingKeys keys={model.appKeys} />}
      {model.kind === 'transactions' &&
        (model.device ? (
          <NewDevice model={model} device={model.device} />
        ) : (
          <>
            <Risks model={model} />
            <Glance model={model} />
          </>
        ))}
      {message && <MovesOfMessage message={message} />}
      <dl className="details facts">
        <Fact label={facts.account}>
          <strong>
            <Untrusted text={model.accountId} />
          </strong>
        </Fact>
        {model.askedBy !== undefined && (
          <Fact label={facts.askedBy}>
            <strong>
              <Untrusted text={siteOf(model.askedBy)} />
            </strong>
          </Fact>
        )}
        <Fact label={facts.network}>
          <Untrusted text={model.networkId} />
        </Fact>
        <Fact label={facts.passkeyFor}>
          <Untrusted text={model.rpId} />
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

function Total({ model }: { model: TransactionsConfirmModel }) {
  const { send } = useConfirmTexts().facts;
  const actions = actionsOf(model);
  const total = totalSpent(actions);
  if (total === undefined || total === 0n || actions.length < 2) return null;
  return (
    <Fact label={send}>
      <Amount yocto={total.toString()} />
    </Fact>
  );
}

/** For a delegate, which another party sends: shows the sender, who pays fees and deposits, and how long it is valid. */
function Delegate({
  delegate: { relay, validForBlocks, maxBlockHeights = [] },
}: {
  delegate: DelegateModel;
}) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <Fact label={facts.sentBy}>
        {relay === null ? (
          <strong>{facts.anyone}</strong>
        ) : (
          <Filled
            text={facts.relay}
            relay={
              <strong>
                <Untrusted text={relay} />
              </strong>
            }
          />
        )}
      </Fact>
      <Fact label={facts.fees}>{facts.feesPaid}</Fact>
      <Fact label={facts.goodFor}>
        {facts.blocks(validForBlocks)}
        {[...new Set(maxBlockHeights)].map((height) => (
          <span className="fine" key={height}>
            {facts.untilBlock(height)}
          </span>
        ))}
      </Fact>
    </>
  );
}
