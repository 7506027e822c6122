'use client';
import type { ActionResult, ExecuteActionArgs, FlowEvent, PasskeyManager } from 'latchkey';
import { filled, isImplicitAccountId, writeUnits } from 'latchkey/internal';
import type { Token } from 'latchkey/tokens';
import { type FormEvent, useId, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { exactNear, exactUnits } from '../format/amount.js';
import { fateWords } from '../format/fate.js';
import { FailureNote } from '../surface/failure.js';
import { cardCss, formCss } from '../surface/form-styles.js';
import { Inline } from '../surface/inline.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { loadHeadlines } from '../texts/current.js';
import { type Failure, outcomeFailure, thrownFailure, thrownText } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTokenTexts } from '../texts/token-texts.js';
import { Imitation } from '../token-list/token-list.js';
import { Worth, type WorthOf } from '../token-list/worth.js';
import { useBalance } from '../use-balance.js';
import { useLoginState } from '../use-login-state.js';
import { amountOf, mostOf, NEAR_DECIMALS, receiverOf, receiverProblem } from './transfer.js';

/** A transfer that left the wallet, or was signed and did not. */
export interface SentMoney {
  readonly receiverId: string;
  /** Decimal digits, in the smallest unit. */
  readonly amount: string;
  /** Absent for NEAR. */
  readonly token?: Token | undefined;
  /** yoctoNEAR that the account paid for the receiver's room in the token's contract. */
  readonly storageDeposit?: string | undefined;
  /** With the transaction's id and its fate, good or bad. */
  readonly result: ActionResult & { readonly transactionId: string };
}

export interface SendFormProps {
  /** The tokens that can be sent next to NEAR, as `useTokens` reads them. */
  tokens?: readonly Token[] | undefined;
  /** The contract of the token that is chosen at first. Default: NEAR. */
  contractId?: string | undefined;
  /** Called with the steps of the transaction, for toasts. */
  onEvent?: ((event: FlowEvent<'action'>) => void) | undefined;
  /** Called when a transaction was signed: show what became of it. Without it, the form says so itself. */
  onSent?: ((sent: SentMoney) => void) | undefined;
  /** What an amount is worth in a currency. Without it, no values show. */
  worthOf?: WorthOf | undefined;
}

interface Problems {
  readonly receiver?: string | undefined;
  readonly amount?: string | undefined;
  /** Of the whole. */
  readonly sending?: Failure | string | undefined;
}

/** Sends NEAR or a token of the account that is logged in. The wallet confirms it like every transaction. */
export function SendForm(props: SendFormProps) {
  const { theme } = usePasskeyContext();
  const { accountId } = useLoginState();
  if (accountId === null) return null;
  return (
    <Inline theme={theme} css={cardCss + formCss}>
      {/* Nothing typed stays for another account. */}
      <Form key={accountId} accountId={accountId} {...props} />
    </Inline>
  );
}

function Form({
  accountId,
  tokens = [],
  contractId: first,
  onEvent,
  onSent,
  worthOf,
}: SendFormProps & { accountId: string }) {
  const words = useTokenTexts().send;
  const { passkeyManager, resume } = usePasskeyContext();
  const { config } = passkeyManager;
  const balance = useBalance(accountId);
  const [contractId, setContractId] = useState(first);
  const [receiver, setReceiver] = useState('');
  const [amount, setAmount] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isSending, setSending] = useState(false);
  const [ended, setEnded] = useState<SentMoney>();
  const fields = { receiver: useRef<HTMLInputElement>(null), amount: useRef<HTMLInputElement>(null) };
  const id = useId();
  const token = tokens.find((each) => each.contractId === contractId);
  const decimals = token?.decimals ?? NEAR_DECIMALS;
  const spendable = balance.value?.spendable;
  const have = token ? token.balance : spendable;
  const most = token ? writeUnits(BigInt(token.balance), decimals) : spendable && mostOf(spendable);

  function changeAmount(text: string): void {
    setAmount(text);
    setProblems((before) => ({ ...before, amount: undefined, sending: undefined }));
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const to = receiverOf(receiver);
    const judged = amountOf(amount, decimals, have, words);
    const found: Problems = {
      receiver: receiverProblem(to, accountId, token?.contractId, words),
      amount: 'problem' in judged ? judged.problem : undefined,
    };
    setProblems(found);
    setEnded(undefined);
    void loadHeadlines();
    if (found.receiver !== undefined) return fields.receiver.current?.focus();
    if ('problem' in judged) return fields.amount.current?.focus();
    setSending(true);
    try {
      const nowhere = await isNowhere(to);
      setProblems({ receiver: nowhere });
      if (nowhere !== undefined) return fields.receiver.current?.focus();
      await send(to, judged.units);
    } catch (error) {
      setProblems({ sending: thrownFailure(error) });
    } finally {
      setSending(false);
    }
  }

  /** Undefined if the chain has the account, or makes it. */
  async function isNowhere(account: string): Promise<string | undefined> {
    if (isImplicitAccountId(account)) return undefined;
    try {
      const { readBalance } = await import('latchkey/balance');
      if (await readBalance(config, account)) return undefined;
      return filled(words.isNowhere, { account, network: config.networkId });
    } catch (error) {
      return filled(words.unread, { reason: thrownText(error) });
    }
  }

  async function send(receiverId: string, units: string): Promise<void> {
    const { storageDeposit, ...call } = await transferOf(config, token, receiverId, units);
    const result: ActionResult = await passkeyManager.executeAction({
      nearAccountId: accountId,
      ...call,
      options: { waitUntil: 'FINAL', ...(onEvent && { onEvent }) },
    });
    const { transactionId, fate, errorCode } = result;
    // A transfer that was signed has a receipt; a refused one has only a reason.
    if (transactionId !== null && fate !== undefined) {
      const sent = { receiverId, amount: units, token, storageDeposit, result: { ...result, transactionId } };
      setReceiver('');
      setAmount('');
      void balance.reload();
      if (onSent) onSent(sent);
      else setEnded(sent);
    } else if (errorCode === 'CANCELLED') setProblems({ sending: words.cancelled });
    else setProblems({ sending: outcomeFailure(result) });
    if (fate === 'unknown') await resume();
  }

  const symbol = token ? isolated(token.symbol) : 'NEAR';
  const judged = amountOf(amount, decimals, undefined, words);
  return (
    <form className="card form" onSubmit={(event) => void submit(event)} noValidate aria-busy={isSending}>
      {tokens.length > 0 && (
        <div className="control">
          <label htmlFor={`${id}-what`}>{words.what}</label>
          <select
            id={`${id}-what`}
            className="input"
            value={token?.contractId ?? ''}
            onChange={({ target }) => {
              setContractId(target.value || undefined);
              setProblems({});
            }}
          >
            <option value="">
              {filled(words.near, {
                amount: spendable === undefined ? '–' : exactUnits(spendable, NEAR_DECIMALS),
              })}
            </option>
            {tokens.map((each) => (
              <option key={each.contractId} value={each.contractId}>
                {filled(words.token, {
                  symbol: isolated(each.symbol),
                  amount: exactUnits(each.balance, each.decimals),
                  token: each.contractId,
                })}
              </option>
            ))}
          </select>
        </div>
      )}
      {token?.imitates !== undefined && (
        <Warning title={words.careful}>
          <Imitation token={token} />
        </Warning>
      )}
      <div className="control">
        <label htmlFor={`${id}-to`}>{words.receiver}</label>
        <input
          ref={fields.receiver}
          id={`${id}-to`}
          className="input"
          value={receiver}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={80}
          aria-invalid={problems.receiver !== undefined}
          aria-describedby={`${id}-to-hint ${id}-to-problem`}
          onChange={({ target }) => {
            setReceiver(target.value);
            setProblems((before) => ({ ...before, receiver: undefined, sending: undefined }));
          }}
        />
        <p id={`${id}-to-hint`} className="faint small">
          {filled(words.receiverHint, {
            example: config.networkId === 'mainnet' ? 'alice.near' : 'alice.testnet',
          })}
        </p>
        <p id={`${id}-to-problem`} className="field-problem" role="alert">
          {problems.receiver}
        </p>
      </div>
      <div className="control">
        <label htmlFor={`${id}-amount`}>{filled(words.amount, { symbol })}</label>
        <input
          ref={fields.amount}
          id={`${id}-amount`}
          className="input amount-input"
          value={amount}
          inputMode="decimal"
          autoComplete="off"
          maxLength={80}
          aria-invalid={problems.amount !== undefined}
          aria-describedby={`${id}-amount-hint ${id}-amount-problem`}
          onChange={({ target }) => changeAmount(target.value)}
        />
        <p id={`${id}-amount-hint`} className="faint small">
          {have !== undefined && (
            <Filled
              text={token ? words.have : words.spendable}
              amount={<b>{token ? `${exactUnits(have, decimals)} ${symbol}` : exactNear(have)}</b>}
            />
          )}
        </p>
        {'units' in judged && (
          <Worth
            {...(token && { contractId: token.contractId })}
            amount={judged.units}
            decimals={decimals}
            worthOf={worthOf}
          />
        )}
        {most !== undefined && most !== '0' && (
          <button type="button" className="quiet most" onClick={() => changeAmount(most)}>
            {token ? words.all : words.most}
          </button>
        )}
        <p id={`${id}-amount-problem`} className="field-problem" role="alert">
          {problems.amount}
        </p>
      </div>
      <Problem of={problems.sending} />
      {ended && <Ended sent={ended} />}
      <button type="submit" className="button primary" aria-disabled={isSending}>
        {isSending ? words.sending : words.send}
      </button>
    </form>
  );
}

async function transferOf(
  config: PasskeyManager['config'],
  token: Token | undefined,
  receiverId: string,
  amount: string,
): Promise<Pick<ExecuteActionArgs, 'receiverId' | 'actionArgs'> & { storageDeposit?: string | undefined }> {
  if (!token) return { receiverId, actionArgs: { type: 'Transfer', amount } };
  const { tokenTransfer } = await import('latchkey/tokens');
  const { contractId } = token;
  const { call, storageDeposit } = await tokenTransfer(config, { contractId, receiverId, amount });
  return { ...call, storageDeposit };
}

/** A failure, or what the user did, which is none. */
function Problem({ of }: { of: Failure | string | undefined }) {
  if (of === undefined) return null;
  if (typeof of !== 'string') return <FailureNote failure={of} />;
  return (
    <div className="error neutral">
      <p role="alert">{of}</p>
    </div>
  );
}

function Ended({ sent: { result, receiverId, storageDeposit } }: { sent: SentMoney }) {
  const words = useTokenTexts().send;
  const { label, sentence } = fateWords(result.fate ?? 'unknown');
  return (
    <div className="error neutral" role="status">
      <p>
        <strong>{label}</strong> {sentence}{' '}
        {storageDeposit !== undefined && result.success && (
          <Filled
            text={words.storage}
            amount={exactNear(storageDeposit)}
            receiver={<UntrustedText text={receiverId} />}
          />
        )}
      </p>
    </div>
  );
}

/** A contract's own word between isolates: it reorders nothing around it where no element can hold it. */
const isolated = (text: string): string => `\u2068${text}\u2069`;
