import type { Action, MessageModel, TransactionRequest, TransactionsConfirmModel } from 'latchkey';
import { type TokenMove, tokenMoves } from 'latchkey/confirm-moves';
import { exactNear } from '../format/amount.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { amountsSent, describeAction } from './describe-action.js';
import { Fact } from './facts.js';
import { type Known, Recipient, TokenMoves } from './token-moves.js';

/** The head of the question: every receiver and method, and everything of value, with exact amounts. */
export function Summary({
  model,
}: {
  model: Pick<TransactionsConfirmModel, 'transactions' | 'tokens' | 'recipients'>;
}) {
  const words = useConfirmTexts().glance;
  const { tokens = [], recipients = [] } = model;
  const parties = partiesOf(model.transactions);
  return (
    <section className="card summary" aria-label={words.label}>
      <Lookalikes recipients={recipients} />
      <Destroyers moves={parties.flatMap(({ moves }) => moves)} />
      {parties.map((party) => (
        <PartyView key={party.receiverId} party={party} tokens={tokens} recipients={recipients} />
      ))}
    </section>
  );
}

/** The same for a message that lets a contract move tokens. */
export function MessageSummary({ model, moves }: { model: MessageModel; moves: readonly TokenMove[] }) {
  const words = useConfirmTexts().glance;
  const { tokens = [], recipients = [] } = model;
  return (
    <section className="card summary" aria-label={words.label}>
      <Lookalikes recipients={recipients} />
      <dl className="details">
        <TokenMoves moves={moves} tokens={tokens} recipients={recipients} />
      </dl>
    </section>
  );
}

/** What all transactions for one receiver do. */
interface Party {
  receiverId: string;
  actions: Action[];
  moves: TokenMove[];
}

function partiesOf(transactions: readonly TransactionRequest[]): Party[] {
  const parties = new Map<string, Party>();
  for (const transaction of transactions) {
    const { receiverId, actions } = transaction;
    const party = parties.get(receiverId) ?? { receiverId, actions: [], moves: [] };
    party.actions.push(...actions);
    party.moves.push(...tokenMoves(transaction));
    parties.set(receiverId, party);
  }
  return [...parties.values()];
}

function PartyView({ party: { receiverId, actions, moves }, ...known }: { party: Party } & Known) {
  const words = useConfirmTexts().glance;
  const calls = counted(
    actions.flatMap((action) => (action.type === 'FunctionCall' ? [action.methodName] : [])),
  );
  const stakes = actions.flatMap((action) => (action.type === 'Stake' ? [action.stake] : []));
  const others = actions.filter(({ type }) => !['FunctionCall', 'Transfer', 'Stake'].includes(type));
  return (
    <div className="party">
      <p className="receiver">
        <Recipient id={receiverId} recipients={known.recipients} />
      </p>
      <dl className="details">
        <TokenMoves moves={moves} {...known} />
        <Sent actions={actions} />
        {stakes.length > 0 && (
          <Fact label={words.stake}>
            <strong>
              <Near amounts={stakes} />
            </strong>
          </Fact>
        )}
        {calls.length > 0 && (
          <Fact label={words.calls}>
            {calls.map(([method, count], index) => (
              <span key={method}>
                {index > 0 && ', '}
                <code>
                  <UntrustedText text={method} />
                </code>
                {count > 1 && ` × ${count}`}
              </span>
            ))}
          </Fact>
        )}
        {others.length > 0 && (
          <Fact label={words.also}>
            <ul>
              {others.map((action, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the actions of one request never move
                <li key={index}>
                  <Other action={action} recipients={known.recipients} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Other({ action, recipients }: { action: Action } & Pick<Known, 'recipients'>) {
  const { glance: words, actions } = useConfirmTexts();
  const { title } = describeAction(action, actions);
  if (action.type !== 'DeleteAccount') return title;
  return (
    <Filled
      text={words.deletes}
      action={title}
      account={<Recipient id={action.beneficiaryId} recipients={recipients} />}
    />
  );
}

/** The NEAR that leaves the account: transfers and deposits together. */
function Sent({ actions }: { actions: readonly Action[] }) {
  const { send } = useConfirmTexts().facts;
  const amounts = amountsSent(actions);
  if (amounts.length === 0) return null;
  return (
    <Fact label={send}>
      <strong>
        <Near amounts={amounts} />
      </strong>
    </Fact>
  );
}

/** The exact sum; text that is no amount is shown as it came. */
function Near({ amounts }: { amounts: readonly string[] }) {
  const odd = amounts.filter((amount) => exactNear(amount) === undefined);
  if (odd.length > 0) return <UntrustedText text={odd.join(' ')} />;
  return exactNear(String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)));
}

export function Lookalikes({ recipients }: Pick<Known, 'recipients'>) {
  const { careful, glance } = useConfirmTexts();
  return recipients.map(
    ({ accountId, looksLike }) =>
      looksLike !== undefined && (
        <Warning title={careful} key={accountId}>
          <Filled
            text={glance.lookalike}
            account={<AccountId text={accountId} />}
            other={<AccountId text={looksLike} />}
          />
        </Warning>
      ),
  );
}

/** A warning for each contract whose tokens are destroyed. */
function Destroyers({ moves }: { moves: readonly TokenMove[] }) {
  const { careful, glance } = useConfirmTexts();
  const destroying = moves.filter(({ does }) => does === 'destroy').map(({ token }) => token);
  return [...new Set(destroying)].map((token) => (
    <Warning title={careful} key={token}>
      <Filled text={glance.destroys} token={<AccountId text={token} />} />
    </Warning>
  ));
}

const AccountId = ({ text }: { text: string }) => (
  <code>
    <UntrustedText text={text} />
  </code>
);

function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
