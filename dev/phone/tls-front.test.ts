// Specification: demo 2
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../services/ports.js';
import { type Authority, openAuthority } from './authority.js';
import { startTlsFront, type TlsFront } from './tls-front.js';

const NAME = 'test-machine.local';

let folder: string;
let authority: Authority;
let front: TlsFront;
let port: number;
const service = createServer(async (asked, answer) => {
  let body = '';
  for await (const chunk of asked) body += chunk;
  answer.writeHead(201, { 'x-from': 'service', 'content-type': 'application/json' });
  answer.end(JSON.stringify({ method: asked.method, url: asked.url, headers: asked.headers, body }));
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-front-'));
  authority = await openAuthority(folder, NAME);
  await new Promise<void>((resolve) => service.listen(0, 'localhost', resolve));
  const target = (service.address() as { port: number }).port;
  port = await freePort();
  front = await startTlsFront({
    name: NAME,
    port,
    target,
    certificate: await authority.issue(NAME),
    hiddenFolder: '.kept',
  });
});

afterAll(async () => {
  await front.close();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  status: number | undefined;
  from: unknown;
  text: string;
}

/** Asks the front as a phone does that trusts the authority. */
const ask = (host: string, body = '', path = '/a?b=c'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      ca: authority.pem,
      servername: NAME,
      method: 'POST',
      path,
    };
    const asked = request({ ...options, headers: { host, origin: 'https://x.local' } }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, from: answer.headers['x-from'], text });
    });
    asked.once('error', reject);
    asked.end(body);
  });

test('a request reaches the service with its path, host, origin and body, and the answer comes back', async () => {
  const { status, from, text } = await ask(`${NAME}:${port}`, 'hello');
  expect([status, from]).toEqual([201, 'service']);
  expect(JSON.parse(text)).toMatchObject({
    method: 'POST',
    url: '/a?b=c',
    headers: { host: `${NAME}:${port}`, origin: 'https://x.local' },
    body: 'hello',
  });
  expect(front.origin).toBe(`https://${NAME}:${port}`);
});

test.each(['localhost', '127.0.0.1:3030', 'other.local', `${NAME}:1`])(
  'a peer that names another host, as for what is this machine’s alone, does not reach the service: %s',
  async (host) => {
    const { status, from } = await ask(host);
    expect([status, from]).toEqual([421, undefined]);
  },
);

test.each(['/.kept/phone/a.key', '/@fs/home/me/.KEPT/a', '/x/..%2F%2ekept/a', '/%252ekept/a', '/%2ekept/%'])(
  'a development server behind it does not hand out the hidden folder: %s',
  async (path) => {
    const { status, from } = await ask(`${NAME}:${port}`, '', path);
    expect([status, from]).toEqual([403, undefined]);
  },
);

test('a service that is away is a bad gateway', async () => {
  const certificate = await authority.issue(NAME);
  const [away, other] = [await freePort(), await freePort()];
  const lonely = await startTlsFront({ name: NAME, port: other, target: away, certificate });
  try {
    const former = port;
    port = other;
    const { status } = await ask(`${NAME}:${other}`);
    port = former;
    expect(status).toBe(502);
  } finally {
    await lonely.close();
  }
});
