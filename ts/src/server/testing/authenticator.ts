/** A software authenticator: makes a registration credential as a browser would hand it over. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { base64urlnopad } from '@scure/base';

const UP_UV_BE_BS_AT = 0x5d;

export interface Ceremony {
  /** base64url. */
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
}

/** An ES256 credential with attestation `none`; binary fields in base64url. */
export function createCredential({ challenge, rpId, origin }: Ceremony) {
  const id = randomBytes(32);
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false });
  const attestedData = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey()]);
  const authenticatorData = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([UP_UV_BE_BS_AT]),
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

/** A fresh P-256 key as COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053, section 7.1). */
function coseKey(): Buffer {
  // Encoded as it is made. Exporting it afterwards as a JWK can hang Node 20 for ever: a garbage collection meanwhile
  // waits for a lock that the export holds.
  const { publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  // It ends with the point: x and y, 32 bytes each.
  const [x, y] = [publicKey.subarray(-64, -32), publicKey.subarray(-32)];
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
