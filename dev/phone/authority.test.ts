// Specification: demo 2
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Authority, openAuthority, type ServerCertificate } from './authority.js';

const NAME = 'test-machine.local';
const DAY_MS = 86_400_000;

let folder: string;
let authority: Authority;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-authority-'));
  authority = await openAuthority(folder, NAME);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a client says that trusts this authority alone: null, or why it refuses the server. */
async function verdict(
  certificate: ServerCertificate,
  servername: string,
  ca = authority.pem,
): Promise<string | null> {
  const server = createServer(certificate);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    return await new Promise((resolve) => {
      // A client sends no address as a server's name; it checks the certificate against it.
      const isAddress = /^[\d.]+$/.test(servername);
      const socket = connect({ host: '127.0.0.1', port, ca, ...(isAddress ? {} : { servername }) });
      socket.once('secureConnect', () => resolve(socket.destroy() && null));
      socket.once('error', (error) => resolve(error.message));
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

test('a client that trusts the authority accepts its server at its name, and no other name', async () => {
  const certificate = await authority.issue(NAME);
  expect(await verdict(certificate, NAME)).toBeNull();
  expect(await verdict(certificate, 'other.local')).toContain('does not match');
});

test('the authority vouches for its own name alone: no other name, no IP address', async () => {
  expect(await verdict(await authority.issue('bank.example'), 'bank.example')).toBe(
    'permitted subtree violation',
  );
  expect(await verdict(await authority.issue('127.0.0.1'), '127.0.0.1')).toBe('excluded subtree violation');
});

test('another authority of the same name is not trusted', async () => {
  const other = await openAuthority(join(folder, 'other'), NAME);
  expect(await verdict(await other.issue(NAME), NAME)).not.toBeNull();
});

test('a server certificate has what Apple demands: its name as alternative name, serverAuth, at most 398 days', async () => {
  const leaf = new X509Certificate((await authority.issue(NAME)).cert);
  expect(leaf.subjectAltName).toBe(`DNS:${NAME}`);
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(leaf.ca).toBe(false);
  expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)).toBeLessThanOrEqual(398 * DAY_MS);
});

test('the phone installs it once: it is kept, its key for this user alone', async () => {
  expect((await openAuthority(folder, NAME)).pem).toBe(authority.pem);
  expect((await stat(join(folder, `${NAME}.key`))).mode & 0o777).toBe(0o600);
  expect(new X509Certificate(authority.der).ca).toBe(true);
});

test('an authority that would end before its server is replaced by one for a year', async () => {
  const kept = join(folder, 'old');
  const old = await openAuthority(kept, NAME, Date.now() - 340 * DAY_MS);
  const renewed = await openAuthority(kept, NAME);
  expect(renewed.pem).not.toBe(old.pem);
  expect(await verdict(await renewed.issue(NAME), NAME, renewed.pem)).toBeNull();
  expect((await stat(join(kept, `${NAME}.key`))).mode & 0o777).toBe(0o600);
});
