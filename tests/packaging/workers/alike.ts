import assert from 'node:assert/strict';
import { makeRegistration, ORIGIN } from '../../../server/src/testing/registration.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import type { FaultProxy } from '../../support/fault-proxy.js';

const TOO_LONG = 70_000;
// workerd closes the connection after a body that it did not fully read, so each connection is used once.
const CLOSING = { connection: 'close', origin: ORIGIN };
const JSON_TYPE = { ...CLOSING, 'content-type': 'application/json' };
const post = (body: unknown, headers: Record<string, string> = JSON_TYPE): RequestInit => ({
  method: 'POST',
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Sends two relays the same requests and compares their answers. Returns the number of requests. */
export async function refusedAlike(oneUrl: string, otherUrl: string, node: FaultProxy): Promise<number> {
  const rpc = createRpcClient({ urls: node.url });
  const made = await makeRegistration(rpc);
  const requests: readonly [path: string, init?: RequestInit][] = [
    ['/shamir/key-info', { headers: { origin: 'https://evil.example' } }],
    ['/nothing'],
    ['/metrics'],
    ['/create%5Faccount_and_register_user', post(made)],
    ['//create_account_and_register_user', post(made)],
    ['/signed%2Ddelegate', post({})],
    ['/vrf/apply%2Dserver-lock', post({ kek_c_b64u: 'BQ' })],
    ['/vrf/apply-server-lock'],
    ['/vrf/apply-server-lock', post('{')],
    ['/vrf/apply-server-lock', post('[]')],
    ['/vrf/apply-server-lock', post({})],
    ['/vrf/apply-server-lock', post({ kek_c_b64u: 7 })],
    ['/vrf/apply-server-lock', post({ kek_c_b64u: 'AA' })],
    ['/vrf/apply-server-lock', post({ kek_c_b64u: 'Ag==' })],
    ['/vrf/apply-server-lock', post({ kek_c_b64u: 'A'.repeat(500) })],
    ['/vrf/apply-server-lock', post({ kek_c_b64u: 'BQ' }, { ...CLOSING, 'content-type': 'text/plain' })],
    ['/vrf/apply-server-lock', post({ kek_c_b64u: 'A'.repeat(TOO_LONG) })],
    ['/vrf/remove-server-lock', post({ kek_cs_b64u: 'BQ', keyId: 'nobody-has-this-key-xx' })],
    ['/signed-delegate', post({ hash: 'x', signedDelegate: 'AA' })],
    ['/fund-app-key', post({ account_id: 'x', public_key: 'y', amount: '0' })],
    ['/create_account_and_register_user', post({})],
    ['/create_account_and_register_user', post('x'.repeat(TOO_LONG))],
    ['/create_account_and_register_user', post({ ...made, new_account_id: 'a.b.w3a-v1.testnet' })],
    ['/create_account_and_register_user', post({ ...made, deterministic_vrf_public_key: [1] })],
    [
      '/create_account_and_register_user',
      post({ ...made, vrf_data: { ...made.vrf_data, vrf_proof: made.vrf_data.vrf_proof.map(() => 1) } }),
    ],
  ];
  const ask = async (path: string, init?: RequestInit): Promise<void> => {
    const [one, other] = await Promise.all([answerOf(oneUrl + path, init), answerOf(otherUrl + path, init)]);
    assert.deepEqual(other, one, path);
  };
  for (const request of requests) await ask(...request);

  // The runtimes report a failed connection differently; the answers must still be equal.
  node.fail('*', { kind: 'refuse' });
  await ask('/create_account_and_register_user', post(made));
  node.fail('*', { kind: 'status', status: 500 });
  await ask('/create_account_and_register_user', post(made));
  node.heal();
  return requests.length + 2;
}

const HEADERS = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'content-type',
  'retry-after',
  'vary',
  'x-content-type-options',
];

async function answerOf(url: string, init?: RequestInit) {
  const answer = await fetch(url, init);
  const { requestId, ...body } = (await answer.json()) as Record<string, unknown>;
  const headers = HEADERS.map((name) => [name, answer.headers.get(name)]);
  return { status: answer.status, headers, body, isNamed: typeof requestId };
}
