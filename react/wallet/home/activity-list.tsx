import type { TransactionFate } from 'latchkey';
import { filled } from 'latchkey/internal';
import type { ActivityAction, ActivityEntry } from 'latchkey/internal/wallet';
import type { Incoming, Token } from 'latchkey/tokens';
import { type ReactNode, useId } from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { showAmount } from '../../src/format/amount.js';
import { dateOf, dayOf, startOfDay } from '../../src/format/date.js';
import { fateWords } from '../../src/format/fate.js';
import { ExternalIcon } from '../../src/surface/icons.js';
import { UntrustedText } from '../../src/surface/untrusted-text.js';
import { counted } from '../../src/texts/counted.js';
import { Filled } from '../../src/texts/filled.js';
import { amountText } from './amount-text.js';
import { ActivityIcon } from './icons.js';
import { useMoney } from './money.js';
import { Empty, Failed, Loading } from './parts.js';
import { type HomeTexts, useHomeTexts } from './texts/index.js';
import { useActivity } from './use-activity.js';

/** How a fate looks: `open` is neither good nor bad yet. */
export const toneOf = (fate: TransactionFate): 'good' | 'bad' | 'open' =>
  fate === 'executed' ? 'good' : fate === 'unknown' || fate === 'sent' ? 'open' : 'bad';

/** The newest of what the account sent from this browser, and of what came in while its page was open. */
export function RecentActivity({ accountId, most }: { accountId: string; most: number }) {
  const words = useHomeTexts().activity;
  return (
    <WithEntries accountId={accountId}>
      {(entries) => (
        <ul className="card list" aria-label={words.list}>
          {entries.slice(0, most).map(({ row }) => row)}
        </ul>
      )}
    </WithEntries>
  );
}

/** All of it: a list for each day, under a heading that says which. */
export function ActivityByDay({ accountId }: { accountId: string }) {
  const words = useHomeTexts().activity;
  return (
    <WithEntries accountId={accountId}>
      {(entries) => (
        <section className="days" aria-label={words.list}>
          {[...new Set(entries.map(({ at }) => startOfDay(at)))].map((day) => (
            <Day key={day} day={day} entries={entries.filter(({ at }) => startOfDay(at) === day)} />
          ))}
        </section>
      )}
    </WithEntries>
  );
}

function Day({ day, entries }: { day: number; entries: readonly Listed[] }) {
  const id = useId();
  const { today, yesterday } = useHomeTexts().activity;
  const now = Date.now();
  const name = day === startOfDay(now) ? today : day === startOfDay(now, -1) ? yesterday : dayOf(day);
  return (
    <section className="part">
      <h2 id={id}>{name}</h2>
      <ul className="card list" aria-labelledby={id}>
        {entries.map(({ row }) => row)}
      </ul>
    </section>
  );
}

/** Something sent or received. */
interface Listed {
  readonly at: number;
  readonly row: ReactNode;
}

interface WithEntriesProps {
  accountId: string;
  /** Draws them: the newest first, and at least one. */
  children: (entries: readonly Listed[]) => ReactNode;
}

function WithEntries({ accountId, children }: WithEntriesProps) {
  const words = useHomeTexts().activity;
  const { value, error, reload } = useActivity(accountId);
  const { received } = useMoney();
  if (error && value === undefined)
    return <Failed title={words.unread} error={error} onAgain={() => void reload()} />;
  if (value === undefined) return <Loading />;
  const entries = [
    ...value.map((entry) => ({ at: entry.at, row: <Row key={entry.transactionId} entry={entry} /> })),
    ...received.map((incoming) => ({
      at: incoming.at,
      row: <ReceivedRow key={`${incoming.contractId} ${incoming.upToBlock}`} incoming={incoming} />,
    })),
  ].sort((one, other) => other.at - one.at);
  if (entries.length === 0) return <Empty icon={<ActivityIcon />} title={words.none} more={words.noneMore} />;
  return children(entries);
}

function ReceivedRow({ incoming: { contractId, amount, at } }: { incoming: Incoming }) {
  const words = useHomeTexts();
  const { tokens } = useMoney();
  return (
    <li className="entry">
      <div className="entry-head">
        <strong className="break">
          {filled(words.activity.received, {
            amount: amountText(contractId, amount, tokens.value?.tokens ?? [], words),
          })}
        </strong>
        <span className="chip" data-tone="good">
          {words.activity.arrived}
        </span>
      </div>
      {contractId !== undefined && <TokenAddress contractId={contractId} />}
      <p className="faint small">{dateOf(at)}</p>
    </li>
  );
}

function TokenAddress({ contractId }: { contractId: string }) {
  const words = useHomeTexts().activity;
  return (
    <p className="faint small break">
      <Filled text={words.token} token={<UntrustedText text={contractId} />} />
    </p>
  );
}

function Row({ entry }: { entry: ActivityEntry }) {
  const words = useHomeTexts();
  const { explorerUrl } = usePasskeyContext().passkeyManager.config;
  const { tokens } = useMoney();
  const { transactionId, receiverId, actions, more, fate, at, host, isDelegate } = entry;
  const { label, sentence } = fateWords(fate);
  const token = actions.map(tokenIn).find((each) => each !== undefined);
  const first = actions.find((action) => !token || tokenIn(action) === token);
  const others = actions.filter((action) => action !== first);
  const textOf = (action: ActivityAction): string =>
    actionText(action, receiverId, tokens.value?.tokens ?? [], words);
  return (
    <li className="entry">
      <div className="entry-head">
        <strong className="break">{first && <UntrustedText text={textOf(first)} limit={80} />}</strong>
        <span className="chip" data-tone={toneOf(fate)}>
          {label}
        </span>
      </div>
      {[...others, ...(more > 0 ? [more] : [])].map((other, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the actions of one transaction never move
        <p key={index} className="small break">
          {typeof other === 'number' ? (
            counted(words.activity.more, other)
          ) : (
            <UntrustedText text={textOf(other)} limit={80} />
          )}
        </p>
      ))}
      <p className="small break">
        <Filled
          text={words.activity.to}
          receiver={<UntrustedText text={token?.receiverId ?? receiverId} />}
        />
      </p>
      {token && <TokenAddress contractId={receiverId} />}
      {toneOf(fate) !== 'good' && <p className="faint small">{sentence}</p>}
      <p className="faint small entry-foot">
        <span>{dateOf(at)}</span>
        {host !== undefined && (
          <span className="break">
            <Filled text={words.activity.askedBy} app={<b translate="no">{host}</b>} />
          </span>
        )}
        {isDelegate ? (
          <span>{words.activity.relayed}</span>
        ) : (
          fate !== 'not-sent' && (
            <ExplorerLink path={`transactions/${transactionId}`} at={explorerUrl} id={transactionId} />
          )
        )}
      </p>
    </li>
  );
}

const tokenIn = (action: ActivityAction) => (action.type === 'FunctionCall' ? action.token : undefined);

/** An id in short, which the explorer has in full. */
export function ExplorerLink({ at, path, id }: { at: string; path: string; id: string }) {
  const words = useHomeTexts();
  return (
    <a className="explorer" href={`${at}/${path}`} target="_blank" rel="noreferrer" title={id}>
      <code>{id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id}</code>
      <span className="sr-only"> {words.inExplorer}</span>
      <ExternalIcon />
    </a>
  );
}

const near = (yocto: string): string => showAmount(yocto)?.near ?? yocto;

/** An action on `contractId` in one line. */
function actionText(
  action: ActivityAction,
  contractId: string,
  tokens: readonly Token[],
  texts: HomeTexts,
): string {
  const { activity: words } = texts;
  switch (action.type) {
    case 'Transfer':
      return filled(words.transfer, { amount: near(action.amount) });
    case 'FunctionCall':
      if (action.token)
        return filled(words.sentToken, {
          amount: amountText(contractId, action.token.amount, tokens, texts),
        });
      if (action.methodName === 'storage_deposit')
        return filled(words.storage, { amount: near(action.deposit) });
      return action.deposit === '0'
        ? filled(words.call, { method: action.methodName })
        : filled(words.callWith, { method: action.methodName, amount: near(action.deposit) });
    case 'Stake':
      return filled(words.stake, { amount: near(action.amount) });
    case 'AddKey':
      return action.contract === undefined
        ? words.addKey
        : filled(words.addAppKey, { contract: action.contract });
    case 'DeleteKey':
      return words.deleteKey;
    case 'DeleteAccount':
      return filled(words.deleteAccount, { account: action.beneficiaryId });
    case 'Other':
      return action.name;
  }
}
