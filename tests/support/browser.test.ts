import { createServer, type Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addVirtualPasskey, launchChromium, type PrfSupport, recordCeremonies } from './browser.js';

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>page</title>');
  });
  origin = await new Promise<string>((resolve) => {
    server.listen(0, () => resolve(`http://localhost:${(server.address() as { port: number }).port}`));
  });
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  await new Promise((resolve) => server.close(resolve));
});

async function openPage(prf: PrfSupport) {
  const context = await browser.newContext();
  const record = await recordCeremonies(context);
  const page = await context.newPage();
  const passkey = await addVirtualPasskey(page, prf);
  await page.goto(origin);
  return { context, page, passkey, ...record };
}

/** Creates a passkey, then requests it; reports which ceremony gave PRF outputs. */
const ceremonies = async (): Promise<{ atCreate: boolean; atGet: boolean }> => {
  const prf = { eval: { first: new Uint8Array(32), second: new Uint8Array(32) } };
  const challenge = new Uint8Array(32);
  const outputs = (credential: Credential | null) => {
    const first = (credential as PublicKeyCredential).getClientExtensionResults().prf?.results?.first;
    return first !== undefined;
  };
  const created = await navigator.credentials.create({
    publicKey: {
      rp: { id: 'localhost', name: 'test' },
      user: { id: new Uint8Array(8), name: 'a', displayName: 'a' },
      challenge,
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      extensions: { prf },
    },
  });
  const got = await navigator.credentials.get({
    publicKey: { challenge, userVerification: 'required', extensions: { prf } },
  });
  return { atCreate: outputs(created), atGet: outputs(got) };
};

test.each([
  ['always', { atCreate: true, atGet: true }],
  ['at-get', { atCreate: false, atGet: true }],
  ['none', { atCreate: false, atGet: false }],
] as const)('a virtual passkey with PRF support %s', async (support, expected) => {
  const { context, page, passkey, prompts, prfOutputs } = await openPage(support);
  expect(await page.evaluate(ceremonies)).toEqual(expected);
  expect(prompts).toEqual([
    { kind: 'create', userVerification: 'required', prf: true },
    { kind: 'get', userVerification: 'required', prf: true },
  ]);
  const { atCreate, atGet } = expected;
  expect(prfOutputs).toHaveLength(Number(atCreate) + Number(atGet));
  for (const { first, second } of prfOutputs) expect([first.length, second.length]).toEqual([32, 32]);
  expect(await passkey.credentialIds()).toHaveLength(1);
  await context.close();
});

test('a refusal looks like a cancel and leaves no passkey; a renewed authenticator agrees', async () => {
  const { context, page, passkey } = await openPage('always');
  await passkey.refuse();
  await expect(page.evaluate(ceremonies)).rejects.toThrow('NotAllowedError');
  expect(await passkey.credentialIds()).toEqual([]);
  await passkey.renew();
  await page.evaluate(ceremonies);
  expect(await passkey.credentialIds()).toHaveLength(1);
  await context.close();
});

test('the passkey outlives a reload and cleared site data', async () => {
  const { context, page, passkey, prompts } = await openPage('always');
  await page.evaluate(ceremonies);
  await page.evaluate(() => localStorage.setItem('kept', 'yes'));
  await passkey.clearSiteData(origin);
  await page.reload();
  expect(await page.evaluate(() => localStorage.getItem('kept'))).toBeNull();
  expect(await passkey.credentialIds()).toHaveLength(1);
  await page.evaluate(() => navigator.credentials.get({ publicKey: { challenge: new Uint8Array(32) } }));
  expect(prompts.map(({ kind }) => kind)).toEqual(['create', 'get', 'get']);
  await context.close();
});
