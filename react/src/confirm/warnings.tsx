/** What the confirmation warns of, and how great the risk of a request is. */

import type {
  AppKeyModel,
  ConfirmModel,
  RemovedDeviceModel,
  RepeatedModel,
  TransactionsConfirmModel,
} from 'latchkey';
import { movesOfMessage, tokenMoves } from 'latchkey/confirm-moves';
import { filled } from 'latchkey/internal';
import { Fragment } from 'react';
import { exactNear } from '../format/amount.js';
import { dateOf } from '../format/date.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { confirmTexts, useConfirmTexts } from '../texts/confirm-texts.js';
import { counted } from '../texts/counted.js';
import { Filled } from '../texts/filled.js';
import { locale } from '../texts/locale.js';
import { type ActionDescription, actionsOf, describeAction } from './describe-action.js';
import { removedDevice } from './headline.js';
import { messageOf } from './message.js';

/** Names the risky actions at the top when there are several actions: a risky one may be far down, and no title says it. */
export function RiskyActions({ model }: { model: TransactionsConfirmModel }) {
  const { lookClosely, amongOthers } = useConfirmTexts().transactions;
  const risks = new Set(risksOf(model));
  if (risks.size === 0 || actionsOf(model).length === 1 || removedDevice(model) !== undefined) return null;
  return (
    <Warning title={lookClosely} isNote={riskOf(model) !== 'high'}>
      {filled(amongOthers, { titles: [...risks].join(' · ') })}
    </Warning>
  );
}

/** Warns that an equal payment left earlier: its outcome is not known yet, and a second one may pay twice. */
export function RepeatedPayment({ payments }: { payments: readonly RepeatedModel[] }) {
  const words = useConfirmTexts().repeated;
  const [first] = payments;
  if (!first) return null;
  const sentAt = timeOf(first.sentAt);
  return (
    <Warning title={words.title}>
      <Filled
        text={
          payments.length > 1
            ? filled(counted(words.sentOneOf, payments.length), { time: sentAt })
            : filled(words.sent, { time: sentAt })
        }
        receiver={<UntrustedText text={first.receiverId} />}
      />{' '}
      {first.transactionId === null ? (
        words.byRelay
      ) : (
        <Filled text={words.lookUp} transaction={<code>{first.transactionId}</code>} />
      )}
    </Warning>
  );
}

/** With its date if that is not today's. */
function timeOf(ms: number): string {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString(locale(), { timeStyle: 'short' }) : dateOf(ms);
}

/** Names the devices that can no longer sign for the account: the transactions only name their keys. */
export function RemovedDevices({
  accountId,
  devices,
}: {
  accountId: string;
  devices: readonly RemovedDeviceModel[];
}) {
  const words = useConfirmTexts().removed;
  return devices.map(({ deviceNumber, registeredAt, passkeyName, isCurrent }) => (
    <Warning
      key={deviceNumber}
      title={
        isCurrent
          ? filled(words.thisDevice, { number: deviceNumber })
          : filled(words.device, { number: deviceNumber })
      }
    >
      <Filled
        text={filled(words.registered, { date: dateOf(registeredAt) })}
        account={<UntrustedText text={accountId} />}
        passkey={<UntrustedText text={passkeyName} />}
      />
    </Warning>
  ));
}

/** Says that the key which the transaction adds is a recovery phrase's, and who can use it. */
export function RecoveryKeyNote({ accountId }: { accountId: string }) {
  const { note, recoveryKey } = useConfirmTexts();
  return (
    <Warning title={note} isNote>
      <Filled text={recoveryKey} account={<UntrustedText text={accountId} />} />
    </Warning>
  );
}

/** Says of an app key what the signed action does not: until when the wallet uses it, why it is removed, who pays for it. */
export function AppKeyNotes({ keys }: { keys: readonly AppKeyModel[] }) {
  const { note, appKeys: words } = useConfirmTexts();
  return keys.map(({ publicKey, receiverId, expiresAt, paidByRelay, change }) => (
    <Fragment key={publicKey}>
      {expiresAt !== undefined && (
        <Warning title={note} isNote>
          <Filled
            text={
              change === 'added'
                ? filled(words.added, { end: dateOf(expiresAt) })
                : filled(words.removed, { end: dateOf(expiresAt) })
            }
            contract={<UntrustedText text={receiverId} />}
          />
        </Warning>
      )}
      {paidByRelay && (
        <Warning title={note} isNote>
          <Filled
            text={filled(words.paidByRelay, { amount: exactNear(paidByRelay.amountYocto) ?? '' })}
            relay={<UntrustedText text={paidByRelay.relay} />}
          />
        </Warning>
      )}
    </Fragment>
  ));
}

/** The highest risk of the request. */
export function riskOf(model: ConfirmModel): ActionDescription['risk'] {
  if (model.kind === 'registration') return undefined;
  const message = messageOf(model);
  const recipients = [...(model.recipients ?? []), ...(message?.recipients ?? [])];
  if (recipients.some(({ looksLike }) => looksLike !== undefined)) return 'high';
  const ofMessage = message && movesOfMessage(message.message, message.recipient) ? 'raised' : undefined;
  if (model.kind === 'nep413') return ofMessage;
  if (model.repeats ?? model.removes) return 'high';
  if (model.transactions.flatMap(tokenMoves).some(({ does }) => does === 'destroy')) return 'high';
  const risks = descriptionsOf(model).map(({ risk }) => risk);
  return risks.find((risk) => risk === 'high') ?? risks.find((risk) => risk !== undefined) ?? ofMessage;
}

function risksOf(model: TransactionsConfirmModel): string[] {
  return descriptionsOf(model).flatMap(({ warning, title }) => (warning === undefined ? [] : [title]));
}

const descriptionsOf = (model: TransactionsConfirmModel): ActionDescription[] =>
  model.transactions.flatMap(({ receiverId, actions }) =>
    actions.map((action) => describeAction(action, confirmTexts().actions, receiverId)),
  );
