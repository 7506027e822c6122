/** The soak's chain requests beyond the relay's own client: faults, receipts, prices. */
import { setTimeout as sleep } from 'node:timers/promises';

const LOOKS = 20;
const LOOK_MS = 50;

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

/** How often the chain injected each fault. */
export interface FaultHits {
  requests: number;
  delayed: number;
  errors: number;
  tooManyRequests: number;
  refused: number;
  lostAnswers: number;
}

/** The parts of a transaction and its receipts that the audit reads. */
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

/** A chain's faults. Applies changes one by one and adds up the counts of each setting. */
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

/**
 * A final transaction with its receipts; null if no block includes it. A look-up at FINAL waits for a transaction that
 * never comes, so NONE is asked first.
 */
export async function readTransaction(
  chainUrl: string,
  hash: string,
  signerId: string,
): Promise<TransactionWithReceipts | null> {
  const look = (level: 'NONE' | 'FINAL') =>
    callChain(chainUrl, 'EXPERIMENTAL_tx_status', {
      tx_hash: hash,
      sender_account_id: signerId,
      wait_until: level,
    });
  const first = await look('NONE');
  // With --simple, the chain tells which transaction it refused before it reached a block: it cost nothing.
  if (['UNKNOWN_TRANSACTION', 'INVALID_TRANSACTION'].includes(first.error?.cause?.name ?? '')) return null;
  const { error, result } = first.error ? first : await look('FINAL');
  if (error) throw new Error(`the chain answered for ${hash}: ${JSON.stringify(error)}`);
  return result as TransactionWithReceipts;
}

/** Waits until what is in blocks now is final on every node behind the address: so many looks in a row find it so. */
export async function untilFinal(chainUrl: string): Promise<void> {
  const heightAt = async (finality: 'optimistic' | 'final') => {
    const { result } = await callChain(chainUrl, 'block', { finality });
    return (result as { header: { height: number } }).header.height;
  };
  const head = Math.max(...(await Promise.all(Array.from({ length: LOOKS }, () => heightAt('optimistic')))));
  for (let above = 0; above < LOOKS; above = (await heightAt('final')) >= head ? above + 1 : 0)
    await sleep(LOOK_MS);
}

/** The balance that a byte of storage locks, in yoctoNEAR. */
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
