import { usePasskeyContext } from 'latchkey-react';
import { type FormEvent, useId, useState } from 'react';
import { texts } from '../texts/texts.js';
import { type CombinedFields, combinedOf } from './combined.js';
import { excessBytes, stampedGreeting } from './greeting-text.js';
import { NearField } from './near-field.js';
import { SentList } from './sent-list.js';
import { useSending } from './use-sending.js';

/** Signs actions of several kinds with one confirmation: a greeting, a transfer, a stake. */
export function CombinedCard({
  accountId,
  onGreeting,
}: {
  accountId: string;
  /** Something that may have set a greeting was sent. */
  onGreeting: () => Promise<void>;
}) {
  const { passkeyManager, loginState } = usePasskeyContext();
  const { contractId } = passkeyManager.config;
  const [fields, setFields] = useState<CombinedFields>({
    greeting: '',
    transfer: '0.001',
    stake: '0.1',
    validatorKey: loginState.publicKey ?? '',
  });
  // Each transaction waits until the one before it is executed.
  const { send, isSending, sent, problem, refuse } = useSending(
    accountId,
    { id: 'combined' },
    {
      mode: 'sequential',
    },
  );
  const id = useId();
  const change = (typed: Partial<CombinedFields>) => setFields((all) => ({ ...all, ...typed }));
  const excess = excessBytes(stampedGreeting(fields.greeting, new Date()));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending || excess > 0) return;
    const { transactions, things } = combinedOf(fields, { accountId, contractId, setAt: new Date() });
    if (transactions.length === 0) return refuse('No valid actions to execute');
    await send(transactions, things);
    if (fields.greeting.trim() !== '') await onGreeting();
  }

  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <div>
          <h2 id={`${id}-title`}>Combined transaction</h2>
          <p className="muted">
            One touch signs every action that you fill in. Greeting and transfer go to {contractId}, and the
            stake is your own. 0 leaves an amount out.
          </p>
        </div>
      </div>
      <form onSubmit={(event) => void submit(event)} className="stack">
        <div>
          <label htmlFor={`${id}-greeting`}>Greeting to set</label>
          <input
            id={`${id}-greeting`}
            className="input"
            value={fields.greeting}
            maxLength={280}
            autoComplete="off"
            aria-describedby={`${id}-excess`}
            aria-invalid={excess > 0}
            onChange={(event) => change({ greeting: event.target.value })}
          />
          <p id={`${id}-excess`} className="problem" role="status">
            {excess > 0 && texts.greeting.tooLong(excess)}
          </p>
        </div>
        <div className="pair">
          <NearField
            label="Transfer in NEAR"
            value={fields.transfer}
            onChange={(transfer) => change({ transfer })}
          />
          <NearField label="Stake in NEAR" value={fields.stake} onChange={(stake) => change({ stake })} />
        </div>
        <div>
          <label htmlFor={`${id}-key`}>Validator key of the stake</label>
          <input
            id={`${id}-key`}
            className="input mono"
            value={fields.validatorKey}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby={`${id}-minimum`}
            onChange={(event) => change({ validatorKey: event.target.value })}
          />
          <p id={`${id}-minimum`} className="hint">
            The chain refuses a stake that is below its minimum or above the balance: then only the stake
            fails.
          </p>
        </div>
        <div className="card-end">
          <button type="submit" className="button primary" aria-disabled={isSending || excess > 0}>
            {isSending ? 'Sending…' : 'Sign combined transaction'}
          </button>
        </div>
      </form>
      <SentList problem={problem} sent={sent} />
    </section>
  );
}
