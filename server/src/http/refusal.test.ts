/** Every refusal as a client sees it: its status (interop.md section 7), its Retry-After, and its advice. */
import { describe, expect, it } from 'vitest';
import { rpcError } from '../../../ts/src/near/rpc-error.js';
import { ourViews } from '../../../ts/src/registry/testing/our-registry.js';
import { createLog } from '../observe/log.js';
import { createPrometheusMetrics } from '../observe/prometheus.js';
import { Secret } from '../platform/secret.js';
import type { RegistrarOptions } from '../registration/registrar.js';
import { createSignupGate, type VerifySignup } from '../registration/signup.js';
import { createSingleUses } from '../registration/single-use.js';
import { createLocalMeters } from '../relayer/meters.js';
import { createMemoryRecord } from '../relayer/record.js';
import { createShares } from '../relayer/shares.js';
import { createMemorySpendMeter } from '../relayer/spend.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { registrationRequest } from '../testing/requests.js';
import { APP, type ScriptedRelay, scriptedRelay } from '../testing/scripted-relay.js';
import type { RelayServices } from './app.js';
import { createLimits } from './limits.js';
import { Refusal, type RefusalCode } from './refusal.js';

const HASH = '11111111111111111111111111111111';
const AT_BLOCK = { block_height: 7, block_hash: HASH };
const ACCOUNT = { amount: '1', locked: '0', code_hash: HASH, storage_usage: 1, ...AT_BLOCK };

/** Registers at a relay whose chain accepts everything except for the given changes. */
function register(chain: object = {}, options: Partial<RegistrarOptions> = {}) {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const rpc = {
    viewAccount: async () => null,
    viewAccessKeyList: async () => ({
      keys: [{ public_key: 'ed25519:other', access_key: { nonce: 0, permission: 'FullAccess' } }],
      ...AT_BLOCK,
    }),
    callFunction: async () => ({ bytes: json({ verified: true, user_exists: false }), logs: [] }),
    callFunctionJson: ourViews,
    sendTransaction: async () => ({
      transactionId: 'tx1',
      final_execution_status: 'FINAL',
      status: { SuccessValue: btoa('{"verified":true}') },
    }),
    ...chain,
  } as unknown as RegistrarOptions['rpc'];
  const relayer: RegistrarOptions['relayer'] = {
    accountId: 'relayer.testnet',
    sign: async () => ({ borshBytes: new Uint8Array(), hash: 'tx1', publicKey: 'ed25519:K' }),
    learn: async () => false,
  };
  return post('/create_account_and_register_user', registrationRequest(), {
    registrar: { rpc, relayer, ...options },
  });
}

const sendFails = (kind: Parameters<typeof rpcError>[0]['kind'], reason?: string) =>
  register({
    sendTransaction: () => Promise.reject(rpcError({ kind, ...(reason && { reason }) }, { reason: 'so' })),
  });

const SILENT = createLog(() => undefined);

const admit = (verify: VerifySignup) =>
  register(
    {},
    { signup: createSignupGate({ verify, uses: createSingleUses(createMemoryRecord()), log: SILENT }) },
  );

const post = (path: string, body: unknown, relay: ScriptedRelay = {}, headers = {}) =>
  scriptedRelay(relay).post(path, body, { origin: APP, ...headers });

const get = (path: string, services: Partial<RelayServices> = {}) =>
  scriptedRelay({ services }).app.request(path, { headers: { origin: APP } });

/** The delegator has its own tests; this covers the relay's answer. */
const delegate = (code: RefusalCode) => {
  const relay = () => Promise.reject(new Refusal(code, 'Sign a new delegate.'));
  const delegator = { relay } as unknown as RelayServices['delegator'];
  return post('/signed-delegate', { hash: HASH, signedDelegate: HASH }, { services: { delegator } });
};

const locked = (body: unknown) => post('/vrf/remove-server-lock', body);
const LOCK = '/vrf/apply-server-lock';
const KEK = encodeNumber(4n);

const TABLE: Readonly<Record<RefusalCode, readonly [number, () => Response | Promise<Response>]>> = {
  invalid_request: [400, () => post(LOCK, '{')],
  not_verified: [
    400,
    () =>
      register({
        callFunction: async () => ({ bytes: utf8('{"verified":false,"user_exists":false}'), logs: [] }),
      }),
  ],
  unknown_key_id: [400, () => locked({ kek_cs_b64u: KEK, keyId: 'x' })],
  delegate_expired: [400, () => delegate('delegate_expired')],
  unauthorized: [
    401,
    () => {
      const page = createPrometheusMetrics({ spendCapYocto: null });
      const readStatus = () => Promise.reject(new Error('not asked'));
      return get('/metrics', { operator: { page, readStatus, token: new Secret('a token') } });
    },
  ],
  not_allowed: [403, () => delegate('not_allowed')],
  signup_refused: [403, () => admit(() => ({ ok: false, reason: 'Ask the app for a voucher.' }))],
  delegates_disabled: [404, () => post('/signed-delegate', {})],
  app_keys_disabled: [404, () => post('/fund-app-key', {})],
  not_found: [404, () => get('/nothing')],
  account_exists: [409, () => register({ viewAccount: async () => ACCOUNT })],
  nonce_used: [409, () => delegate('nonce_used')],
  body_too_large: [413, () => post(LOCK, 'A'.repeat(70_000))],
  unsupported_media_type: [415, () => post(LOCK, '{}', {}, { 'content-type': 'text/plain' })],
  too_many_requests: [
    429,
    async () => {
      const rate = { perAddress: 1, total: 1 };
      const rates = { registrations: rate, lock: rate, delegate: rate, app_key: rate, origins: rate };
      const limits = createLimits({ rates, clientAddress: () => 'a' });
      await post(LOCK, {}, { services: { limits } });
      return post(LOCK, {}, { services: { limits } });
    },
  ],
  spend_cap: [429, () => register({}, { spend: createMemorySpendMeter({ capYocto: 1n, log: SILENT }) })],
  address_cap: [
    429,
    async () => {
      const meterFor = createLocalMeters(createMemoryRecord());
      const shares = createShares({ addressYocto: 1n, networkYocto: 1n, meterFor, log: SILENT });
      await shares('unknown').reserve(1n);
      return register({}, { shares });
    },
  ],
  internal: [
    500,
    () => get('/.well-known/webauthn', { manifest: { origins: () => Promise.reject(new Error('a bug')) } }),
  ],
  chain_rejected: [502, () => sendFails('invalid_transaction', 'InvalidSigner')],
  delegate_failed: [502, () => delegate('delegate_failed')],
  key_mismatch: [502, () => register()],
  outcome_unknown: [502, () => sendFails('outcome_unknown')],
  chain_unreachable: [503, () => get('/.well-known/webauthn')],
  relayer_unfunded: [503, () => sendFails('invalid_transaction', 'NotEnoughBalance')],
  shamir_disabled: [503, () => get('/shamir/key-info', { lock: null })],
  signup_unavailable: [503, () => admit(() => Promise.reject(new Error('the shop is closed')))],
  not_ready: [
    503,
    () => {
      const check = () =>
        Promise.reject(new Refusal('not_ready', 'The chain cannot be read. Try again later.'));
      return get('/readyz', { readiness: { check } });
    },
  ],
};

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('a refusal', { timeout: 30_000 }, () => {
  it.each(Object.entries(TABLE))('%s has its status and gives advice', async (code, [status, ask]) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const body = (await answer.json()) as Record<string, unknown>;
    expect(body).toMatchObject({
      success: false,
      error: code,
      requestId: answer.headers.get('x-request-id'),
    });
    expect(body.message).toMatch(/^\S.*\.$/);
    expect(body.message).toMatch(
      /\b(try|send|ask|choose|log in|start|sign|do not|operator|documentation)\b/i,
    );
    if (status === 429 || status === 503) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/retry-after/i);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it("uses its own Retry-After instead of the table's", () => {
    expect(new Refusal('spend_cap', 'Wait.', { retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7);
    expect(new Refusal('invalid_request', 'Wait.').retryAfterSeconds).toBeUndefined();
  });
});
