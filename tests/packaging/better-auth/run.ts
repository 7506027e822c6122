/**
 * Drives the app of a project with the packed packages as browsers do: a wallet with a software authenticator authorizes the
 * payload on a local chain.
 */
import { equal, notEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { KeyPair } from 'near-api-js';
import { developmentKey } from '../../../dev/services/keys.js';
import { startChain } from '../../../dev/services/services.js';
import { authorize } from '../../../ts/src/verify/testing/authorize.js';
import { registerWallet } from '../../../ts/src/verify/testing/wallet.js';

const [project = ''] = process.argv.slice(2);
const ALICE = 'alice.testnet';
const chain = await startChain({
  port: 0,
  blockTimeMs: 100,
  maxBlockAge: 1200,
  args: ['--fund', `${ALICE}=100`],
});
const app = spawn(process.execPath, [join(project, 'better-auth/app.js')], {
  cwd: project,
  env: { PATH: process.env.PATH, NEAR_RPC_URL: chain.url },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  await logIns(await addressOf(app));
} finally {
  app.kill('SIGTERM');
  await chain.stop();
}

async function logIns(url: string): Promise<void> {
  const wallet = await registerWallet(chain.url, 'bess');
  const browser = newBrowser(url);
  const begun = await browser.post('/near/begin');
  equal(begun.status, 200);
  const { payload } = begun.body as { payload: string };
  equal(JSON.parse(payload).domain, 'app.example');
  const authorized = await wallet.authorize(payload);

  const other = newBrowser(url);
  await other.post('/near/begin');
  expectRefused(
    await other.post('/near/finish', authorized),
    401,
    'PAYLOAD_MISMATCH',
    "another browser's payload",
  );
  expectRefused(await newBrowser(url).post('/near/finish', authorized), 401, 'NO_LOGIN_BEGUN', 'no payload');

  const finished = await browser.post('/near/finish', authorized);
  equal(finished.status, 200, JSON.stringify(finished.body));
  equal((finished.body as { accountId: string }).accountId, wallet.accountId);
  const first = await browser.session();
  equal(first?.user.name, wallet.accountId);
  expectRefused(await browser.post('/near/finish', authorized), 401, 'NO_LOGIN_BEGUN', 'a replay');
  await browser.post('/near/begin');
  expectRefused(
    await browser.post('/near/finish', authorized),
    401,
    'PAYLOAD_MISMATCH',
    'a replay for a new payload',
  );

  // The user's second login is of the same user, and another account is another one.
  const again = newBrowser(url);
  const next = (await again.post('/near/begin')).body as { payload: string };
  await again.post('/near/finish', await wallet.authorize(next.payload));
  equal((await again.session())?.user.id, first?.user.id);
  const stranger = newBrowser(url);
  const asked = (await stranger.post('/near/begin')).body as { payload: string };
  const forged = { ...(await wallet.authorize(asked.payload)), accountId: ALICE };
  expectRefused(await stranger.post('/near/finish', forged), 401, 'SIGNER_MISMATCH', 'a foreign account');
  const stolen = (await stranger.post('/near/begin')).body as { payload: string };
  const byOtherKey = await authorize(ALICE, KeyPair.fromRandom('ed25519'), stolen);
  expectRefused(
    await stranger.post('/near/finish', byOtherKey),
    401,
    'KEY_NOT_FOUND',
    'a key that is not the account’s',
  );
  equal(await stranger.session(), null);
  const own = (await stranger.post('/near/begin')).body as { payload: string };
  const key = KeyPair.fromString(developmentKey(ALICE));
  equal((await stranger.post('/near/finish', await authorize(ALICE, key, own))).status, 200);
  notEqual((await stranger.session())?.user.id, first?.user.id);

  await chain.stop();
  const late = newBrowser(url);
  const { payload: unanswered } = (await late.post('/near/begin')).body as { payload: string };
  const without = await authorize(ALICE, key, { payload: unanswered });
  expectRefused(await late.post('/near/finish', without), 503, 'NEAR_RPC_FAILED', 'no node');
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function expectRefused({ status, body }: Answer, expected: number, code: string, what: string): void {
  equal(status, expected, `${what}: ${JSON.stringify(body)}`);
  equal((body as { code: string }).code, code, what);
}

/** Keeps cookies, and calls the app's API as its page does. */
function newBrowser(url: string) {
  const cookies = new Map<string, string>();
  const call = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin: url, cookie, ...init.headers };
    const response = await fetch(`${url}/api/auth${path}`, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: response.status, body: (await response.json()) as unknown };
  };
  return {
    post: (path: string, body: unknown = {}): Promise<Answer> =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    session: async () => (await call('/get-session')).body as { user: { id: string; name: string } } | null,
  };
}

async function addressOf(child: typeof app): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url) return url;
  }
  const [code] = await once(child, 'exit');
  throw new Error(`the app ended with ${code}`);
}
