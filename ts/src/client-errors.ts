/** The errors of the adapters to other clients: near-api-js, near-kit and near-connect. */
import { copiedBytes } from './bytes.js';
import { ACTION_NOT_CARRIED, errorFrom, errorOf, filled, LatchkeyError } from './errors/account.js';
import { hasLeft } from './failed-results.js';
import { kindOf } from './json.js';
import type { ActionResult, TransactionFate } from './types.js';

/** What an error of a batch says of each transaction, in their order. */
const BATCH_TEXTS: { readonly [F in TransactionFate | 'each']: string } = {
  each: '{error} (The {count} transactions in their order: {fates}.)',
  executed: 'executed {id}',
  sent: 'sent {id}',
  failed: 'executed and failed {id}',
  refused: 'refused {id}',
  unknown: 'outcome unknown {id}',
  'not-sent': 'not sent',
};

/** The refusal of what the wallet cannot show. */
export function notCarried(reason: string): LatchkeyError {
  return new LatchkeyError(ACTION_NOT_CARRIED, { values: { reason } });
}

/** Throws ACTION_NOT_CARRIED where a new key is to start at another nonce than 0, as a number, a bigint or a text. */
export function assertFirstNonce(nonce: unknown): void {
  if (String(nonce ?? 0) !== '0') throw notCarried('an AddKey whose key starts at another nonce than 0');
}

/** The bytes of a field, also of a list of numbers. Throws ACTION_NOT_CARRIED, which names the field. */
export function carriedBytes(field: string, value: unknown): Uint8Array<ArrayBuffer> {
  const bytes = copiedBytes(value);
  if (!bytes) throw notCarried(`${field} as ${kindOf(value)}, which is not bytes`);
  return bytes;
}

/**
 * The error of a batch of which `failed` is the first transaction that did not succeed. `details` are the fields of its
 * result, with the results of all in `details.results`; once any of several has left, the text has the fate and id of each.
 */
export function batchError(results: readonly ActionResult[], failed?: ActionResult): LatchkeyError {
  const first = failed ?? results.find(({ success }) => !success);
  const { code, message: error, values } = errorOf(first);
  const fates = results.map(({ fate = 'not-sent', transactionId }) =>
    filled(BATCH_TEXTS[fate], { id: transactionId ?? '' }).trim(),
  );
  const isTold = results.length > 1 && hasLeft(results);
  const details = { ...first, results };
  if (!isTold) return errorFrom({ code, message: error, values, details });
  const message = filled(BATCH_TEXTS.each, { error, count: results.length, fates: fates.join(', ') });
  return errorFrom({ code, message, details });
}
