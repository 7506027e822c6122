import type { ActionResult } from 'latchkey';
import { filled } from 'latchkey/internal';
import { type FormEvent, useId, useRef, useState } from 'react';
import { usePasskeyContext } from '../../../src/context.js';
import { exactNear } from '../../../src/format/amount.js';
import { loadHeadlines } from '../../../src/texts/current.js';
import { type Failure, outcomeFailure, thrownFailure, thrownText } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { usePasskeyToasts } from '../../../src/toasts/use-passkey-toasts.js';
import { useBalance } from '../../../src/use-balance.js';
import { Problem, Screen } from '../parts.js';
import { type Sent, SentReceipt } from '../sent-receipt.js';
import { useHomeTexts } from '../texts/index.js';
import { useToaster } from '../toaster.js';
import { amountOf, isMadeByTransfer, mostOf, receiverOf, receiverProblem } from '../transfer.js';

interface Problems {
  readonly receiver?: string | undefined;
  readonly amount?: string | undefined;
  /** Of the whole. */
  readonly sending?: Failure | string | undefined;
}

/** Sends NEAR: the confirmation and the passkey come as for every app. */
export function Send({ accountId }: { accountId: string }) {
  const words = useHomeTexts();
  const { passkeyManager, resume } = usePasskeyContext();
  const { config } = passkeyManager;
  const balance = useBalance(accountId);
  const toaster = useToaster();
  const toasts = usePasskeyToasts(toaster);
  const [receiver, setReceiver] = useState('');
  const [amount, setAmount] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState<Sent>();
  const fields = { receiver: useRef<HTMLInputElement>(null), amount: useRef<HTMLInputElement>(null) };
  const id = useId();
  const spendable = balance.value?.spendable;
  const most = spendable === undefined ? undefined : mostOf(spendable);

  function changeAmount(text: string): void {
    setAmount(text);
    setProblems((before) => ({ ...before, amount: undefined, sending: undefined }));
  }

  /** Undefined if the chain has the account, or makes it. */
  async function isNowhere(account: string): Promise<string | undefined> {
    if (isMadeByTransfer(account)) return undefined;
    try {
      const { readBalance } = await import('latchkey/balance');
      if (await readBalance(config, account)) return undefined;
      return filled(words.send.isNowhere, { account, network: config.networkId });
    } catch (error) {
      return filled(words.send.unread, { reason: thrownText(error) });
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    const to = receiverOf(receiver);
    const judged = amountOf(amount, spendable, words);
    const found: Problems = {
      receiver: receiverProblem(to, accountId, words),
      amount: 'problem' in judged ? judged.problem : undefined,
    };
    setProblems(found);
    void loadHeadlines();
    if (found.receiver !== undefined) return fields.receiver.current?.focus();
    if ('problem' in judged) return fields.amount.current?.focus();
    setSending(true);
    try {
      const nowhere = await isNowhere(to);
      setProblems({ receiver: nowhere });
      if (nowhere !== undefined) return fields.receiver.current?.focus();
      await send(to, judged.yocto);
    } catch (error) {
      setProblems({ sending: thrownFailure(error) });
    } finally {
      setSending(false);
    }
  }

  async function send(receiverId: string, yocto: string): Promise<void> {
    const result: ActionResult = await passkeyManager.executeAction({
      nearAccountId: accountId,
      receiverId,
      actionArgs: { type: 'Transfer', amount: yocto },
      options: { waitUntil: 'FINAL', onEvent: (flowEvent) => toasts.onEvent(flowEvent, { id: 'send' }) },
    });
    // The page itself says what became of it.
    toaster.dismiss('send');
    // A transfer that was signed has a receipt; a refused one has only a reason.
    if (result.transactionId !== null && result.fate !== undefined) setSent({ receiverId, yocto, result });
    else if (result.errorCode === 'CANCELLED') setProblems({ sending: words.send.cancelled });
    else setProblems({ sending: outcomeFailure(result) });
    if (result.fate === 'unknown') await resume();
  }

  function startAgain(): void {
    setSent(undefined);
    setReceiver('');
    setAmount('');
    void balance.reload();
  }

  if (sent) {
    return (
      <Screen title={words.send.title}>
        <SentReceipt accountId={accountId} sent={sent} onAgain={startAgain} />
      </Screen>
    );
  }
  return (
    <Screen title={words.send.title} lead={words.send.lead}>
      <form className="card form" onSubmit={(event) => void submit(event)} noValidate aria-busy={isSending}>
        <div className="control">
          <label htmlFor={`${id}-to`}>{words.send.receiver}</label>
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
            {filled(words.send.receiverHint, {
              example: config.networkId === 'mainnet' ? 'alice.near' : 'alice.testnet',
            })}
          </p>
          <p id={`${id}-to-problem`} className="field-problem" role="alert">
            {problems.receiver}
          </p>
        </div>
        <div className="control">
          <label htmlFor={`${id}-amount`}>{words.send.amount}</label>
          <input
            ref={fields.amount}
            id={`${id}-amount`}
            className="input amount-input"
            value={amount}
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            aria-invalid={problems.amount !== undefined}
            aria-describedby={`${id}-amount-hint ${id}-amount-problem`}
            onChange={({ target }) => changeAmount(target.value)}
          />
          <p id={`${id}-amount-hint`} className="faint small">
            {spendable !== undefined && (
              <Filled text={words.send.spendable} amount={<b>{exactNear(spendable)}</b>} />
            )}
          </p>
          {most !== undefined && (
            <button type="button" className="quiet most" onClick={() => changeAmount(most)}>
              {words.send.most}
            </button>
          )}
          <p id={`${id}-amount-problem`} className="field-problem" role="alert">
            {problems.amount}
          </p>
        </div>
        <Problem of={problems.sending} />
        <button type="submit" className="button primary" aria-disabled={isSending}>
          {isSending ? words.send.sending : words.send.send}
        </button>
      </form>
    </Screen>
  );
}
