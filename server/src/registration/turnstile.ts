/**
 * Cloudflare Turnstile as `verifySignup`: the app passes the widget's token as `signupVoucher`, and the relay has it
 * checked (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/).
 */

import { readBounded } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { Secret } from '../platform/secret.js';
import { shortHash } from './hash.js';
import type { Signup, VerifySignup } from './signup.js';

export interface TurnstileOptions {
  /** The widget's secret key. */
  readonly secret: Secret;
  /** The hosts whose pages may show the widget. */
  readonly hostnames: readonly string[];
  /** The widget's action. Null: any. */
  readonly action: string | null;
  /** Default: Cloudflare's. */
  readonly url?: string | undefined;
}

export const TURNSTILE_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const MAX_TOKEN_LENGTH = 2048;
/** A token expires 5 minutes after it was made. */
const TOKEN_LIFE_MS = 300_000;
const MAX_ANSWER_BYTES = 16_384;
/** Errors that say nothing about the token. */
const NO_VERDICT: ReadonlySet<string> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'bad-request',
  'internal-error',
]);

const AnswerSchema = v.object({
  success: v.boolean(),
  hostname: v.optional(v.string()),
  action: v.optional(v.string()),
  'error-codes': v.optional(v.array(v.string())),
});

/** Accepts a token that Cloudflare made for one of the hosts and the action, and that was not used before. */
export function verifyTurnstile({
  secret,
  hostnames,
  action,
  url = TURNSTILE_URL,
}: TurnstileOptions): VerifySignup {
  return async (signup, signal) => {
    const { voucher, address } = signup;
    if (!voucher || voucher.reveal().length > MAX_TOKEN_LENGTH) {
      return {
        ok: false,
        reason: 'This relay registers only after the check that the app shows. Do it again.',
      };
    }
    const idempotencyKey = await idempotencyKeyOf(signup);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        secret: secret.reveal(),
        response: voucher.reveal(),
        ...(address !== undefined && { remoteip: address }),
        idempotency_key: idempotencyKey,
      }),
      redirect: 'manual',
      signal,
    });
    const answer = v.parse(AnswerSchema, JSON.parse((await readBounded(response, MAX_ANSWER_BYTES)) ?? ''));
    const errors = answer['error-codes'] ?? [];
    if (errors.some((code) => NO_VERDICT.has(code)))
      throw new Error(`Turnstile answered ${errors.join(', ')}`);
    const isOurs = hostnames.includes(answer.hostname ?? '') && (action === null || answer.action === action);
    if (!answer.success || !isOurs) {
      return {
        ok: false,
        reason: 'The check that the app shows was not passed, or is too old. Do it again.',
      };
    }
    return { ok: true, once: { id: voucher.reveal(), expiresAtMs: Date.now() + TOKEN_LIFE_MS } };
  };
}

/**
 * A UUID (RFC 9562, version 8) of token, account and key: Cloudflare accepts a token again only with the same one, so
 * that the same registration may be asked for again and no other.
 */
async function idempotencyKeyOf({ voucher, accountId, publicKey }: Signup): Promise<string> {
  const hex = await shortHash(`${voucher?.reveal()}|${accountId}|${publicKey}`);
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/.exec(hex) ?? [];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}
