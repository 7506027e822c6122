/** The risks of a request. */
import type { Action, ConfirmModel, TransactionsConfirmModel } from 'latchkey';
import { movesOfMessage, tokenMoves } from 'latchkey/confirm-moves';
import { confirmTexts } from '../texts/current-confirm.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { type ActionDescription, describeAction } from './describe-action.js';
import { messageOf } from './message.js';

/** Names the risky actions at the top when there are several actions: a risky one may be far down. */
export function Risks({ model }: { model: TransactionsConfirmModel }) {
  const { lookClosely, amongOthers } = useConfirmTexts().transactions;
  const risks = new Set(risksOf(model));
  if (risks.size === 0 || actionsOf(model).length === 1) return null;
  return (
    <p className={riskOf(model) === 'high' ? 'warning' : 'warning note'}>
      <WarningSign />
      <span>
        <strong>{lookClosely}</strong> {amongOthers([...risks].join(' · '))}
      </span>
    </p>
  );
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

export function actionsOf(model: TransactionsConfirmModel): Action[] {
  return model.transactions.flatMap((transaction) => transaction.actions);
}
