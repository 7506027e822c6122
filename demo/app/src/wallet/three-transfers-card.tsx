import type { TransactionInput } from 'latchkey';
import { usePasskeyContext } from 'latchkey-react';
import { type FormEvent, useId, useState } from 'react';
import { amountOf } from './combined.js';
import { NearField } from './near-field.js';
import { SentList } from './sent-list.js';
import { useSending } from './use-sending.js';

const COUNT = 3;
const STAGGER_MS = 500;

/** Signs three equal transfers with one touch, and sends one every half second without waiting for the others. */
export function ThreeTransfersCard({ accountId }: { accountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const { contractId } = passkeyManager.config;
  const [near, setNear] = useState('0.001');
  const { send, isSending, sent, problem, refuse } = useSending(
    accountId,
    { id: 'three-transfers', isTransfer: true },
    { mode: 'parallelStaggered', staggerMs: STAGGER_MS },
  );
  const id = useId();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    const amount = amountOf(near);
    if (amount === undefined) return refuse('Invalid transfer amount');
    const transfer: TransactionInput = { receiverId: contractId, actions: [{ type: 'Transfer', amount }] };
    const thing = { what: `${near.trim()} NEAR`, recipient: contractId };
    void send(Array(COUNT).fill(transfer), Array(COUNT).fill(thing));
  }

  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <div>
          <h2 id={`${id}-title`}>Batch of three</h2>
          <p className="muted">
            Three transfers to {contractId}, signed together. One leaves every half second.
          </p>
        </div>
      </div>
      <form onSubmit={submit} className="stack">
        <NearField label="NEAR for each transfer" value={near} onChange={setNear} />
        <div className="card-end">
          <button type="submit" className="button primary" aria-disabled={isSending}>
            {isSending ? 'Sending…' : 'Sign three transfers'}
          </button>
        </div>
      </form>
      <SentList problem={problem} sent={sent} />
    </section>
  );
}
