// A certificate authority for one name, which a phone installs to trust the demo.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

/** A server's certificate and private key, PEM. The key is never written to a file. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** Its own certificate, PEM. */
  readonly pem: string;
  /** The same in DER, as a phone installs it. */
  readonly der: Uint8Array;
  /** Signs a certificate for a server of this name with a new key. Only names at or below the authority's own verify. */
  issue(host: string): Promise<ServerCertificate>;
}

/** What a phone calls the profile. */
export const AUTHORITY_NAME = 'Latchkey demo';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 365;
/** Apple refuses a server's certificate that is valid for more than 825 days. A start makes a new one. */
const SERVER_DAYS = 30;
/** Clocks of phone and machine may differ by this much. */
const SKEW_MS = 3_600_000;

/**
 * Opens the authority that a folder keeps for a name, or makes it there: `<name>.crt` and `<name>.key` (mode 0600). Makes
 * another when it would end before a server's certificate; the phone then installs that one.
 */
export async function openAuthority(folder: string, name: string, now = Date.now()): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto as Crypto);
  const [certificateFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const kept = await readKept(certificateFile, keyFile);
  if (kept && kept.certificate.notAfter.getTime() >= now + SERVER_DAYS * DAY_MS) return authority(kept, now);
  const made = await makeAuthority(name, now);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', made.key);
  // A file that exists would keep its mode.
  await rm(keyFile, { force: true });
  await writeFile(keyFile, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'), { mode: 0o600 });
  await writeFile(certificateFile, made.certificate.toString('pem'));
  return authority(made, now);
}

interface Kept {
  readonly certificate: x509.X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

/** The kept authority; null if one of its files does not exist. */
async function readKept(certificateFile: string, keyFile: string): Promise<Kept | null> {
  try {
    const certificate = new x509.X509Certificate(await readFile(certificateFile, 'utf8'));
    const [pkcs8] = x509.PemConverter.decode(await readFile(keyFile, 'utf8'));
    if (!pkcs8) throw new Error(`${keyFile} holds no private key. Delete it; the next start makes another.`);
    return { certificate, key: await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** May sign for servers of this name alone, and for nothing below it: no further authority, no IP address. */
async function makeAuthority(name: string, now: number): Promise<Kept> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [AUTHORITY_NAME] }, { O: [name] }],
    notBefore: new Date(now - SKEW_MS),
    notAfter: new Date(now + AUTHORITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.Extension(NAME_CONSTRAINTS, true, nameConstraints(name)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, key: keys.privateKey };
}

function authority({ certificate, key }: Kept, now: number): Authority {
  return {
    pem: certificate.toString('pem'),
    der: new Uint8Array(certificate.rawData),
    async issue(host) {
      const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      // What Apple demands of a server's certificate: https://support.apple.com/en-us/103769
      const issued = await x509.X509CertificateGenerator.create({
        subject: [{ CN: [host] }],
        issuer: certificate.subjectName,
        notBefore: new Date(now - SKEW_MS),
        notAfter: new Date(now + SERVER_DAYS * DAY_MS),
        publicKey: keys.publicKey,
        signingKey: key,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }]),
          await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey),
        ],
      });
      const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
      return { cert: issued.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') };
    },
  };
}

const NAME_CONSTRAINTS = '2.5.29.30';
const [SEQUENCE, PERMITTED, EXCLUDED, DNS_NAME, IP_ADDRESS] = [0x30, 0xa0, 0xa1, 0x82, 0x87];

/** DER of a NameConstraints (RFC 5280, 4.2.1.10) that permits one DNS name, of at most 64 characters, and excludes every IP address. */
function nameConstraints(name: string): Uint8Array<ArrayBuffer> {
  const subtree = (kind: number, value: Uint8Array) => der(SEQUENCE, der(kind, value));
  // An address and a mask of zeros are every address: 4 + 4 bytes of IPv4, 16 + 16 of IPv6.
  const everyAddress = [8, 32].map((size) => subtree(IP_ADDRESS, new Uint8Array(size)));
  const permitted = der(PERMITTED, subtree(DNS_NAME, new TextEncoder().encode(name)));
  return new Uint8Array(der(SEQUENCE, permitted, der(EXCLUDED, ...everyAddress)));
}

/** One DER element, whose content fits the short form of its length: under 128 bytes. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length > 127)
    throw new RangeError(`A DER element of ${content.length} bytes needs the long form.`);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}
