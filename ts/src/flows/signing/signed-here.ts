/**
 * What pages got to send by themselves, as it was signed. A page that hands it back for sending may describe it as it likes,
 * and any other transaction too.
 */
import { readSignedTransaction } from '../../near/transaction-id.js';
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

/** The transaction of these bytes as it was signed here; undefined for any other. */
export async function signedHere(
  { store }: OfWallet,
  { borshBytes }: Pick<SignedTransaction, 'borshBytes'>,
): Promise<SignedTransaction | undefined> {
  const known = kept.get(store);
  if (!known) return undefined;
  try {
    return known.get((await readSignedTransaction(borshBytes)).transactionId);
  } catch (error) {
    // The sending reports what is no transaction.
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
