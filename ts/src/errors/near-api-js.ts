/** The texts of the adapters to other clients: near-api-js, near-kit and near-connect. */
import { copiedBytes } from '../bytes.js';
import { hasLeft } from '../failed-results.js';
import { kindOf } from '../json.js';
import type { ActionResult, TransactionFate } from '../types.js';
import { addTexts, filled, LatchkeyError, type LatchkeyErrorCode } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  BYTES_NOT_SIGNED:
    'The wallet signs no bytes that it cannot show. Sign a transaction or a message (NEP-413) instead.',
  ACTION_NOT_CARRIED: 'The wallet does not sign this: {reason}. Nothing was signed.',
  OTHER_ACCOUNT: 'This is for {asked}, and the wallet signs for {account}. Nothing was signed.',
  OTHER_KEY: 'This names the key {asked}, and the wallet signs with {publicKey}. Nothing was signed.',
  OTHER_NETWORK:
    'The provider is on the network {asked}, and the wallet is on {networkId}. Nothing was signed.',
  OTHER_TRANSACTION: 'The wallet signed something else than was asked. It was thrown away, and not sent.',
  SIGNED_BEFORE:
    'These actions were signed before, as {transactionId}, and the chain does not know that transaction. ' +
    'The user was not asked again. Make new actions to ask once more; LatchkeyAccount signs an overtaken nonce again by itself.',
  NETWORK_NOT_SERVED:
    'This is for the network {asked}, and the wallet is on {networkId}. Nothing was signed.',
  NOTHING_CONNECTED: 'No account of the wallet is connected. Sign in first.',
} as const;

export type NearApiJsTexts = typeof TEXTS;

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

addTexts(TEXTS);

/** The refusal of what the wallet cannot show. */
export function notCarried(reason: string): LatchkeyError {
  return new LatchkeyError('ACTION_NOT_CARRIED', { values: { reason } });
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
  const { code, message: error } = asError(first);
  const fates = results.map(({ fate = 'not-sent', transactionId }) =>
    filled(BATCH_TEXTS[fate], { id: transactionId ?? '' }).trim(),
  );
  const isTold = results.length > 1 && hasLeft(results);
  const message = isTold
    ? filled(BATCH_TEXTS.each, { error, count: results.length, fates: fates.join(', ') })
    : error;
  return new LatchkeyError(code, { message, details: { ...first, results } });
}

/** The error of a call that did not succeed. */
export function asError({
  error,
  errorCode = 'UNKNOWN',
}: {
  readonly error?: string;
  readonly errorCode?: LatchkeyErrorCode;
} = {}): LatchkeyError {
  return new LatchkeyError(errorCode, error === undefined ? {} : { message: error });
}
