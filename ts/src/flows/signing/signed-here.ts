/**
 * What pages got to send by themselves, as it was signed. A page that hands it back for sending may describe it as it likes,
 * and any other transaction too.
 */
import type { SignedTransaction } from '../../types.js';
import type { FlowContext } from '../context.js';

/** As many as one approval signs. */
const MOST_KEPT = 100;

type OfWallet = Pick<FlowContext, 'store'>;

const kept = new WeakMap<FlowContext['store'], Map<string, SignedTransaction>>();

/** Keeps the latest ones until the page ends. */
export function keepSigned({ store }: OfWallet, signed: readonly SignedTransaction[]): void {
  const all = new Map([...(kept.get(store) ?? []), ...signed.map((copy) => [copy.hash, copy] as const)]);
  kept.set(store, new Map([...all].slice(-MOST_KEPT)));
}

/** The transaction of this id as it was signed here; undefined for any other. */
export function signedHere({ store }: OfWallet, transactionId: string): SignedTransaction | undefined {
  return kept.get(store)?.get(transactionId);
}
