/** The operator's view of the relay, over real HTTP and against the real chain: metrics, log and spending. */
import { Buffer } from 'node:buffer';
import { request as httpRequest } from 'node:http';
import { base58, base64urlnopad } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { developmentKey } from '../../../tests/support/relay/devnet.js';
import { operatedRelays, REGISTER, RELAYER } from '../../../tests/support/relay/operated-relay.js';
import { createRpcClient } from '../../../ts/src/near/index.js';
import { createLog, type LogLevel } from '../observe/log.js';
import { measureSpend, noMetrics } from '../observe/metrics.js';
import { Registrar } from '../registration/registrar.js';
import { createMemoryLeaseStore } from '../relayer/lease-store.js';
import { createRelayer } from '../relayer/relayer.js';
import { createMemorySpendMeter } from '../relayer/spend.js';
import { createTransactionSigner } from '../relayer/transaction-signer.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { makeRegistration } from '../testing/registration.js';
import { keyText } from '../testing/scripted-relay.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { Secret } from './secret.js';
import { loadRelayModule } from './wasm.js';

const REGISTRY = 'w3a-v1.testnet';
const METRICS_TOKEN = 'an-operators-token-of-32-letters';
const NEAR = 10n ** 24n;

describe('a relay in operation', { timeout: 60_000 }, () => {
  const on = operatedRelays({
    SHAMIR_E_S_B64U: keyText.e_s_b64u,
    SHAMIR_D_S_B64U: keyText.d_s_b64u,
    METRICS_TOKEN,
  });
  const folder = temporaryFolder();

  const start = (env: Record<string, string> = {}, level?: LogLevel) => on.start(env, level ? { level } : {});

  async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return parseExposition(await response.text());
  }

  const relayerBalance = async () => BigInt((await on.rpc.viewAccount(RELAYER))?.amount ?? 0);

  it('counts its requests, refusals, registrations and spending', async () => {
    const { url, post } = await start({
      RELAY_LIMIT_REGISTRATIONS: '2,100',
      RELAY_LIMIT_LOCK: '4,100',
    });
    const [bad, good, third] = await Promise.all([1, 2, 3].map(() => makeRegistration(on.rpc)));
    bad!.vrf_data.vrf_proof[3]! ^= 1;
    expect((await post(REGISTER, bad)).status).toBe(400);
    expect((await post(REGISTER, good)).status).toBe(200);
    // A repeated request finds the first registration and starts no second one.
    expect((await post(REGISTER, good)).status).toBe(200);
    expect((await post(REGISTER, third)).status).toBe(429);
    const applied = await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(4n) });
    expect((await post('/vrf/remove-server-lock', applied.answer)).status).toBe(200);
    expect((await post('/vrf/remove-server-lock', { ...applied.answer, keyId: 'none' })).status).toBe(400);
    expect((await post('/vrf/apply-server-lock', '{')).status).toBe(400);
    expect((await post('/vrf/apply-server-lock', {})).status).toBe(429);
    expect((await fetch(`${url}/no/such/path/of/${RELAYER}`)).status).toBe(404);

    const metrics = await readMetrics(url);
    const relay = (name: string) => metrics.get(`latchkey_relay_${name}`);
    expect(relay(`requests_total{method="POST",route="${REGISTER}",status="200"}`)).toBe(2);
    expect(relay(`requests_total{method="POST",route="${REGISTER}",status="400"}`)).toBe(1);
    expect(relay(`requests_total{method="POST",route="${REGISTER}",status="429"}`)).toBe(1);
    expect(relay('requests_total{method="POST",route="/vrf/apply-server-lock",status="200"}')).toBe(1);
    expect(relay('requests_total{method="GET",route="other",status="404"}')).toBe(1);
    expect(relay('request_duration_seconds_count{route="/vrf/remove-server-lock"}')).toBe(2);
    expect(relay('refusals_total{code="too_many_requests"}')).toBe(2);
    expect(relay('refusals_total{code="unknown_key_id"}')).toBe(1);
    expect(relay('refusals_total{code="spend_cap"}')).toBe(0);
    expect(relay('limited_total{limit="lock",scope="address"}')).toBe(1);
    expect(relay('limited_total{limit="registrations",scope="address"}')).toBe(1);
    expect(relay('limited_total{limit="registrations",scope="total"}')).toBe(0);
    expect(relay('registrations_total{outcome="registered"}')).toBe(1);
    expect(relay('registrations_total{outcome="not_verified"}')).toBe(1);
    expect(relay('registration_duration_seconds_count{outcome="registered"}')).toBe(1);
    expect(relay('registrations_in_progress')).toBe(0);
    expect(relay('lock_operations_total{key="current",operation="apply"}')).toBe(1);
    expect(relay('lock_operations_total{key="current",operation="remove"}')).toBe(1);
    expect(relay('key_leases')).toBe(0);
    expect(relay('reserved_near')).toBe(0);
    expect(relay('spend_cap_near')).toBe(10);
    expect(relay('spent_near_total')).toBeGreaterThan(0.03);
    expect(relay('spent_near_total')).toBeLessThan(0.1);
    expect(relay('rpc_requests_total{method="send_tx"}')).toBe(1);
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect([...metrics.keys()].join('\n')).not.toMatch(/testnet|127\.0\.0\.1|ed25519/);
  });

  it('reports the age of a lock key from a file, and none for a key from the environment', async () => {
    const environment = {
      SHAMIR_E_S_B64U: '',
      SHAMIR_D_S_B64U: '',
      SHAMIR_KEY_FILE: folder.file('lock.json'),
    };
    const kept = await readMetrics((await start(environment)).url);
    expect(kept.get('latchkey_relay_lock_key_age_seconds')).toBeGreaterThan(0);
    expect(kept.get('latchkey_relay_lock_key_age_seconds')).toBeLessThan(600);
    expect(kept.get('latchkey_relay_lock_grace_keys')).toBe(0);
    const given = await readMetrics((await start()).url);
    expect(given.has('latchkey_relay_lock_key_age_seconds')).toBe(false);
    expect(given.get('latchkey_relay_lock_grace_keys')).toBe(0);
  });

  it('shows its metrics only to holders of the token', async () => {
    const { url } = await start();
    for (const authorization of [
      undefined,
      'Bearer',
      `Bearer ${METRICS_TOKEN}x`,
      METRICS_TOKEN,
      'Basic eDp5',
    ]) {
      const response = await fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.json()).toMatchObject({ error: 'unauthorized', message: /METRICS_TOKEN/ });
    }
    const without = await start({ METRICS_TOKEN: '' });
    expect((await fetch(`${without.url}/metrics`)).status).toBe(404);
  });

  it("identifies a client by its connection, and behind a proxy by the proxy's header", async () => {
    const ask = (url: string, forwarded: string) =>
      fetch(`${url}/.well-known/webauthn`, { headers: { 'x-forwarded-for': forwarded } });
    const direct = await start({ RELAY_LIMIT_ORIGINS: '1,100' });
    expect((await ask(direct.url, '203.0.113.1')).status).toBe(200);
    expect((await ask(direct.url, '203.0.113.2')).status).toBe(429);
    const proxied = await start({ RELAY_LIMIT_ORIGINS: '1,100', TRUSTED_PROXY_HOPS: '1' });
    expect((await ask(proxied.url, '203.0.113.1')).status).toBe(200);
    expect((await ask(proxied.url, '203.0.113.2')).status).toBe(200);
    expect((await ask(proxied.url, '203.0.113.9, 203.0.113.1')).status).toBe(429);
  });

  it('refuses above a limit before the body has arrived', async () => {
    const { url } = await start({ RELAY_LIMIT_LOCK: '1,100' });
    const path = `${url}/vrf/apply-server-lock`;
    expect((await fetch(path, { method: 'POST' })).status).toBe(415);
    const request = httpRequest(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    request.write('{');
    expect(await answered).toBe(429);
    request.destroy();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('stops at its spend cap with 429, logs it once, and sends nothing [S51] [S86]', async () => {
    const { register, lines } = await start({
      RELAY_SPEND_CAP_NEAR: '0.25',
      RELAY_DAILY_SHARE: 'off',
      ACCOUNT_INITIAL_BALANCE: String(NEAR / 10n),
    });
    expect((await register()).status).toBe(200);
    on.proxy.calls.length = 0;
    const { status, response, answer } = await register();
    expect([status, answer]).toMatchObject([429, { error: 'spend_cap', message: /Nothing was sent/ }]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
    expect((await register()).status).toBe(429);
    expect(on.proxy.calls.filter(({ name }) => name === 'send_tx')).toEqual([]);
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'spend_cap');
    expect(events).toEqual([expect.objectContaining({ level: 'error', capYocto: String(NEAR / 4n) })]);
  });

  it('counts as spent exactly what left the relayer’s account', async () => {
    const log = createLog(() => undefined);
    await loadRelayModule();
    const signer = createTransactionSigner(RELAYER, [new Secret(developmentKey(RELAYER))]);
    const counted = { spent: 0n, reserved: 0n };
    const metrics = {
      ...noMetrics,
      spent: (yocto: bigint) => {
        counted.spent += yocto;
      },
      reserved: (change: bigint) => {
        counted.reserved += change;
      },
    };
    const registrar = new Registrar({
      rpc: createRpcClient({ urls: on.proxy.url }),
      relayer: createRelayer(on.rpc, signer, createMemoryLeaseStore()),
      spend: measureSpend(createMemorySpendMeter({ capYocto: NEAR, log }), metrics),
      contractId: REGISTRY,
      initialBalanceYocto: NEAR / 10n,
      gas: 85n * 10n ** 12n,
      log,
      metrics,
    });
    const register = (request: Awaited<ReturnType<typeof makeRegistration>>) =>
      registrar.register(request as Parameters<Registrar['register']>[0], 'r');

    const before = await relayerBalance();
    await register(await makeRegistration(on.rpc));
    expect(before - (await relayerBalance())).toBe(counted.spent);
    expect(counted.spent).toBeGreaterThan(NEAR / 10n);
    expect(counted.reserved).toBe(0n);

    // The registry refuses at execution: the gas is spent, and the deposit returns.
    const refused = await makeRegistration(on.rpc);
    refused.vrf_data.intent_digest_32[0]! ^= 1;
    const heal = on.proxy.fail('query:check_can_register_user', {
      kind: 'rewrite-answer',
      rewrite: (envelope: { result: object }) => ({
        ...envelope,
        result: { ...envelope.result, result: [...Buffer.from('{"verified":true,"user_exists":false}')] },
      }),
    });
    const spentBefore = counted.spent;
    await expect(register(refused)).rejects.toMatchObject({ code: 'not_verified' });
    heal();
    expect(before - (await relayerBalance())).toBe(counted.spent);
    expect(counted.spent - spentBefore).toBeLessThan(NEAR / 50n);

    // After a lost answer, the reservation stays until the chain reports the outcome.
    const lost = await makeRegistration(on.rpc);
    const healSend = on.proxy.fail('send_tx', { kind: 'drop-answer' });
    const healStatus = on.proxy.fail('tx', { kind: 'drop-answer' });
    await expect(register(lost)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(counted.reserved).toBeGreaterThan(NEAR / 10n);
    healSend();
    healStatus();
    await register(lost);
    expect(counted.reserved).toBe(0n);
    expect(before - (await relayerBalance())).toBe(counted.spent);
  });

  it.each(['info', 'warn', 'error', 'silent'] as const)(
    'writes no secret into its log from level %s up, in any encoding [S7] [S8]',
    async (level) => {
      const policy = { DELEGATE_CALLS: `${REGISTRY}:*`, DELEGATE_SPEND_CAP_NEAR: '100' };
      const { url, lines, post, register } = await start(policy, level);
      const kekC = 0xfeed_face_cafe_beef_1234_5678_9abc_def1n;
      await register();
      const request = await makeRegistration(on.rpc);
      await post(REGISTER, { ...request, new_public_key: 'ed25519:x' });
      const applied = await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(kekC) });
      await post('/vrf/remove-server-lock', applied.answer);
      await post('/vrf/remove-server-lock', { ...applied.answer, keyId: `${encodeNumber(kekC)}` });
      await post('/vrf/apply-server-lock', `{"kek_c_b64u": "${encodeNumber(kekC)}`);
      await post('/vrf/apply-server-lock', encodeNumber(kekC).slice(0, 16));
      await post('/vrf/apply-server-lock', { kek_c_b64u: `${encodeNumber(kekC)}=` });
      await post('/signed-delegate', { hash: encodeNumber(kekC), signedDelegate: encodeNumber(kekC) });
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
      await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}-` } });
      const heal = on.proxy.fail('*', { kind: 'status', status: 500 });
      await register();
      await fetch(`${url}/readyz`);
      heal();
      if (level === 'info') expect(lines.length).toBeGreaterThan(10);
      if (level === 'silent') expect(lines).toEqual([]);

      const text = lines.join('\n');
      const b64u = [
        keyText.e_s_b64u,
        keyText.d_s_b64u,
        encodeNumber(kekC),
        applied.answer.kek_cs_b64u ?? '',
        request.webauthn_registration.response.attestationObject,
      ];
      const secrets = [
        base58.decode(developmentKey(RELAYER).slice('ed25519:'.length)).slice(0, 32),
        new TextEncoder().encode(METRICS_TOKEN),
        ...b64u.map((encoded) => base64urlnopad.decode(encoded)),
      ];
      for (const secret of secrets) {
        const forms = encodings(secret);
        for (const form of forms) expect(text).not.toContain(form);
        // Proves that the search would find the secret in a log line.
        const leak = JSON.stringify({ reason: Buffer.from(secret).toString('base64url') });
        expect(forms.some((form) => leak.includes(form))).toBe(true);
      }
      expect(text).not.toContain(developmentKey(RELAYER).slice('ed25519:'.length, 'ed25519:'.length + 16));
    },
  );

  it('answers nothing with a secret of its own, in any encoding [S7] [S8]', async () => {
    const { url, request: post } = await start();
    const ask = (path: string, init?: RequestInit) => fetch(url + path, init);
    const kek = { kek_c_b64u: encodeNumber(4n) };
    const applied = await post('/vrf/apply-server-lock', kek);
    const bearer = { headers: { authorization: `Bearer ${METRICS_TOKEN}` } };
    const responses = [
      applied.clone(),
      await post('/vrf/remove-server-lock', await applied.json()),
      await post('/vrf/remove-server-lock', { ...kek, keyId: 'none' }),
      await post('/vrf/apply-server-lock', { kek_c_b64u: encodeNumber(0n) }),
      await post(REGISTER, await makeRegistration(on.rpc)),
      await post(REGISTER, {}),
      await post('/signed-delegate', {}),
      await ask('/metrics', bearer),
      await ask('/status', bearer),
      ...(await Promise.all(
        ['/shamir/key-info', '/healthz', '/readyz', '/metrics', '/none'].map((at) => ask(at)),
      )),
    ];
    const texts = await Promise.all(
      responses.map(async (response) => [...response.headers, await response.text()].join('\n')),
    );
    expect(texts.filter((text) => text.includes('keyId'))).not.toEqual([]);
    const secrets = [
      base58.decode(developmentKey(RELAYER).slice('ed25519:'.length)).slice(0, 32),
      new TextEncoder().encode(METRICS_TOKEN),
      base64urlnopad.decode(keyText.e_s_b64u),
      base64urlnopad.decode(keyText.d_s_b64u),
    ];
    for (const form of secrets.flatMap(encodings)) for (const text of texts) expect(text).not.toContain(form);
  });
});

/** The encodings of the first 12 bytes, so that a cut text is found too. */
function encodings(bytes: Uint8Array): string[] {
  const start = Buffer.from(bytes.subarray(0, 12));
  return [
    start.toString('hex'),
    start.toString('hex').toUpperCase(),
    start.toString('base64'),
    start.toString('base64url'),
    start.toString('latin1'),
    start.join(','),
    base58.encode(bytes),
    String(BigInt(`0x${Buffer.from(bytes).toString('hex')}`)),
  ].filter((text) => text.length >= 12);
}

/** Samples of the text format by name and sorted labels. Throws on a line of another form. */
function parseExposition(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const type = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line);
    if (type) typed.add(type[1] ?? '');
    if (line.startsWith('#')) continue;
    const [, name = '', labels = '', value = ''] =
      /^(\w+)(?:\{(.*)\})? (-?(?:\d[\d.e+-]*|NaN|\+?Inf))$/i.exec(line) ?? expect.fail(`no sample: ${line}`);
    const family = name.replace(/_(bucket|sum|count)$/, '');
    expect(typed.has(name) || typed.has(family), `${name} has no type`).toBe(true);
    const sorted = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([label]) => label).sort();
    samples.set(sorted.length > 0 ? `${name}{${sorted.join(',')}}` : name, Number(value));
  }
  return samples;
}
