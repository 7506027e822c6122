/** The head of the question: a line for each action, with every receiver and method and exact amounts, and warnings. */
import type { Action, MessageModel, TransactionsConfirmModel } from 'latchkey';
import { type TokenMove, tokenMoves } from 'latchkey/confirm-moves';
import { exactNear } from '../format/amount.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { actionsOf, amountsSent, describeAction } from './describe-action.js';
import { Fact } from './facts.js';
import { type Step, stepHeadline, stepsOf } from './headline.js';
import { type Known, Recipient, TokenMoves } from './token-moves.js';
import { OpenAction } from './transaction-view.js';

type Shown = Pick<TransactionsConfirmModel, 'transactions' | 'tokens' | 'recipients'>;

/** A line for each action, and the sum of what they send. */
export function Summary({ model }: { model: Shown }) {
  const words = useConfirmTexts().glance;
  const { transactions, tokens = [], recipients = [] } = model;
  const steps = stepsOf(model);
  return (
    <section className="card summary" aria-label={words.label}>
      <Lookalikes recipients={recipients} />
      <Destroyers moves={transactions.flatMap(tokenMoves)} />
      <ol className="steps">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the actions of one request never move
          <li key={index}>
            <dl className="details">
              <StepLine step={step} tokens={tokens} recipients={recipients} />
            </dl>
          </li>
        ))}
      </ol>
      <Total actions={actionsOf(model)} />
    </section>
  );
}

/** What the title of a request leaves to say of its one action. */
export function TitledStep({ model, step }: { model: TransactionsConfirmModel; step: Step }) {
  const texts = useConfirmTexts();
  const { receiverId, action } = step;
  const { tokens = [], recipients = [] } = model;
  const said = stepHeadline(step, model, texts);
  const { facts } = texts;
  const receiver = <Recipient id={receiverId} recipients={recipients} />;
  return (
    <section className="card summary" aria-label={texts.glance.label}>
      <Lookalikes recipients={recipients} />
      <Destroyers moves={model.transactions.flatMap(tokenMoves)} />
      <dl className="details large">
        {action.type === 'FunctionCall' && said.method === undefined ? (
          <StepLine step={step} tokens={tokens} recipients={recipients} />
        ) : (
          <Fact label={labelOfReceiver(action, facts)}>{receiver}</Fact>
        )}
        {action.type === 'FunctionCall' && said.method !== undefined && (
          <TokenMoves
            moves={tokenMoves({ receiverId, actions: [action] })}
            tokens={tokens}
            recipients={recipients}
          />
        )}
        {said.amount === undefined && said.method !== undefined && <Sent action={action} />}
        {said.amount === undefined && action.type !== 'FunctionCall' && <Unread action={action} />}
        {action.type === 'DeleteAccount' && (
          <Fact label={texts.actions.balanceTo}>
            <Recipient id={action.beneficiaryId} recipients={recipients} />
          </Fact>
        )}
      </dl>
      <OpenAction step={step} />
    </section>
  );
}

function labelOfReceiver({ type }: Action, facts: ReturnType<typeof useConfirmTexts>['facts']): string {
  if (type === 'Transfer') return facts.toAccount;
  return type === 'FunctionCall' ? facts.contract : facts.account;
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

function StepLine({ step: { receiverId, action }, ...known }: { step: Step } & Known) {
  const { glance: words, actions } = useConfirmTexts();
  const receiver = <Recipient id={receiverId} recipients={known.recipients} />;
  switch (action.type) {
    case 'Transfer':
      return (
        <Fact label={words.send}>
          <Filled text={words.to} what={<Near amount={action.amount} />} account={receiver} />
        </Fact>
      );
    case 'Stake':
      return (
        <Fact label={words.stake}>
          <Filled text={words.at} what={<Near amount={action.stake} />} account={receiver} />
        </Fact>
      );
    case 'FunctionCall':
      return (
        <>
          <TokenMoves moves={tokenMoves({ receiverId, actions: [action] })} {...known} />
          <Fact label={words.calls}>
            <Filled
              text={action.deposit === '0' ? words.at : words.atWith}
              what={
                <code>
                  <UntrustedText text={action.methodName} />
                </code>
              }
              account={receiver}
              amount={<Near amount={action.deposit} />}
            />
          </Fact>
        </>
      );
    default:
      return (
        <Fact label={words.also}>
          <Filled
            text={words.on}
            account={receiver}
            action={<Other action={action} title={describeAction(action, actions).title} {...known} />}
          />
        </Fact>
      );
  }
}

function Other({ action, title, recipients }: { action: Action; title: string } & Pick<Known, 'recipients'>) {
  const words = useConfirmTexts().glance;
  const [amount] = amountsSent([action]);
  if (amount !== undefined)
    return <Filled text={words.with} action={title} amount={<Near amount={amount} />} />;
  if (action.type !== 'DeleteAccount') return title;
  return (
    <Filled
      text={words.deletes}
      action={title}
      account={<Recipient id={action.beneficiaryId} recipients={recipients} />}
    />
  );
}

/** The NEAR that an action sends. */
function Sent({ action }: { action: Action }) {
  const { send } = useConfirmTexts().facts;
  return amountsSent([action])
    .filter((amount) => amount !== '0')
    .map((amount) => (
      <Fact label={send} key={amount}>
        <Near amount={amount} />
      </Fact>
    ));
}

/** An amount that no title can say: text in its place. */
function Unread({ action }: { action: Action }) {
  const { amount: label } = useConfirmTexts().actions;
  const amount =
    action.type === 'Transfer' ? action.amount : action.type === 'Stake' ? action.stake : undefined;
  if (amount === undefined) return null;
  return (
    <Fact label={label}>
      <Near amount={amount} />
    </Fact>
  );
}

/** What several actions send together. */
function Total({ actions }: { actions: readonly Action[] }) {
  const { total } = useConfirmTexts().facts;
  const amounts = amountsSent(actions);
  if (amounts.length < 2) return null;
  const odd = amounts.filter((amount) => exactNear(amount) === undefined);
  const sum = odd.length > 0 ? odd.join(' ') : String(amounts.reduce((all, one) => all + BigInt(one), 0n));
  return (
    <dl className="details total">
      <Fact label={total}>
        <Near amount={sum} />
      </Fact>
    </dl>
  );
}

/** Every digit; text that is no amount is shown as it came. */
function Near({ amount }: { amount: string }) {
  return <strong>{exactNear(amount) ?? <UntrustedText text={amount} />}</strong>;
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
