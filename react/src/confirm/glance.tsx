import type {
  Action,
  MessageModel,
  RecipientModel,
  TokenModel,
  TransactionRequest,
  TransactionsConfirmModel,
} from 'latchkey';
import { type TokenMove, tokenMoves } from 'latchkey/confirm-moves';
import type { ReactNode } from 'react';
import { exactNear, exactUnits } from '../format/amount.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { describeAction, sentBy } from './describe-action.js';
import { Fact } from './fact.js';
import { Untrusted } from './untrusted.js';

/** The head of the question: every receiver and method, and everything of value, with exact amounts. */
export function Glance({
  model,
}: {
  model: Pick<TransactionsConfirmModel, 'transactions' | 'tokens' | 'recipients'>;
}) {
  const words = useConfirmTexts().glance;
  const { tokens = [], recipients = [] } = model;
  const parties = partiesOf(model.transactions);
  return (
    <section className="card glance" aria-label={words.label}>
      <Lookalikes recipients={recipients} />
      <Destroyers moves={parties.flatMap(({ moves }) => moves)} />
      {parties.map((party) => (
        <PartyView key={party.receiverId} party={party} tokens={tokens} recipients={recipients} />
      ))}
    </section>
  );
}

/** Moves whose amount is in yoctoNEAR. */
const OF_NEAR: ReadonlySet<TokenMove['does']> = new Set([
  'wrap',
  'pay-storage',
  'take-storage',
  'stake',
  'unstake',
]);

/** The same for a message that lets a contract move tokens. */
export function GlanceOfMessage({ model, moves }: { model: MessageModel; moves: readonly TokenMove[] }) {
  const words = useConfirmTexts().glance;
  const { tokens = [], recipients = [] } = model;
  return (
    <section className="card glance" aria-label={words.label}>
      <Lookalikes recipients={recipients} />
      <dl className="details">
        <Moves moves={moves} tokens={tokens} recipients={recipients} />
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

interface Known {
  tokens: readonly TokenModel[];
  recipients: readonly RecipientModel[];
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
        <Moves moves={moves} {...known} />
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
                  <Untrusted text={method} />
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
  const amounts = actions.flatMap((action) => {
    const amount = sentBy(action);
    return amount === '0' && action.type !== 'Transfer' ? [] : [amount];
  });
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
  if (odd.length > 0) return <Untrusted text={odd.join(' ')} />;
  return exactNear(String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)));
}

function Moves({ moves, ...known }: { moves: readonly TokenMove[] } & Known) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the moves of one request never change their places
  return moves.map((move, index) => <MoveView key={index} move={move} {...known} />);
}

function MoveView({ move, tokens, recipients }: { move: TokenMove } & Known) {
  const words = useConfirmTexts().glance;
  const { does, receiverId, hasMessage } = move;
  return (
    <Fact label={words[does]}>
      {receiverId === undefined ? (
        <What move={move} tokens={tokens} />
      ) : (
        <Filled
          text={does === 'approve' || does === 'pay-storage' ? words.for : words.to}
          what={<What move={move} tokens={tokens} />}
          account={<Recipient id={receiverId} recipients={recipients} />}
        />
      )}
      {hasMessage && <span className="fine">{words.hasMessage}</span>}
      <Kept move={move} tokens={tokens} />
    </Fact>
  );
}

function What({
  move: { does, method, amount, token, tokenId },
  tokens,
}: { move: TokenMove } & Pick<Known, 'tokens'>) {
  const words = useConfirmTexts().glance;
  if (does === 'unreadable') {
    return (
      <strong>
        <Filled
          text={words.unlisted}
          method={
            <code>
              <Untrusted text={method} />
            </code>
          }
        />
      </strong>
    );
  }
  if (does === 'close-storage') return <strong>{words.closed}</strong>;
  if (OF_NEAR.has(does)) {
    return <strong>{amount === undefined ? words.everything : (exactNear(amount) ?? amount)}</strong>;
  }
  if (tokenId !== undefined) {
    return (
      <strong>
        <Filled
          text={amount === undefined ? words.token : words.tokens(exactUnits(amount))}
          token={<Untrusted text={tokenId} />}
        />
      </strong>
    );
  }
  if (amount === undefined) {
    return (
      <strong>
        <Filled text={words.whole} token={<Untrusted text={token} />} />
      </strong>
    );
  }
  const said = tokens.find(({ contractId }) => contractId === token);
  if (said) {
    return (
      <strong>
        {exactUnits(amount, said.decimals)} “<Untrusted text={said.symbol} />”
      </strong>
    );
  }
  return (
    <strong>
      <Filled text={words.units(exactUnits(amount))} token={<Untrusted text={token} />} />
    </strong>
  );
}

/** Where a token is kept, and what of the line above is the word of that contract. */
function Kept({
  move: { does, amount, token, tokenId },
  tokens,
}: { move: TokenMove } & Pick<Known, 'tokens'>) {
  const words = useConfirmTexts().glance;
  if (does === 'unreadable' || does === 'close-storage' || OF_NEAR.has(does)) return null;
  if (amount === undefined && tokenId === undefined) return null;
  const said = tokenId === undefined ? tokens.find(({ contractId }) => contractId === token) : undefined;
  if (said) {
    return (
      <span className="fine">
        <Filled
          text={words.ownWords(exactUnits(amount ?? '0'), said.decimals)}
          token={<Untrusted text={token} />}
          symbol={<Untrusted text={said.symbol} />}
        />
      </span>
    );
  }
  return tokenId === undefined ? (
    <span className="fine">{words.noWorth}</span>
  ) : (
    <span className="fine">
      <Filled text={words.keptBy} token={<Untrusted text={token} />} />
    </span>
  );
}

/** An account, with what the wallet knows of it. */
export function Recipient({ id, recipients }: { id: string } & Pick<Known, 'recipients'>) {
  const words = useConfirmTexts().glance;
  const known = recipients.find(({ accountId }) => accountId === id);
  return (
    <>
      <strong>
        <Untrusted text={id} />
      </strong>{' '}
      {known?.looksLike !== undefined ? (
        <span className="badge risky">{words.looksLike}</span>
      ) : (
        known?.isNew && <span className="badge">{words.firstTime}</span>
      )}
    </>
  );
}

export function Lookalikes({ recipients }: Pick<Known, 'recipients'>) {
  const { glance } = useConfirmTexts();
  return recipients.map(
    ({ accountId, looksLike }) =>
      looksLike !== undefined && (
        <Careful key={accountId}>
          <Filled
            text={glance.lookalike}
            account={<AccountId text={accountId} />}
            other={<AccountId text={looksLike} />}
          />
        </Careful>
      ),
  );
}

/** A warning for each contract whose tokens are destroyed. */
function Destroyers({ moves }: { moves: readonly TokenMove[] }) {
  const { glance } = useConfirmTexts();
  const destroying = moves.filter(({ does }) => does === 'destroy').map(({ token }) => token);
  return [...new Set(destroying)].map((token) => (
    <Careful key={token}>
      <Filled text={glance.destroys} token={<AccountId text={token} />} />
    </Careful>
  ));
}

function Careful({ children }: { children: ReactNode }) {
  const { careful } = useConfirmTexts();
  return (
    <p className="warning">
      <WarningSign />
      <span>
        <strong>{careful}</strong> {children}
      </span>
    </p>
  );
}

const AccountId = ({ text }: { text: string }) => (
  <code>
    <Untrusted text={text} />
  </code>
);

function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}

export const glanceCss = /* css */ `
.glance { gap: 10px; }
.party { display: grid; gap: 7px; }
.party + .party { border-top: 1px solid var(--lk-line); padding-top: 10px; }
.fine { display: block; margin-top: 2px; color: var(--lk-muted); font-size: var(--lk-text-xs); line-height: 1.45; }
.badge {
  display: inline-block; max-width: 100%; padding: 1px 7px; border-radius: 10px; border: 1px solid var(--lk-line-strong);
  font: 600 11px/1.5 var(--lk-font); color: var(--lk-muted); vertical-align: 1px;
}
.badge.risky { color: var(--lk-danger); border-color: var(--lk-danger-line); background: var(--lk-danger-soft); }
.glance ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; }
.warning.note { color: var(--lk-text); background: var(--lk-sunken); border-color: var(--lk-line-strong); }
.warning.note .sign { color: var(--lk-accent); }
`;
