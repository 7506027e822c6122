/** Clients that want the money of a relay in the Workers runtime, over its restarts. */
import assert from 'node:assert/strict';
import { issueSignupVoucher, makeVoucherKeyPair } from '../../../server/src/registration/voucher.js';
import { makeRegistration, makeStrangeRegistration } from '../../../server/src/testing/registration.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import type { FaultProxy } from '../../support/fault-proxy.js';
import { good } from '../tools.mjs';
import type { RunningWorker, Variables } from './workerd.js';

const REGISTER = '/create_account_and_register_user';
const METRICS_TOKEN = 'an-operators-token-of-32-letters';

async function register(worker: RunningWorker, request: object, from: string) {
  const answer = await fetch(worker.url + REGISTER, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': from },
    body: JSON.stringify(request),
  });
  const { error } = (await answer.json()) as { error?: string };
  return [answer.status, error];
}

/** The share of the smallest size admits one account. */
export async function checkShares(
  worker: RunningWorker,
  variables: Variables,
  node: FaultProxy,
): Promise<void> {
  const rpc = createRpcClient({ urls: node.url });
  const limited = { ...variables, RELAY_SPEND_CAP_NEAR: '10', RELAY_DAILY_SHARE: '1,2', METRICS_TOKEN };
  await worker.restart(limited);
  const [mine, other] = ['203.0.113.1', '198.51.100.1'];
  assert.deepEqual(await register(worker, await makeRegistration(rpc), mine), [200, undefined]);
  assert.deepEqual(await register(worker, await makeRegistration(rpc), mine), [429, 'address_cap']);
  await worker.restart(limited);
  assert.deepEqual(await register(worker, await makeRegistration(rpc), mine), [429, 'address_cap']);
  assert.deepEqual(await register(worker, await makeRegistration(rpc), other), [200, undefined]);
  good('an address gets no second share of a Worker’s day, also after a restart, and others get theirs');

  const status = await fetch(`${worker.url}/status`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const { relayerAccountId, capYocto, countedYocto, accountsLeft } = (await status.json()) as Record<
    string,
    unknown
  >;
  assert.deepEqual([status.status, relayerAccountId, capYocto], [200, 'relayer.testnet', `${10n ** 25n}`]);
  assert.ok(BigInt(String(countedYocto)) > 10n ** 23n && Number(accountsLeft) > 0);
  assert.equal((await fetch(`${worker.url}/status`)).status, 401);
  good('a Worker tells its operator the status');

  const page = await fetch(`${worker.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const samples = await page.text();
  assert.equal(page.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  for (const sample of [
    'registrations_total{outcome="registered"} 1',
    'refusals_total{code="address_cap"} 1',
    'requests_total{route="/create_account_and_register_user",method="POST",status="429"} 1',
    'spend_cap_near 10',
    'reserved_near 0',
  ])
    assert.ok(samples.split('\n').includes(`latchkey_relay_${sample}`), `${sample} is not in ${samples}`);
  assert.doesNotMatch(samples, /testnet|ed25519|203\.0\.113/);
  assert.equal((await fetch(`${worker.url}/metrics`)).status, 401);
  good('a Worker shows its operator the metrics of all that costs money, and no account, key or address');
}

/** The voucher pays for a transaction that the registry refuses at execution. Returns it. */
export async function checkVouchers(
  worker: RunningWorker,
  variables: Variables,
  node: FaultProxy,
): Promise<string> {
  const rpc = createRpcClient({ urls: node.url });
  const { publicKey, privateKey } = await makeVoucherKeyPair();
  const asking = { ...variables, RELAY_SPEND_CAP_NEAR: '10', SIGNUP_VOUCHER_KEY: publicKey };
  await worker.restart(asking);
  const request = await makeStrangeRegistration(rpc);
  const from = '203.0.113.1';
  assert.deepEqual(await register(worker, request, from), [403, 'signup_refused']);
  const voucher = await issueSignupVoucher({ privateKey, accountId: request.new_account_id });
  const other = { ...(await makeRegistration(rpc)), signup_voucher: voucher };
  assert.deepEqual(await register(worker, other, from), [403, 'signup_refused']);

  const heal = node.fail('query:check_can_register_user', {
    kind: 'rewrite-answer',
    rewrite: (envelope: { result: object }) => ({
      ...envelope,
      result: { ...envelope.result, result: [...Buffer.from('{"verified":true,"user_exists":false}')] },
    }),
  });
  const vouched = { ...request, signup_voucher: voucher };
  assert.deepEqual(await register(worker, vouched, from), [400, 'not_verified']);
  await worker.restart(asking);
  assert.deepEqual(await register(worker, vouched, from), [403, 'signup_refused']);
  heal();
  const [name] = request.new_account_id.split('.');
  const again = { ...(await makeRegistration(rpc, name)), signup_voucher: voucher };
  assert.deepEqual(await register(worker, again, from), [403, 'signup_refused']);
  const fresh = await issueSignupVoucher({ privateKey, accountId: request.new_account_id });
  assert.deepEqual(await register(worker, { ...again, signup_voucher: fresh }, from), [200, undefined]);
  good('a voucher is of use once at a Worker, also after a restart, and for its account alone');
  return voucher;
}
