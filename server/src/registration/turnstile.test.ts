/** Turnstile against a local server that answers by Cloudflare's rules; the real one is not in reach of the tests. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../observe/log.js';
import { Secret } from '../platform/secret.js';
import { createMemoryRecord } from '../relayer/record.js';
import { createSignupGate } from './signup.js';
import { createSingleUses } from './single-use.js';
import { verifyTurnstile } from './turnstile.js';

const SECRET = '1x0000000000000000000000000000000AA';
const HOST = 'app.example';
const ALICE = 'alice.w3a-v1.testnet';
const GOOD = { success: true, hostname: HOST, action: 'signup', 'error-codes': [] };

interface Asked {
  readonly secret: string;
  readonly response: string;
  readonly remoteip?: string;
  readonly idempotency_key: string;
}

let server: Server;
let url: string;
let asked: Asked[] = [];
let answer: (body: Asked) => unknown;
let status = 200;
/** Cloudflare accepts a token again only with the idempotency key of the first time. */
const redeemed = new Map<string, string>();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Asked;
    asked.push(body);
    const content = answer(body);
    if (content === 'silence') return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof content === 'string' ? content : JSON.stringify(content));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  status = 200;
  redeemed.clear();
  answer = ({ response, idempotency_key }) => {
    const key = redeemed.get(response) ?? idempotency_key;
    redeemed.set(response, key);
    if (key === idempotency_key) return GOOD;
    return { success: false, 'error-codes': ['timeout-or-duplicate'] };
  };
});

const lines: string[] = [];

function gate({ action = 'signup' as string | null, timeoutMs = 5000 } = {}) {
  const secret = new Secret(SECRET);
  const made = createSignupGate({
    verify: verifyTurnstile({ secret, hostnames: ['www.app.example', HOST], action, url }),
    uses: createSingleUses(createMemoryRecord()),
    log: createLog((line) => lines.push(line)),
    timeoutMs,
  });
  return (token: string | undefined = 'a-token', accountId = ALICE, publicKey = 'ed25519:A') =>
    made.admit({
      accountId,
      publicKey,
      address: '203.0.113.1',
      voucher: token === undefined ? undefined : new Secret(token),
    });
}

describe('Turnstile (core 7)', () => {
  it('is asked with the secret, the token and the client’s address', async () => {
    await gate()();
    expect(asked).toEqual([
      {
        secret: SECRET,
        response: 'a-token',
        remoteip: '203.0.113.1',
        idempotency_key: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
      },
    ]);
  });

  it.each([
    ['another host', { ...GOOD, hostname: 'evil.example' }],
    ['no host', { ...GOOD, hostname: undefined }],
    ['another action', { ...GOOD, action: 'login' }],
    ['no success', { ...GOOD, success: false, 'error-codes': ['invalid-input-response'] }],
  ])('refuses a token of %s', async (_, content) => {
    answer = () => content;
    await expect(gate()()).rejects.toMatchObject({ code: 'signup_refused', message: /Do it again/ });
  });

  it('accepts any action where none is configured', async () => {
    answer = () => ({ ...GOOD, action: 'login' });
    await gate({ action: null })();
  });

  it('is not asked without a token, or with one that is too long', async () => {
    const admit = createSignupGate({
      verify: verifyTurnstile({ secret: new Secret(SECRET), hostnames: [HOST], action: null, url }),
      uses: createSingleUses(createMemoryRecord()),
      log: createLog(() => undefined),
    });
    const facts = { accountId: ALICE, publicKey: 'ed25519:A', address: undefined };
    await expect(admit.admit({ ...facts, voucher: undefined })).rejects.toMatchObject({
      code: 'signup_refused',
    });
    await expect(gate()('x'.repeat(2049))).rejects.toMatchObject({ code: 'signup_refused' });
    expect(asked).toEqual([]);
  });

  it('accepts a token again for the same registration, and for no other', async () => {
    const admit = gate();
    await admit();
    await admit();
    await expect(admit('a-token', ALICE, 'ed25519:B')).rejects.toMatchObject({ code: 'signup_refused' });
    await expect(admit('a-token', 'mallory.w3a-v1.testnet')).rejects.toMatchObject({
      code: 'signup_refused',
    });
  });

  it('pays for one registration with a token', async () => {
    const admit = gate();
    await (await (await admit()).reserve(1n)).commit(1n);
    await expect((await admit()).reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
  });

  it.each<[string, number, () => unknown]>([
    ['is wrongly configured', 400, () => ({ success: false, 'error-codes': ['invalid-input-secret'] })],
    ['fails', 200, () => ({ success: false, 'error-codes': ['internal-error'] })],
    ['answers no JSON', 502, () => '<html>bad gateway</html>'],
    ['answers another shape', 200, () => ({ ok: true })],
    ['sends it elsewhere', 302, () => ''],
    ['is silent', 200, () => 'silence'],
  ])('that %s lets nobody in, and logs neither secret nor token', async (_, code, content) => {
    status = code;
    answer = content;
    lines.length = 0;
    await expect(gate({ timeoutMs: 500 })('the-token-of-alice')).rejects.toMatchObject({
      code: 'signup_unavailable',
      status: 503,
    });
    expect(lines.join('\n')).toContain('signup_unavailable');
    expect(lines.join('\n')).not.toMatch(/the-token-of-alice|1x000000/);
  });
});
