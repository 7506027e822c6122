/** The relay in the Workers runtime, compared with the same relay on Node. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JsonRpcProvider } from 'near-api-js';
import { readLockKey } from '../../../server/src/lock/lock.js';
import { readLockGroup } from '../../../server/src/lock/lock-group.js';
import { createLog } from '../../../server/src/observe/log.js';
import { readRelayConfig } from '../../../server/src/platform/config.js';
import { startRelay } from '../../../server/src/platform/node.js';
import { makeLockKey } from '../../../server/src/platform/wasm.js';
import { createDelegateSigner, greet, toRequest } from '../../../server/src/testing/delegate.js';
import { type MadeRegistration, makeRegistration, ORIGIN } from '../../../server/src/testing/registration.js';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import type { FaultProxy } from '../../support/fault-proxy.js';
import { developmentKey } from '../../support/relay/devnet.js';
import { good } from '../tools.mjs';
import { refusedAlike } from './alike.js';
import { checkShares, checkVouchers } from './hostile-clients.js';
import { checkInterrupted } from './interrupted.js';
import { lockAndUnlock } from './three-passes.js';
import { bundle, type RunningWorker, startWorker, type Variables } from './workerd.js';

const REGISTER = '/create_account_and_register_user';
/** It owns nothing: the chain would refuse its own transaction. */
export const PENNILESS = 'penniless.testnet';

export async function checkRelay(project: string, node: FaultProxy): Promise<void> {
  const folder = bundle(project, 'relay');
  const group = readLockGroup(RFC3526_GROUP_14_P);
  const [current, former] = [await makeLockKey(group.pB64u), await makeLockKey(group.pB64u)];
  const shared = {
    RELAYER_PRIVATE_KEY: developmentKey('relayer.testnet'),
    NEAR_RPC_URL: node.url,
    EXPECTED_ORIGIN: ORIGIN,
    ACCOUNT_INITIAL_BALANCE: '30000000000000000000000',
    SHAMIR_E_S_B64U: current.e_s_b64u,
    SHAMIR_D_S_B64U: current.d_s_b64u,
    RELAY_SPEND_CAP_NEAR: '0.4',
    RELAY_DAILY_SHARE: 'off',
  };
  const variables = { ...shared, SHAMIR_GRACE_KEYS: JSON.stringify([former]) };
  const graceKeysFile = join(project, 'grace-keys.json');
  writeFileSync(graceKeysFile, variables.SHAMIR_GRACE_KEYS);
  const worker = await startWorker(project, 'relay', folder, variables);
  try {
    const { keyId } = readLockKey(group, current);
    await serves(worker, keyId);
    const onNode = await startRelay(
      readRelayConfig({
        ...shared,
        RELAYER_ACCOUNT_ID: 'relayer.testnet',
        SHAMIR_GRACE_KEYS_FILE: graceKeysFile,
        PORT: '0',
      }),
      createLog(() => undefined),
    );
    try {
      const asked = await refusedAlike(onNode.url, worker.url, node);
      good(`the relay on Workers answers ${asked} bad requests as it does on Node`);
    } finally {
      await onNode.close();
    }
    await lockAndUnlock(worker.url, keyId);
    const { keyId: formerId, apply } = readLockKey(group, former);
    await opensFormer(worker, formerId, apply);
    good('the lock on Workers goes on and comes off, under the names and numbers of OpenSSL');

    const rpc = createRpcClient({ urls: node.url });
    await registers(worker, await makeRegistration(rpc), node);
    await registersForOneWhoLeft(worker, await makeRegistration(rpc), node);
    good('an account is made on the chain by a Worker, also for a client that went away');

    await worker.restart({ ...variables, RELAY_SPEND_CAP_NEAR: '0.2' });
    const capped = await post(worker, REGISTER, await makeRegistration(rpc));
    assert.deepEqual([capped.status, (await read(capped)).error], [429, 'spend_cap']);
    good('what a Worker spent counts when it has been started anew');

    await carriesOutDelegates(worker, variables, node);
    good('a Worker with a policy carries out a signed delegate');

    await limits(worker, variables, await makeRegistration(rpc));
    good('a Worker’s limits hold, those on what costs money for all of it together');

    await checkInterrupted(worker, variables, node);
    await checkShares(worker, variables, node);
    const voucher = await checkVouchers(worker, variables, node);

    await worker.restart({ ...variables, SHAMIR_D_S_B64U: former.d_s_b64u, PORT: '1', METRICS_TOKEN: 'x' });
    await tellsItsOperator(worker);
    const secrets = [
      ...[shared.RELAYER_PRIVATE_KEY.slice(8), current.e_s_b64u, current.d_s_b64u],
      ...[former.e_s_b64u, former.d_s_b64u, voucher],
    ];
    for (const line of worker.lines) {
      for (const secret of secrets)
        assert.ok(!line.includes(secret.slice(0, 30)), `a secret was logged: ${line}`);
    }
    assert.ok(
      worker.lines.some((line) => line.includes('"registration_sent"')),
      'nothing was logged',
    );
    good('a Worker’s log tells of its configuration and its work, and has no secret');
  } finally {
    await worker.stop();
  }
}

async function serves(worker: RunningWorker, currentKeyId: string): Promise<void> {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await fetch(worker.url + path);
    assert.deepEqual([answer.status, await answer.json()], [200, { ok: true, currentKeyId }]);
  }
  const preflight = (origin: string) =>
    fetch(worker.url + REGISTER, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
  const allowed = (await preflight(ORIGIN)).headers;
  assert.equal(allowed.get('access-control-allow-origin'), ORIGIN);
  assert.equal(allowed.get('access-control-allow-methods'), 'GET,POST');
  assert.equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null);
  const manifest = await fetch(`${worker.url}/.well-known/webauthn`);
  assert.ok(Array.isArray((await read(manifest)).origins));
  assert.equal(manifest.headers.get('cache-control'), 'max-age=60, stale-while-revalidate=600');
  good('the relay, bundled by wrangler without nodejs_compat, serves from the Workers runtime');
}

/** A lock made with a former key still opens with it. */
async function opensFormer(worker: RunningWorker, keyId: string, apply: (base: Uint8Array) => Uint8Array) {
  const locked = Buffer.from(apply(Uint8Array.of(5))).toString('base64url');
  const removed = await post(worker, '/vrf/remove-server-lock', { kek_cs_b64u: locked, keyId });
  assert.deepEqual(await removed.json(), { kek_c_b64u: 'BQ' });
}

async function registers(worker: RunningWorker, request: MadeRegistration, node: FaultProxy): Promise<void> {
  const answers = await Promise.all([post(worker, REGISTER, request), post(worker, REGISTER, request)]);
  const [first, second] = await Promise.all(answers.map(read));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
    JSON.stringify([first, second]),
  );
  assert.equal(answers[0]?.headers.get('access-control-allow-origin'), ORIGIN);
  assert.equal(first?.transactionHash, second?.transactionHash);
  await isOnChain(request, node);
}

/** The client disconnects while its transaction is in transit, and asks again later. */
async function registersForOneWhoLeft(
  worker: RunningWorker,
  request: MadeRegistration,
  node: FaultProxy,
): Promise<void> {
  node.calls.length = 0;
  const sends = () => node.calls.filter(({ name }) => name === 'send_tx').length;
  const release = node.hold('send_tx');
  const leaving = new AbortController();
  const left = assert.rejects(post(worker, REGISTER, request, leaving.signal));
  await until(() => sends() > 0);
  leaving.abort();
  await left;
  release();
  const again = await post(worker, REGISTER, request);
  assert.equal(again.status, 200, JSON.stringify(await read(again)));
  await isOnChain(request, node);
  const sent = node.calls
    .filter(({ name }) => name === 'send_tx')
    .map(({ body }) => JSON.parse(body).params.signed_tx_base64);
  assert.equal(new Set(sent).size, 1, 'it was signed twice');
}

async function isOnChain(request: MadeRegistration, node: FaultProxy): Promise<void> {
  const { keys } = await createRpcClient({ urls: node.url }).viewAccessKeyList(request.new_account_id);
  assert.deepEqual(
    keys.map(({ public_key }) => public_key),
    [request.new_public_key],
  );
}

async function carriesOutDelegates(
  worker: RunningWorker,
  variables: Variables,
  node: FaultProxy,
): Promise<void> {
  const policy = { DELEGATE_CALLS: 'w3a-v1.testnet:set_greeting', DELEGATE_SPEND_CAP_NEAR: '1' };
  await worker.restart({ ...variables, ...policy, RELAY_SPEND_CAP_NEAR: '10' });
  const sign = createDelegateSigner(new JsonRpcProvider({ url: node.url }), PENNILESS);
  const answer = await post(worker, '/signed-delegate', toRequest(await sign([greet('from a Worker')])));
  assert.equal(answer.status, 200, JSON.stringify(await read(answer)));
}

async function limits(worker: RunningWorker, variables: Variables, request: MadeRegistration): Promise<void> {
  await worker.restart({ ...variables, RELAY_LIMIT_LOCK: '1,10', RELAY_LIMIT_REGISTRATIONS: '1,10' });
  const codes = async (path: string, body: object, times: number) => {
    const found: unknown[] = [];
    for (let count = 0; count < times; count += 1) {
      const answer = await post(worker, path, body);
      if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
      found.push((await read(answer)).error);
    }
    return found;
  };
  assert.deepEqual(await codes('/vrf/apply-server-lock', { kek_c_b64u: 'BQ' }, 2), [
    undefined,
    'too_many_requests',
  ]);
  const forged = {
    ...request,
    vrf_data: { ...request.vrf_data, vrf_proof: request.vrf_data.vrf_proof.map(() => 1) },
  };
  assert.deepEqual(await codes(REGISTER, forged, 2), ['not_verified', 'too_many_requests']);
}

/** The client learns that the relay is not configured, and the operator learns why. */
async function tellsItsOperator(worker: RunningWorker): Promise<void> {
  const answer = await fetch(`${worker.url}/healthz`);
  assert.equal(answer.status, 500);
  assert.equal((await read(answer)).error, 'internal');
  await until(() => worker.lines.some((line) => line.includes('invalid_config')));
  const told = worker.lines.join('\n');
  assert.ok(told.includes('the exponents do not match') && told.includes('METRICS_TOKEN'), told);
}

function post(worker: RunningWorker, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(worker.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const read = async (answer: Response) => (await answer.json()) as Record<string, unknown>;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
