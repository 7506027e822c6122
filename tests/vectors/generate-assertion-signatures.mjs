// Generated tests/vectors/assertion-signatures.json once, with node:crypto (OpenSSL) for every key and signature: COSE
// keys and signatures of an assertion, in the form of the standards and in forms that they forbid.
// The file is pinned; run this only to generate vectors of a new kind.
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const sha256 = (bytes) => createHash('sha256').update(bytes).digest();
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;

const authenticatorData = Buffer.concat([sha256('wallet.example'), Buffer.of(0x1d, 0, 0, 0, 0)]);
const clientData = {
  type: 'webauthn.get',
  challenge: randomBytes(32).toString('base64url'),
  origin: 'https://wallet.example',
  crossOrigin: false,
};
const clientDataJSON = Buffer.from(JSON.stringify(clientData));
const message = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);

/** The head of a CBOR item in `bytes` bytes after the first; in the shortest form if absent. */
function head(major, number, bytes) {
  const shortest = number < 24 ? 0 : number < 256 ? 1 : 2;
  const following = bytes ?? shortest;
  if (following === 0) return Buffer.of((major << 5) | number);
  const digits = Buffer.alloc(following);
  digits.writeUIntBE(number, Math.max(0, following - 6), Math.min(following, 6));
  return Buffer.concat([Buffer.of((major << 5) | (24 + Math.log2(following))), digits]);
}
const int = (number, bytes) => (number < 0 ? head(1, -1 - number, bytes) : head(0, number, bytes));
const string = (content, bytes) => Buffer.concat([head(2, content.length, bytes), content]);
const map = (entries, bytes) => Buffer.concat([head(5, entries.length, bytes), ...entries.flat()]);

const toBytes = (number, length = 32) => Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex');
const toNumber = (bytes) => BigInt(`0x${bytes.toString('hex')}`);
const fromJwk = (text) => Buffer.from(text, 'base64url');

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ecJwk = ec.publicKey.export({ format: 'jwk' });
const [x, y] = [fromJwk(ecJwk.x), fromJwk(ecJwk.y)];
const ecEntries = (xs, ys) => [
  [int(1), int(2)],
  [int(3), int(-7)],
  [int(-1), int(1)],
  [int(-2), string(xs)],
  [int(-3), string(ys)],
];
const ecKey = map(ecEntries(x, y));

/** An integer of DER, with zero bytes in front of its shortest form. */
function derInteger(digits, zeros = 0) {
  const start = digits.findIndex((byte) => byte !== 0);
  const shortest = digits[start] & 0x80 ? [0, ...digits.subarray(start)] : [...digits.subarray(start)];
  const content = [...Array(zeros).fill(0), ...shortest];
  return Buffer.of(2, content.length, ...content);
}
const sequence = (...parts) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
};

/** A signature whose r and s suit, so that each rule has its case. */
function ecdsa(suitsR, suitsS = suitsR) {
  for (;;) {
    const raw = sign('sha256', message, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
    const [r, s] = [raw.subarray(0, 32), raw.subarray(32)];
    if (suitsR(r) && suitsS(s)) return { r, s };
  }
}
const isPositive = ([first]) => first > 0 && first < 0x80;
const small = ecdsa(isPositive);
const large = ecdsa(([first]) => first >= 0x80);
const lowest = ecdsa(([first]) => first === 0x80, isPositive);
const short = ecdsa(([first, second]) => first === 0 && second > 0 && second < 0x80, isPositive);
const smallDer = sequence(derInteger(small.r), derInteger(small.s));
const largeDer = sequence(derInteger(large.r), derInteger(large.s));

const cases = [];
const add = (name, verifies, coseKey, signature) =>
  cases.push({ name, verifies, coseKey: coseKey.toString('hex'), signature: signature.toString('hex') });

add('ES256', true, ecKey, smallDer);
add('ES256, integers with a sign byte', true, ecKey, largeDer);
add('ES256, r begins with the byte 0x80', true, ecKey, sequence(derInteger(lowest.r), derInteger(lowest.s)));
add('ES256, r of 31 bytes', true, ecKey, sequence(derInteger(short.r), derInteger(short.s)));
add('ES256, labels in another order', true, map(ecEntries(x, y).reverse()), smallDer);

// The signature is valid for the point that x and the parity of y determine.
add(
  'y is not on the curve, its parity is right',
  false,
  map(ecEntries(x, toBytes(toNumber(y) ^ 2n))),
  smallDer,
);
add('y of the opposite point', false, map(ecEntries(x, toBytes(P - toNumber(y)))), smallDer);
// (5, y) lies on the curve, so the coordinate p + 5 is on it modulo p only.
const yOf5 = Buffer.from('459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc', 'hex');
add('x is p + 5', false, map(ecEntries(toBytes(P + 5n), yOf5)), smallDer);
add('x and y are 0', false, map(ecEntries(Buffer.alloc(32), Buffer.alloc(32))), smallDer);
add('x has 31 bytes', false, map(ecEntries(x.subarray(1), y)), smallDer);
add('x has 33 bytes', false, map(ecEntries(Buffer.concat([Buffer.of(0), x]), y)), smallDer);

const replaced = (index, entry) => map(ecEntries(x, y).toSpliced(index, 1, entry));
for (const bytes of [1, 2, 4, 8]) {
  add(`the label 3 in ${bytes} bytes`, false, replaced(1, [int(3, bytes), int(-7)]), smallDer);
  add(`the label -1 in ${bytes} bytes`, false, replaced(2, [int(-1, bytes), int(1)]), smallDer);
  add(`the algorithm in ${bytes} bytes`, false, replaced(1, [int(3), int(-7, bytes)]), smallDer);
  add(`the number of entries in ${bytes} bytes`, false, map(ecEntries(x, y), bytes), smallDer);
  if (bytes > 1)
    add(`the length of x in ${bytes} bytes`, false, replaced(3, [int(-2), string(x, bytes)]), smallDer);
}
add('one label in two forms', false, map([...ecEntries(x, y), [int(3, 1), int(-7)]]), smallDer);
add('a label twice', false, map([...ecEntries(x, y), [int(3), int(-7)]]), smallDer);
add('a key id', false, map([...ecEntries(x, y), [int(2), string(Buffer.of(7))]]), smallDer);
add('a byte after the key', false, Buffer.concat([ecKey, Buffer.of(0)]), smallDer);
const indefinite = Buffer.concat([Buffer.of(0xbf), ecKey.subarray(1), Buffer.of(0xff)]);
add('a list for the map', false, Buffer.concat([Buffer.of(0x85), ecKey.subarray(1)]), smallDer);
const textX = string(x);
textX[0] |= 0x20;
add('x is a text', false, replaced(3, [int(-2), textX]), smallDer);
add('bytes for a label', false, replaced(3, [string(Buffer.of(2)), string(x)]), smallDer);
add('a map of indefinite length', false, indefinite, smallDer);

const r0 = derInteger(small.r);
const s0 = derInteger(small.s);
add('r with a zero byte too many', false, ecKey, sequence(derInteger(small.r, 1), s0));
add('s with a zero byte too many', false, ecKey, sequence(r0, derInteger(small.s, 1)));
add('r with two zero bytes', false, ecKey, sequence(derInteger(large.r, 1), derInteger(large.s)));
const negative = Buffer.concat([Buffer.of(2, 32), large.r]);
const lowestR = Buffer.concat([Buffer.of(2, 32), lowest.r]);
add('r of 0x80 without its sign byte', false, ecKey, sequence(lowestR, derInteger(lowest.s)));
const paddedR = derInteger(short.r, 1);
add('r of 31 bytes with a zero byte too many', false, ecKey, sequence(paddedR, derInteger(short.s)));
const largerR = Buffer.concat([Buffer.of(2, 33, 1), small.r]);
add('r of 33 bytes', false, ecKey, sequence(largerR, s0));
const tagged = (integer) => Buffer.concat([Buffer.of(3), integer.subarray(1)]);
add('r with the tag of a bit string', false, ecKey, sequence(tagged(r0), s0));
add('s with the tag of a bit string', false, ecKey, sequence(r0, tagged(s0)));
const [, ...ofSmall] = smallDer;
add('a set for the sequence', false, ecKey, Buffer.of(0x31, ...ofSmall));
const claims = (more) => Buffer.of(0x30, smallDer[1] + more, ...smallDer.subarray(2));
add('a sequence shorter than its integers', false, ecKey, claims(-1));
add('a sequence longer than its integers', false, ecKey, claims(1));
const longS = Buffer.from(s0);
longS[1] += 1;
add('s longer than the signature', false, ecKey, sequence(r0, longS));
add('r without its sign byte', false, ecKey, sequence(negative, derInteger(large.s)));
add('r is 0', false, ecKey, sequence(Buffer.of(2, 1, 0), s0));
add('r is empty', false, ecKey, sequence(Buffer.of(2, 0), s0));
add('a byte after the signature', false, ecKey, Buffer.concat([smallDer, Buffer.of(0)]));
add('a third integer', false, ecKey, sequence(r0, s0, Buffer.of(2, 1, 1)));
const [, length, ...content] = smallDer;
add('the length of the sequence in two bytes', false, ecKey, Buffer.of(0x30, 0x81, length, ...content));
const longR = Buffer.concat([Buffer.of(2, 0x81, r0[1]), r0.subarray(2)]);
add('the length of r in two bytes', false, ecKey, sequence(longR, s0));

const rsaKey = (n, e) =>
  map([
    [int(1), int(3)],
    [int(3), int(-257)],
    [int(-1), string(n)],
    [int(-2), string(e)],
  ]);
for (const bits of [2040, 2047, 2048, 2050, 3482, 4096, 4098]) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { n, e } = publicKey.export({ format: 'jwk' });
  if (toNumber(fromJwk(n)).toString(2).length !== bits) throw new Error(`not a modulus of ${bits} bits`);
  const signature = sign('sha256', message, privateKey);
  const fits = bits >= 2048 && bits <= 4096;
  add(`RS256, a modulus of ${bits} bits`, fits, rsaKey(fromJwk(n), fromJwk(e)), signature);
  if (bits === 2050) {
    const padded = Buffer.concat([Buffer.of(0), fromJwk(n)]);
    add('RS256, a zero byte before the modulus', false, rsaKey(padded, fromJwk(e)), signature);
    const exponent = Buffer.concat([Buffer.of(0), fromJwk(e)]);
    add('RS256, a zero byte before the exponent', false, rsaKey(fromJwk(n), exponent), signature);
    const wide = replacedLength(rsaKey(fromJwk(n), fromJwk(e)));
    add('RS256, the length of the modulus in 4 bytes', false, wide, signature);
    const mixed = rsaKey(fromJwk(n), fromJwk(e));
    mixed[mixed.indexOf(Buffer.of(0x20, 0x59)) + 1] = 0x5a;
    add('RS256, the length of the modulus in 2 bytes, named as 4', false, mixed, signature);
  }
}
for (const [publicExponent, fits] of [
  [0xfffffffbn, true],
  [0x10000000fn, false],
]) {
  const { key, n, e } = rsaOf(publicExponent);
  add(`RS256, an exponent of ${e.length} bytes`, fits, rsaKey(n, e), sign('sha256', message, key));
}
/** A key of 2048 bits with this exponent; node:crypto makes none above 32 bits. */
function rsaOf(publicExponent) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  const [p, q] = [toNumber(fromJwk(jwk.p)), toNumber(fromJwk(jwk.q))];
  const d = inverse(publicExponent, (p - 1n) * (q - 1n));
  const part = (number) => {
    const digits = number.toString(16);
    return Buffer.from(digits.padStart(2 * Math.ceil(digits.length / 2), '0'), 'hex');
  };
  const parts = { e: publicExponent, d, dp: d % (p - 1n), dq: d % (q - 1n) };
  for (const [name, number] of Object.entries(parts)) jwk[name] = part(number).toString('base64url');
  return { key: createPrivateKey({ key: jwk, format: 'jwk' }), n: fromJwk(jwk.n), e: part(publicExponent) };
}
/** The inverse of a modulo m (the extended Euclidean algorithm). */
function inverse(a, m) {
  let [r0, r1, s0, s1] = [a, m, 1n, 0n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1];
  }
  if (r0 !== 1n) throw new Error('no inverse');
  return ((s0 % m) + m) % m;
}
/** The same RSA key with the length of its modulus in 4 bytes. */
function replacedLength(key) {
  const at = key.indexOf(Buffer.of(0x20, 0x59));
  return Buffer.concat([key.subarray(0, at), Buffer.of(0x20, 0x5a, 0, 0), key.subarray(at + 2)]);
}

const ed = generateKeyPairSync('ed25519');
const point = fromJwk(ed.publicKey.export({ format: 'jwk' }).x);
const edKey = (bytes) =>
  map([
    [int(1), int(1)],
    [int(3), int(-8)],
    [int(-1), int(6)],
    [int(-2), string(point, bytes)],
  ]);
const edSignature = sign(null, message, ed.privateKey);
add('EdDSA', true, edKey(), edSignature);
add('EdDSA, the length of x in 2 bytes', false, edKey(2), edSignature);

const source = 'tests/vectors/generate-assertion-signatures.mjs, with node:crypto';
const file = {
  source,
  authenticatorData: authenticatorData.toString('hex'),
  clientDataJSON: clientDataJSON.toString('hex'),
  cases,
};
writeFileSync(new URL('assertion-signatures.json', import.meta.url), `${JSON.stringify(file, null, 2)}\n`);
