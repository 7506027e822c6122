/** The chain's answer to a transaction, in its own field names. Fields that a node adds stay in the wallet. */
import * as v from 'valibot';
import {
  accountId,
  amount,
  HUGE,
  json,
  list,
  name,
  optional,
  type Schema,
  text,
  wholeNumber,
} from './schemas.js';
import { waitUntil } from './transactions.js';

/** The length at which the chain cuts a receipt's logs. */
const MAX_LOG = 16_384;

const status = v.union([
  name,
  v.object({ SuccessValue: text(2 * HUGE) }),
  v.object({ SuccessReceiptId: name }),
  v.object({ Failure: json }),
]);

const outcomeWithId = v.object({
  id: name,
  block_hash: optional(name),
  outcome: v.object({
    executor_id: accountId,
    gas_burnt: wholeNumber,
    tokens_burnt: amount,
    logs: list(text(MAX_LOG)),
    receipt_ids: list(name),
    status,
  }),
});

const outcome = v.object({
  final_execution_status: waitUntil,
  status: optional(status),
  transaction: optional(
    v.object({
      hash: name,
      signer_id: accountId,
      receiver_id: accountId,
      nonce: optional(wholeNumber),
      public_key: optional(name),
      signature: optional(name),
    }),
  ),
  transaction_outcome: optional(outcomeWithId),
  receipts_outcome: optional(list(outcomeWithId)),
  transactionId: optional(name),
});

/** Reads an answer of another shape as null, so that the wallet's own verdict on the transaction still gets through. */
export const chainOutcome: Schema<unknown> = v.fallback(outcome, null as never);
