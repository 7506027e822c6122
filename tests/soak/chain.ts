/** What the soak asks of the chain besides the relay's own client: faults, receipts, prices. */

/** Settings of `PUT /admin/faults`. */
export interface FaultSettings {
  latencyMs?: number;
  errorRate?: number;
  tooManyRequestsRate?: number;
  refuseRate?: number;
  loseAnswerRate?: number;
  methods?: string[];
  seed?: number;
}

/** How often the chain made each fault. */
export interface FaultHits {
  requests: number;
  delayed: number;
  errors: number;
  tooManyRequests: number;
  refused: number;
  lostAnswers: number;
}

/** A transaction with every receipt it caused, as far as accounting reads it. */
export interface TransactionWithReceipts {
  transaction: { signer_id: string; receiver_id: string; actions: unknown[] };
  transaction_outcome: { outcome: { tokens_burnt: string } };
  receipts_outcome: { outcome: { tokens_burnt: string } }[];
  receipts: {
    predecessor_id: string;
    receiver_id: string;
    receipt: { Action?: { signer_id: string; actions: unknown[] } };
  }[];
}

/** The faults of a chain. One change follows another, and keeps count of what the one before did. */
export class Faults {
  readonly #url: string;
  #last = Promise.resolve();
  readonly hits: FaultHits = {
    requests: 0,
    delayed: 0,
    errors: 0,
    tooManyRequests: 0,
    refused: 0,
    lostAnswers: 0,
  };

  constructor(chainUrl: string) {
    this.#url = new URL('/admin/faults', chainUrl).href;
  }

  set(settings: FaultSettings): Promise<void> {
    return this.#change({ method: 'PUT', body: JSON.stringify(settings) });
  }

  clear(): Promise<void> {
    return this.#change({ method: 'DELETE' });
  }

  #change(init: RequestInit): Promise<void> {
    this.#last = this.#last.then(async () => {
      const { hits } = (await this.#ask({})) as { hits: FaultHits };
      for (const name of Object.keys(this.hits) as (keyof FaultHits)[]) this.hits[name] += hits[name];
      await this.#ask(init);
    });
    return this.#last;
  }

  async #ask(init: RequestInit): Promise<unknown> {
    const response = await fetch(this.#url, init);
    if (!response.ok) throw new Error(`/admin/faults answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}

/** A final transaction with its receipts; null when the chain has never seen it. */
export async function readTransaction(
  chainUrl: string,
  hash: string,
  signerId: string,
): Promise<TransactionWithReceipts | null> {
  const params = { tx_hash: hash, sender_account_id: signerId, wait_until: 'FINAL' };
  const answer = await callChain(chainUrl, 'EXPERIMENTAL_tx_status', params);
  if (answer.error?.cause?.name === 'UNKNOWN_TRANSACTION') return null;
  // Refused at the door: it never was in a block, and cost nothing.
  if (answer.error?.cause?.name === 'INVALID_TRANSACTION') return null;
  if (answer.error) throw new Error(`the chain says of ${hash}: ${JSON.stringify(answer.error)}`);
  return answer.result as TransactionWithReceipts;
}

/** What an account's byte of storage holds fast, in yoctoNEAR. */
export async function readStoragePrice(chainUrl: string): Promise<bigint> {
  const { result } = await callChain(chainUrl, 'EXPERIMENTAL_protocol_config', { finality: 'final' });
  const { runtime_config } = result as { runtime_config: { storage_amount_per_byte: string } };
  return BigInt(runtime_config.storage_amount_per_byte);
}

interface Answer {
  result?: unknown;
  error?: { cause?: { name?: string } };
}

async function callChain(chainUrl: string, method: string, params: object): Promise<Answer> {
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'soak', method, params }),
  });
  return (await response.json()) as Answer;
}
