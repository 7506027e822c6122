// The demo for a phone: `demo --phone`, by https at a name, as a browser meets it that trusts the demo's certificate.
// Specification: demo 2
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort } from '../../dev/services/ports.js';
import { type Service, startService } from '../../dev/services/service.js';
import { ROOT } from '../../dev/services/services.js';
import { launchChromium } from '../support/browser.js';
import { localOracle } from '../support/oracle.js';
import { register, setGreeting } from '../support/steps.js';
import { accountOf, openWallet } from '../support/wallet.js';
import { expect, test } from './fixtures.js';

test.describe.configure({ mode: 'serial', timeout: 240_000 });

const NAME = 'latchkey-phone-test.local';
const SERVICES = ['APP_PORT', 'WALLET_PORT', 'RELAY_PORT', 'CHAIN_PORT'] as const;

let data: string;
let ports: Record<(typeof SERVICES)[number] | 'START_PORT', number>;
let demo: Service;
let output = '';

test.beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'latchkey-phone-'));
  ports = {
    APP_PORT: await freePort(),
    WALLET_PORT: await freePort(),
    RELAY_PORT: await freePort(),
    CHAIN_PORT: await freePort(),
    START_PORT: await freePort(),
  };
  const asText = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  demo = await startService({
    name: 'demo',
    command: process.execPath,
    args: ['--import', 'tsx', 'demo/dev.ts', '--phone', '--name', NAME],
    cwd: ROOT,
    env: { LATCHKEY_DATA: data, ...Object.fromEntries(asText) },
    ready: /phone +(http:\S+)/,
    readyTimeoutMs: 180_000,
    onLine: (line) => {
      output += `${line}\n`;
    },
  });
  await expect.poll(() => output).toContain('Ctrl-C ends all of it');
});

test.afterAll(async () => {
  await demo?.stop();
  await rm(data, { recursive: true, force: true });
});

/** The SHA-256 of the server's public key, once a client that trusts the demo's authority alone has accepted the server. */
async function acceptedKey(port: number, host = '127.0.0.1'): Promise<string> {
  const ca = await readFile(join(data, 'phone', `${NAME}.crt`));
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: NAME, ca }, () => {
      const { publicKey } = socket.getPeerX509Certificate()!;
      socket.destroy();
      resolve(
        createHash('sha256')
          .update(publicKey.export({ type: 'spki', format: 'der' }))
          .digest('base64'),
      );
    });
    socket.once('error', reject);
  });
}

const originOf = (service: (typeof SERVICES)[number]) => `https://${NAME}:${ports[service]}`;

/** Chromium that finds the name at this machine, and trusts the key that the authority vouched for, if any. */
const launch = (key?: string) =>
  launchChromium([
    `--host-resolver-rules=MAP ${NAME} 127.0.0.1`,
    ...(key === undefined ? [] : [`--ignore-certificate-errors-spki-list=${key}`]),
  ]);

test('all four services have a certificate of the demo’s authority, on every interface, and serve only whom they should', async () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const outer = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.2';
  for (const service of SERVICES) {
    await acceptedKey(ports[service], outer);
    expect(output).toContain(originOf(service));
  }
  expect(output).toContain('WARNING: every device in the networks of this machine can reach');
  expect(output).toContain(`WARNING: ${NAME} is unknown to this machine`);
  expect(output).toContain('▄▄▄▄▄');

  const ca = await readFile(join(data, 'phone', `${NAME}.crt`));
  await test.step('the wallet refuses a page that is no host by its list, which it reads from the chain', async () => {
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = `/wallet-service/?host=${encodeURIComponent(host)}`;
        const at = { host: '127.0.0.1', servername: NAME, port: ports.WALLET_PORT, path, ca };
        get({ ...at, headers: { host: new URL(originOf('WALLET_PORT')).host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).once('error', reject);
      });
    expect(await statusFor('https://evil.example')).toBe(403);
    expect(await statusFor(originOf('APP_PORT'))).toBe(200);
    expect(output).not.toContain('hosts_unreadable');
  });

  await test.step('a device of the network does not reach what is this machine’s alone', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: ports.CHAIN_PORT, servername: NAME, ca });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.once('end', () => resolve(text));
      socket.once('error', reject);
      socket.write('GET /admin/faults HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
  });
});

test('a phone gets the certificate and the two steps from the start page, trusts it, and registers and pays in the frame at that name', async () => {
  await test.step('the start page hands out the certificate and no other file', async () => {
    const start = `http://127.0.0.1:${ports.START_PORT}`;
    expect(demo.url).toBe(`http://${NAME}:${ports.START_PORT}/`);
    const certificate = await fetch(`${start}/ca.crt`);
    expect(certificate.headers.get('content-type')).toBe('application/x-x509-ca-cert');
    const kept = await readFile(join(data, 'phone', `${NAME}.crt`), 'utf8');
    const der = Buffer.from(kept.replaceAll(/-----.*-----|\s/g, ''), 'base64');
    expect(Buffer.from(await certificate.arrayBuffer()).equals(der)).toBe(true);
    expect((await fetch(`${start}/phone/${NAME}.key`)).status).toBe(404);
  });

  await test.step('a phone that does not trust it yet stays there, and reads the two steps', async () => {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const failed = page.waitForEvent('requestfailed');
      await page.goto(demo.url);
      expect((await failed).failure()?.errorText).toBe('net::ERR_CERT_AUTHORITY_INVALID');
      await expect(page.getByRole('listitem')).toHaveText([
        /install the profile/,
        /Certificate Trust Settings/,
      ]);
      expect(await page.getByRole('link', { name: 'Open the demo' }).getAttribute('href')).toBe(
        `${originOf('APP_PORT')}/`,
      );
    } finally {
      await browser.close();
    }
  });

  const browser = await launch(await acceptedKey(ports.APP_PORT));
  try {
    const context = await browser.newContext({
      viewport: { width: 1100, height: 860 },
      reducedMotion: 'reduce',
    });
    const wallet = await openWallet(context, demo.url, 'always', originOf('WALLET_PORT'));
    await wallet.page.waitForURL(`${originOf('APP_PORT')}/**`);
    await register(wallet, 'phone');
    const transactionId = await setGreeting(wallet, 'from a phone');

    const chain = /chain +│ listening on (http:\S+)/.exec(output)?.[1];
    const oracle = localOracle(chain!);
    expect(await oracle.greeting()).toContain('from a phone');
    expect((await oracle.transaction(transactionId, accountOf('phone'))).succeeded).toBe(true);
    const [[, record] = []] = await oracle.authenticators(accountOf('phone'));
    expect(record).toMatchObject({ expected_rp_id: NAME });
  } finally {
    await browser.close();
  }
});
