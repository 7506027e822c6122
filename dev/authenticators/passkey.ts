/** A software authenticator: creates credentials and assertions as a browser would return them. */
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { base64urlnopad } from '@scure/base';

/** Flags of authenticator data (W3C WebAuthn Level 3, section 6.1). */
export const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10 };
const ATTESTED_DATA = 0x40;
const SYNCED_AND_VERIFIED = FLAGS.userPresent | FLAGS.userVerified | FLAGS.backupEligible | FLAGS.backedUp;

export interface Ceremony {
  /** base64url. */
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
  /** Whether the ceremony runs in a frame of another origin. Default false. */
  readonly crossOrigin?: boolean;
  /** Default: a user who was verified, and a passkey that is synced. */
  readonly flags?: number;
  /** The model of the authenticator, 8-4-4-4-12. Default: zeros. */
  readonly aaguid?: string;
}

/** By what a passkey signs: ECDSA on P-256, or RSASSA-PKCS1-v1_5 with 2048 bits, both with SHA-256. */
export type Algorithm = 'ES256' | 'RS256';

/** A key and the id of its credential. */
export interface Passkey {
  readonly id: Buffer;
  /** The public key as COSE. */
  readonly publicKey: Buffer;
  /** PKCS #8, DER. */
  readonly privateKey: Buffer;
}

// Encodes a key as it is generated. Exporting it later as a JWK can hang Node 20 forever: a garbage collection in between
// waits for a lock that the export holds.
const publicKeyEncoding = { type: 'spki', format: 'der' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const;

export function makePasskey(algorithm: Algorithm = 'ES256'): Passkey {
  const id = randomBytes(32);
  if (algorithm === 'ES256') {
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding,
      privateKeyEncoding,
    });
    return { id, publicKey: coseEc2(publicKey.subarray(-64)), privateKey };
  }
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding,
    privateKeyEncoding,
  });
  // At the end: the modulus, and the exponent 65537 in 3 bytes with a head of 2.
  return { id, publicKey: coseRsa(publicKey.subarray(-261, -5), publicKey.subarray(-3)), privateKey };
}

/** A credential with attestation `none`; binary fields in base64url. */
export function createCredential(
  { challenge, rpId, origin, crossOrigin = false, flags = SYNCED_AND_VERIFIED, aaguid = '' }: Ceremony,
  passkey = makePasskey(),
) {
  const { id, publicKey } = passkey;
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin });
  const model = Buffer.from(aaguid.replaceAll('-', '').padStart(32, '0'), 'hex');
  const attestedData = Buffer.concat([model, Buffer.from([0, id.length]), id, publicKey]);
  const authenticatorData = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([flags | ATTESTED_DATA]),
    Buffer.alloc(4),
    attestedData,
  ]);
  const attestationObject = Buffer.concat([
    cborHead(5, 3),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    cborHead(5, 0),
    cborText('authData'),
    cborBytes(authenticatorData),
  ]);
  return {
    id: encode(id),
    rawId: encode(id),
    type: 'public-key',
    response: {
      clientDataJSON: encode(Buffer.from(clientData)),
      attestationObject: encode(attestationObject),
      transports: ['internal', 'hybrid'],
    },
  };
}

/** An assertion by the passkey; binary fields in base64url. */
export function getAssertion(
  { challenge, rpId, origin, crossOrigin = false, flags = SYNCED_AND_VERIFIED }: Omit<Ceremony, 'aaguid'>,
  { id, privateKey }: Passkey,
) {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin }));
  const authenticatorData = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([flags]),
    Buffer.alloc(4),
  ]);
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
  const signature = sign('sha256', signed, { key: privateKey, format: 'der', type: 'pkcs8' });
  return {
    id: encode(id),
    rawId: encode(id),
    type: 'public-key' as const,
    response: {
      clientDataJSON: encode(clientData),
      authenticatorData: encode(authenticatorData),
      signature: encode(signature),
    },
  };
}

/** A PRF output, 32 bytes: HMAC-SHA-256 of the hashed input (WebAuthn Level 3, section 10.1.4; CTAP 2.2, section 12.7). */
export function prfOutput(secret: Uint8Array, input: Uint8Array): Buffer {
  const salt = createHash('sha256').update('WebAuthn PRF\0').update(input).digest();
  return createHmac('sha256', secret).update(salt).digest();
}

/** {1: 3, 3: -257, -1: n, -2: e} (RFC 8230, section 4). */
function coseRsa(modulus: Buffer, exponent: Buffer): Buffer {
  return Buffer.concat([
    cborHead(5, 4),
    cborHead(0, 1),
    cborHead(0, 3),
    cborHead(0, 3),
    cborHead(1, 256),
    cborHead(1, 0),
    cborBytes(modulus),
    cborHead(1, 1),
    cborBytes(exponent),
  ]);
}

/** {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053, section 7.1); x and y have 32 bytes each. */
function coseEc2(point: Buffer): Buffer {
  const [x, y] = [point.subarray(0, 32), point.subarray(32)];
  return Buffer.concat([
    cborHead(5, 5),
    cborHead(0, 1),
    cborHead(0, 2),
    cborHead(0, 3),
    cborHead(1, 6),
    cborHead(1, 0),
    cborHead(0, 1),
    cborHead(1, 1),
    cborBytes(x),
    cborHead(1, 2),
    cborBytes(y),
  ]);
}

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
}

function encode(bytes: Buffer): string {
  return base64urlnopad.encode(Uint8Array.from(bytes));
}
