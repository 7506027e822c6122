// Generated tests/vectors/webauthn-node.json once, with node:crypto (OpenSSL) for every key and signature:
// for each algorithm a self-attested registration with an extension, and an authentication.
// The file is pinned; run this only to generate vectors of a new kind.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const RP_ID = 'wallet.localhost';
const ORIGIN = 'http://wallet.localhost:5174';
const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const b64u = (bytes) => Buffer.from(bytes).toString('base64url');

/** The part of CBOR (RFC 8949) needed here: integers, text, bytes, true and maps (as arrays of pairs). */
function cbor(value) {
  const head = (major, number) => {
    if (number < 24) return Buffer.of((major << 5) | number);
    if (number < 256) return Buffer.of((major << 5) | 24, number);
    return Buffer.of((major << 5) | 25, number >> 8, number & 255);
  };
  if (value === true) return Buffer.of(0xf5);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.length), ...value.flat().map(cbor)]);
}

const fromJwk = (text) => Buffer.from(text, 'base64url');
const kinds = [
  {
    algorithm: -7,
    pair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    cose: ({ x, y }) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, fromJwk(x)],
      [-3, fromJwk(y)],
    ],
  },
  {
    algorithm: -8,
    pair: () => generateKeyPairSync('ed25519'),
    cose: ({ x }) => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, fromJwk(x)],
    ],
  },
  {
    algorithm: -257,
    pair: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    cose: ({ n, e }) => [
      [1, 3],
      [3, -257],
      [-1, fromJwk(n)],
      [-2, fromJwk(e)],
    ],
  },
];

const vectors = kinds.map(({ algorithm, pair, cose }) => {
  const { publicKey, privateKey } = pair();
  const signed = (message) => sign(algorithm === -8 ? null : 'sha256', message, privateKey);
  const [challenge, credentialId] = [randomBytes(32), randomBytes(32)];
  const clientData = (type) =>
    Buffer.from(JSON.stringify({ type, challenge: b64u(challenge), origin: ORIGIN, crossOrigin: false }));
  const extensions = cbor([['hmac-secret', true]]);
  const header = (flags, count) => Buffer.concat([sha256(RP_ID), Buffer.of(flags, 0, 0, 0, count)]);

  const created = clientData('webauthn.create');
  const authData = Buffer.concat([
    header(0xdd, 0), // UP, UV, BE, BS, AT, ED
    randomBytes(16),
    Buffer.of(0, credentialId.length),
    credentialId,
    cbor(cose(publicKey.export({ format: 'jwk' }))),
    extensions,
  ]);
  const attestationObject = cbor([
    ['fmt', 'packed'],
    [
      'attStmt',
      [
        ['alg', algorithm],
        ['sig', signed(Buffer.concat([authData, sha256(created)]))],
      ],
    ],
    ['authData', authData],
  ]);

  const got = clientData('webauthn.get');
  const authenticatorData = header(0x1d, 7);
  const credential = { id: b64u(credentialId), rawId: b64u(credentialId), type: 'public-key' };
  return {
    algorithm,
    rpId: RP_ID,
    challenge: b64u(challenge),
    registration: {
      ...credential,
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: b64u(created),
        attestationObject: b64u(attestationObject),
        transports: ['internal'],
      },
    },
    authentication: {
      ...credential,
      response: {
        clientDataJSON: b64u(got),
        authenticatorData: b64u(authenticatorData),
        signature: b64u(signed(Buffer.concat([authenticatorData, sha256(got)]))),
        userHandle: b64u('alice.testnet'),
      },
    },
  };
});

const source = 'crates/webauthn/tests/make-vectors.mjs, with node:crypto';
const target = new URL('../../../tests/vectors/webauthn-node.json', import.meta.url);
writeFileSync(target, `${JSON.stringify({ source, vectors }, null, 2)}\n`);
