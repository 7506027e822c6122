/** What the registry is asked about a registration, and what it answers. */

import type { RegistryCapabilities } from 'latchkey/internal/server';
import { returnedBytes, type TransactionOutcome } from 'latchkey/internal/server';
import * as v from 'valibot';
import { Refusal } from '../http/refusal.js';
import type { RegistrationRequest } from '../http/wire.js';

export const CheckSchema = v.object({ verified: v.boolean(), user_exists: v.boolean() });
export const VerdictSchema = v.object({ verified: v.boolean() });

/** The same for each request for this account with this key. */
export function identityOf({ new_account_id, new_public_key }: RegistrationRequest): string {
  return `${new_account_id}|${new_public_key}`;
}

/** The request as the registry reads it. */
export function forRegistry({ originPolicy }: RegistryCapabilities, request: RegistrationRequest) {
  const { origin_policy, ...others } = request.authenticator_options ?? {};
  if (!origin_policy) return request;
  return { ...request, authenticator_options: { ...others, origin_policy: originPolicy(origin_policy) } };
}

/** Whether the deposit returned: from the registry, which refused, or from the chain, after its call failed. */
export function sentBack(
  outcome: TransactionOutcome,
  contractId: string,
  { refundsRefused }: RegistryCapabilities,
): boolean {
  const verdict = readJson(VerdictSchema, returnedBytes(outcome));
  if (verdict) return refundsRefused && !verdict.verified;
  const first = outcome.receipts_outcome?.[0]?.outcome;
  return first?.executor_id === contractId && typeof first.status === 'object' && 'Failure' in first.status;
}

/** The reason for a refusal in the registry's logs: `refused: <reason>`. */
export function reasonIn(logs: readonly string[]): string | undefined {
  return logs.map((line) => /^refused: (.{1,300})/.exec(line)?.[1]).find((text) => text !== undefined);
}

/** The registry's refusal, or that of the relay in its words. */
export function notVerified(reason: string | undefined, transactionHash?: string): Refusal {
  const message = `The registry did not accept this passkey${reason ? `: ${reason}` : ''}. Start the registration again.`;
  return new Refusal('not_verified', message, transactionHash ? { transactionHash } : {});
}

export function logsOf(outcome: TransactionOutcome): string[] {
  return outcome.receipts_outcome?.flatMap((receipt) => receipt.outcome.logs) ?? [];
}

export function readJson<S extends v.GenericSchema>(
  schema: S,
  bytes: Uint8Array | null,
): v.InferOutput<S> | null {
  try {
    return v.parse(schema, JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())));
  } catch {
    return null;
  }
}
