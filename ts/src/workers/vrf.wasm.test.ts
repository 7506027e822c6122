// The shipped WASM of the VRF worker, against node:crypto and BigInt.
import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ristretto255 } from '@noble/curves/ed25519.js';
import { base58, base64urlnopad } from '@scure/base';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as vrf from '../../wasm/vrf/vrf.js';

const ACCOUNT = 'alice.testnet';
const PRF_FIRST = Uint8Array.from({ length: 32 }, (_, index) => index);

const root = new URL('../../../', import.meta.url);
const vector = (name: string) => JSON.parse(readFileSync(new URL(`tests/vectors/${name}`, root), 'utf8'));
const proofVector = vector('vrf-proof.json');
const [, inputVector] = vector('vrf-input.json');
const { p_b64u: P } = vector('rfc3526.json');
const otherPrimes = vector('shamir-primes.json');

/** The input of the pinned proof. */
const CHALLENGE_INPUT = {
  userId: inputVector.userId,
  rpId: inputVector.rpId,
  blockHeight: String(inputVector.blockHeight),
  blockHash: base58.encode(Buffer.from(inputVector.blockHashHex, 'hex')),
  intentDigest: base64urlnopad.encode(Buffer.from(inputVector.intentDigestHex, 'hex')),
};

const toBig = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const fromText = (text: string) => toBig(base64urlnopad.decode(text));
const toBytes = (number: bigint) => {
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
};
const toText = (number: bigint) => base64urlnopad.encode(toBytes(number));

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = base % modulus, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** ChaCha20-Poly1305 under HKDF-SHA256 without salt. */
function seal(secret: Uint8Array, info: string, plaintext: Uint8Array) {
  const key = Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), info, 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
  return {
    nonce,
    ciphertext: Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]),
  };
}

/** The pinned keypair, public key then secret key. */
const KEYPAIR = Buffer.concat([
  base64urlnopad.decode(proofVector.vrfPublicKey),
  Buffer.from(proofVector.secretKeyHex, 'hex'),
]);

function storedKeypair(prfFirst = PRF_FIRST) {
  const { nonce, ciphertext } = seal(prfFirst, 'vrf-chacha20-key', KEYPAIR);
  return {
    encryptedVrfDataB64u: base64urlnopad.encode(ciphertext),
    chacha20NonceB64u: base64urlnopad.encode(nonce),
  };
}

/** The code and message of the error that `run` throws. */
function thrownBy(run: () => unknown) {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    const { code, message } = error as Error & { code: string };
    return { code, message };
  }
  throw new Error('nothing was thrown');
}

let memory: WebAssembly.Memory;

beforeAll(() => {
  ({ memory } = vrf.initSync({ module: readFileSync(new URL('ts/wasm/vrf/vrf_bg.wasm', root)) }));
});

beforeEach(() => {
  vrf.logout();
  vrf.configureShamirP(P);
});

describe('session (core 4, core 7)', () => {
  it('answers a ping', () => {
    expect(vrf.ping()).toBe('pong');
  });

  it('is inactive at the start and after logout', () => {
    expect(vrf.status()).toEqual({ active: false });
    vrf.unlock(ACCOUNT, PRF_FIRST.slice(), storedKeypair());
    vrf.logout();
    expect(vrf.status()).toEqual({ active: false });
  });

  it('belongs to the account after an unlock, and reports its duration', async () => {
    expect(vrf.unlock(ACCOUNT, PRF_FIRST.slice(), storedKeypair())).toEqual({
      vrfPublicKey: proofVector.vrfPublicKey,
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const status = vrf.status();
    expect(status).toMatchObject({
      active: true,
      accountId: ACCOUNT,
      vrfPublicKey: proofVector.vrfPublicKey,
    });
    expect(status.sessionDurationMs).toBeGreaterThanOrEqual(15);
    expect(status.sessionDurationMs).toBeLessThan(10_000);
  });

  it('refuses to unlock with another passkey, and stays inactive', () => {
    const refusal = thrownBy(() => vrf.unlock(ACCOUNT, randomBytes(32), storedKeypair()));
    expect(refusal.code).toBe('DECRYPTION_FAILED');
    expect(vrf.status()).toEqual({ active: false });
  });

  it.each([
    [
      'a short PRF output',
      'INVALID_PRF_LENGTH',
      () => vrf.unlock(ACCOUNT, new Uint8Array(31), storedKeypair()),
    ],
    ['a zero PRF output', 'WEAK_PRF_OUTPUT', () => vrf.unlock(ACCOUNT, new Uint8Array(32), storedKeypair())],
    ['no account', 'ACCOUNT_ID_MISSING', () => vrf.unlock('', PRF_FIRST.slice(), storedKeypair())],
    [
      'a short nonce',
      'MALFORMED_CIPHERTEXT',
      () => vrf.unlock(ACCOUNT, PRF_FIRST.slice(), { ...storedKeypair(), chacha20NonceB64u: 'AAAA' }),
    ],
    [
      'a value that is not a record',
      'INVALID_INPUT',
      () => vrf.unlock(ACCOUNT, PRF_FIRST.slice(), {} as vrf.EncryptedVrfKeypair),
    ],
  ])('refuses to unlock with %s', (_, code, run) => {
    expect(thrownBy(run).code).toBe(code);
  });
});

describe('keypairs (core 7, core 8)', () => {
  it('derives the pinned keypair from the PRF output', () => {
    const { vrfPublicKey, encryptedVrfKeypair } = vrf.deriveKeypairFromPrf(ACCOUNT, PRF_FIRST.slice(), false);
    expect(vrfPublicKey).toBe('supfwXPlZVyBA680YnwahAGddPH7PEhNa0ryJNYnEzI');
    expect(vrf.status()).toEqual({ active: false });
    expect(vrf.unlock(ACCOUNT, PRF_FIRST.slice(), encryptedVrfKeypair)).toEqual({ vrfPublicKey });
  });

  /** The keypair of a seed, made apart from the wallet: ChaCha20 of node:crypto, ristretto255 of noble. */
  function publicKeyOf(seedHex: string): string {
    const stream = createCipheriv('chacha20', Buffer.from(seedHex, 'hex'), new Uint8Array(16));
    const wide = stream.update(new Uint8Array(64)).reverse();
    const secret = toBig(wide) % ristretto255.Point.Fn.ORDER;
    return base64urlnopad.encode(ristretto255.Point.BASE.multiply(secret).toBytes());
  }

  it('derives the pinned keypair of an account without a name, which a second implementation makes too', () => {
    const { accountId, vrfPublicKey } = vector('passkey-account.json');
    const derived = vrf.deriveKeypairFromPrf(accountId, PRF_FIRST.slice(), true);
    expect(derived.vrfPublicKey).toBe(vrfPublicKey);
    expect(publicKeyOf(vector('passkey-account.json').vrfSeed)).toBe(vrfPublicKey);
    expect(publicKeyOf(vector('key-derivation.json').vrfSeed)).toBe(
      vector('key-derivation.json').vrfPublicKey,
    );
    expect(vrf.status()).toMatchObject({ active: true, accountId });
  });

  it('keeps a derived keypair in memory on request', () => {
    const { vrfPublicKey } = vrf.deriveKeypairFromPrf(ACCOUNT, PRF_FIRST.slice(), true);
    expect(vrf.status()).toMatchObject({ active: true, accountId: ACCOUNT, vrfPublicKey });
  });

  it('encrypts under a fresh nonce each time', () => {
    const derive = () => vrf.deriveKeypairFromPrf(ACCOUNT, PRF_FIRST.slice(), false).encryptedVrfKeypair;
    expect(derive().chacha20NonceB64u).not.toBe(derive().chacha20NonceB64u);
  });

  it('says which step failed when it cannot derive', () => {
    expect(thrownBy(() => vrf.deriveKeypairFromPrf(ACCOUNT, new Uint8Array(32), true))).toEqual({
      code: 'WEAK_PRF_OUTPUT',
      message: expect.stringMatching(/^VRF keypair derivation failed: /),
    });
  });

  it('makes a new bootstrap keypair each time, without a session', () => {
    const first = vrf.generateKeypairBootstrap();
    expect(first).not.toHaveProperty('challenge');
    expect(vrf.status()).toEqual({ active: false, vrfPublicKey: first.vrfPublicKey });
    const second = vrf.generateKeypairBootstrap(CHALLENGE_INPUT);
    expect(second.vrfPublicKey).not.toBe(first.vrfPublicKey);
    expect(second.challenge).toMatchObject({
      vrfInput: inputVector.vrfInput,
      vrfPublicKey: second.vrfPublicKey,
    });
    // A later challenge uses the same keypair.
    expect(vrf.generateChallenge(CHALLENGE_INPUT)).toEqual(second.challenge);
  });

  it('says which step failed when a bootstrap’s input is malformed', () => {
    const input = { ...CHALLENGE_INPUT, blockHash: 'not base58: 0OIl' };
    expect(thrownBy(() => vrf.generateKeypairBootstrap(input))).toEqual({
      code: 'BLOCK_HASH_INVALID',
      message: expect.stringMatching(/^VRF bootstrap keypair generation failed: /),
    });
    expect(vrf.status()).toEqual({ active: false });
  });
});

describe('challenges (core 3, core 5, core 7, core 8)', () => {
  it('makes the pinned proof', () => {
    vrf.unlock(ACCOUNT, PRF_FIRST.slice(), storedKeypair());
    expect(vrf.generateChallenge(CHALLENGE_INPUT)).toEqual({
      vrfInput: proofVector.vrfInput,
      vrfOutput: proofVector.vrfOutput,
      vrfProof: proofVector.vrfProof,
      vrfPublicKey: proofVector.vrfPublicKey,
      userId: CHALLENGE_INPUT.userId,
      rpId: CHALLENGE_INPUT.rpId,
      blockHeight: '12345',
      blockHash: base64urlnopad.encode(Buffer.from(inputVector.blockHashHex, 'hex')),
      intentDigest: CHALLENGE_INPUT.intentDigest,
    });
  });

  it('refuses without a keypair', () => {
    expect(thrownBy(() => vrf.generateChallenge(CHALLENGE_INPUT))).toEqual({
      code: 'NOT_UNLOCKED',
      message: 'VRF challenge generation failed: VRF keypair not unlocked - please login first',
    });
  });

  it.each([
    ['BLOCK_HEIGHT_INVALID', { blockHeight: '-1' }],
    ['BLOCK_HASH_INVALID', { blockHash: 'abc' }],
    ['DIGEST_INVALID', { intentDigest: 'AAAA' }],
    ['USER_ID_MISSING', { userId: '' }],
    ['RP_ID_MISSING', { rpId: '' }],
    ['INVALID_INPUT', { blockHeight: 12345 as unknown as string }],
  ])('refuses malformed input: %s', (code, change) => {
    vrf.generateKeypairBootstrap();
    const refusal = thrownBy(() => vrf.generateChallenge({ ...CHALLENGE_INPUT, ...change }));
    expect(refusal.code).toBe(code);
  });
});

describe('an argument of another type', () => {
  const SECRET = 'do-not-repeat-me';
  const challenge = (input: unknown) => () => vrf.generateChallenge(input as vrf.ChallengeRequest);
  const bootstrap = (input: unknown) => () => vrf.generateKeypairBootstrap(input as vrf.ChallengeRequest);
  const unlock = (encrypted: unknown) => () =>
    vrf.unlock(ACCOUNT, PRF_FIRST.slice(), encrypted as vrf.EncryptedVrfKeypair);
  const { rpId: _, ...withoutRpId } = CHALLENGE_INPUT;

  it.each([
    [
      challenge({ ...CHALLENGE_INPUT, blockHeight: 12345 }),
      'VRF challenge generation failed: input.blockHeight must be a string',
    ],
    [
      challenge({ ...CHALLENGE_INPUT, intentDigest: { [SECRET]: SECRET } }),
      'VRF challenge generation failed: input.intentDigest must be a string',
    ],
    [challenge(withoutRpId), 'VRF challenge generation failed: input: missing field `rpId`'],
    [challenge(SECRET), 'VRF challenge generation failed: input must be struct ChallengeRequest'],
    [
      bootstrap({ ...CHALLENGE_INPUT, userId: [SECRET] }),
      'VRF bootstrap keypair generation failed: input.userId must be a string',
    ],
    [
      unlock({ ...storedKeypair(), chacha20NonceB64u: new TextEncoder().encode(SECRET) }),
      'encryptedVrfKeypair.chacha20NonceB64u must be a string',
    ],
    [unlock({}), 'encryptedVrfKeypair: missing field `encryptedVrfDataB64u`'],
  ])('is named by its path and not quoted: %#', (run, message) => {
    expect(thrownBy(run)).toEqual({ code: 'INVALID_INPUT', message });
    expect(vrf.status()).toEqual({ active: false });
  });
});

describe('server lock (core 4, core 7, core 8)', () => {
  const p = fromText(P);

  it.each([
    ['2048', P],
    ['4096', otherPrimes.standard.at(-1).p_b64u],
  ])('leaves no trace of the exponent or the result of a %s-bit power in memory', (_bits, prime) => {
    const { dB64u } = vrf.lockMakeServerKey(prime);
    const result = vrf.lockRemove(prime, dB64u, toText(3n ** 1000n));
    for (const text of [dB64u, result]) {
      const number = Buffer.from(base64urlnopad.decode(text));
      for (const start of [0, 64, number.length - 24]) {
        const part = number.subarray(start, start + 24);
        expect(Buffer.from(memory.buffer).includes(part)).toBe(false);
        expect(Buffer.from(memory.buffer).includes(Buffer.from(part).reverse())).toBe(false);
      }
    }
  });

  it('wraps and unwraps with a server that computes with BigInt', () => {
    vrf.unlock(ACCOUNT, PRF_FIRST.slice(), storedKeypair());
    const e = 65537n;
    const d = power(e, (p - 1n) / 2n - 2n, (p - 1n) / 2n);
    const { kekCB64u } = vrf.lockWrapStart();
    // A square: it lies in the subgroup of prime order.
    expect(power(fromText(kekCB64u), (p - 1n) / 2n, p)).toBe(1n);
    const wrapped = vrf.lockWrapFinish(toText(power(fromText(kekCB64u), e, p)), 'key-1');
    expect(wrapped.serverKeyId).toBe('key-1');

    vrf.logout();
    const first = vrf.lockUnwrapStart(wrapped.kek_s_b64u);
    const again = vrf.lockUnwrapStart(wrapped.kek_s_b64u);
    expect(again.kekCsB64u).not.toBe(first.kekCsB64u);
    const unlocked = vrf.lockUnwrapFinish(
      ACCOUNT,
      toText(power(fromText(again.kekCsB64u), d, p)),
      wrapped.ciphertextVrfB64u,
    );
    expect(unlocked).toEqual({ vrfPublicKey: proofVector.vrfPublicKey });
    expect(vrf.status()).toMatchObject({ active: true, accountId: ACCOUNT });
  });

  it('opens a record that another implementation wrapped', () => {
    const kek = power(toBig(randomBytes(256)), 2n, p);
    const { nonce, ciphertext } = seal(toBytes(kek), 'shamir3pass-kek-to-aead-key-v1', KEYPAIR);
    const server = vrf.lockMakeServerKey(P);
    const kekS = vrf.lockApply(P, server.eB64u, toText(kek));
    expect(kekS).toBe(toText(power(kek, fromText(server.eB64u), p)));
    const { kekCsB64u } = vrf.lockUnwrapStart(kekS);
    const kekC = vrf.lockRemove(P, server.dB64u, kekCsB64u);
    const blob = base64urlnopad.encode(Buffer.concat([nonce, ciphertext]));
    expect(vrf.lockUnwrapFinish(ACCOUNT, kekC, blob)).toEqual({ vrfPublicKey: proofVector.vrfPublicKey });
  });

  it('derives a server key’s id from its exponent', () => {
    const { eB64u, dB64u, keyId } = vrf.lockMakeServerKey(P);
    const id = createHash('sha256')
      .update('shamir3pass-key-id-v1')
      .update(base64urlnopad.decode(P))
      .update(base64urlnopad.decode(eB64u))
      .digest()
      .subarray(0, 16);
    expect(keyId).toBe(base64urlnopad.encode(id));
    expect((fromText(eB64u) * fromText(dB64u)) % (p - 1n)).toBe(1n);
    expect(vrf.lockMakeServerKey(P).keyId).not.toBe(keyId);
  });

  it('refuses a wrong answer of the server, and then needs a new start', () => {
    vrf.unlock(ACCOUNT, PRF_FIRST.slice(), storedKeypair());
    const { kekCB64u } = vrf.lockWrapStart();
    const { eB64u } = vrf.lockMakeServerKey(P);
    const wrapped = vrf.lockWrapFinish(vrf.lockApply(P, eB64u, kekCB64u), 'key-1');
    vrf.logout();
    const finish = () => vrf.lockUnwrapFinish(ACCOUNT, 'AgM', wrapped.ciphertextVrfB64u);
    vrf.lockUnwrapStart(wrapped.kek_s_b64u);
    expect(thrownBy(finish).code).toBe('DECRYPTION_FAILED');
    expect(thrownBy(finish).code).toBe('NOT_STARTED');
    expect(vrf.status()).toEqual({ active: false });
  });

  it.each([
    ['does nothing', (sent: bigint) => sent],
    ['changes only the sign', (sent: bigint) => p - sent],
    ['inverts', (sent: bigint) => power(sent, p - 2n, p)],
  ])('stores nothing under the lock of a server that %s [S50]', (_, answer) => {
    vrf.unlock(ACCOUNT, PRF_FIRST.slice(), storedKeypair());
    const { kekCB64u } = vrf.lockWrapStart();
    const kekCs = toText(answer(fromText(kekCB64u)));
    expect(thrownBy(() => vrf.lockWrapFinish(kekCs, 'key-1'))).toEqual({
      code: 'LOCK_MISSING',
      message: "VRF encrypt-current failed: the server's lock does not lock: its answer shows what was sent",
    });
  });

  it('needs a keypair, a start and the server’s key id to wrap', () => {
    expect(thrownBy(() => vrf.lockWrapStart())).toEqual({
      code: 'NO_KEYPAIR',
      message: 'VRF encrypt-current failed: No VRF keypair in memory - please generate keypair first',
    });
    vrf.generateKeypairBootstrap();
    expect(thrownBy(() => vrf.lockWrapFinish('Ag', 'key-1')).code).toBe('NOT_STARTED');
    const { kekCB64u } = vrf.lockWrapStart();
    expect(thrownBy(() => vrf.lockWrapFinish(kekCB64u, ''))).toEqual({
      code: 'KEY_ID_MISSING',
      message: 'VRF encrypt-current failed: Server did not return keyId from apply-server-lock',
    });
  });

  it.each([
    ['1', 1n],
    ['p - 1', p - 1n],
    ['p', p],
    ['p + 2', p + 2n],
  ])('refuses the value %s', (_, value) => {
    expect(thrownBy(() => vrf.lockUnwrapStart(toText(value))).code).toBe('ELEMENT_OUT_OF_RANGE');
    const { eB64u } = vrf.lockMakeServerKey(P);
    expect(thrownBy(() => vrf.lockApply(P, eB64u, toText(value))).code).toBe('ELEMENT_OUT_OF_RANGE');
  });

  it.each([
    ['no text', ''],
    ['zero', 'AA'],
    ['a leading zero', 'AAI'],
    ['padding', 'Ag=='],
    ['the standard alphabet', '+/+/'],
  ])('refuses a number with %s', (_, text) => {
    expect(thrownBy(() => vrf.lockUnwrapStart(text)).code).toBe('NUMBER_INVALID');
  });

  it.each([
    ['1', 1n],
    ['an even number', 2n],
    ['the order of the subgroup', (p - 1n) / 2n],
    ['a number above p', p + 2n],
  ])('refuses %s as exponent', (_, exponent) => {
    expect(thrownBy(() => vrf.lockApply(P, toText(exponent), 'AgM')).code).toBe('EXPONENT_INVALID');
  });

  it('refuses a group that is too small, too large or not of a safe prime', () => {
    const configured = (number: bigint) => thrownBy(() => vrf.configureShamirP(toText(number))).code;
    expect(configured(fromText(otherPrimes.safe1024.p_b64u))).toBe('PRIME_TOO_SMALL');
    expect(configured((1n << 4096n) + 3n)).toBe('PRIME_TOO_LARGE');
    expect(configured(p - 2n)).toBe('PRIME_NOT_SAFE');
    expect(configured(p + 4n)).toBe('PRIME_NOT_SAFE');
    expect(configured(fromText(otherPrimes.unsafe2048.p_b64u))).toBe('PRIME_NOT_SAFE');
  });

  it('accepts every group of RFC 3526 and RFC 7919 up to 4096 bits, and tests another prime once', () => {
    for (const { p_b64u } of otherPrimes.standard) vrf.configureShamirP(p_b64u);
    vrf.configureShamirP(otherPrimes.safe2048.p_b64u);
    // CPU time of this process, so that a pause does not count.
    const before = process.cpuUsage();
    vrf.configureShamirP(otherPrimes.safe2048.p_b64u);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(50_000);
    const server = vrf.lockMakeServerKey(otherPrimes.safe2048.p_b64u);
    const locked = vrf.lockApply(otherPrimes.safe2048.p_b64u, server.eB64u, 'AgM');
    expect(vrf.lockRemove(otherPrimes.safe2048.p_b64u, server.dB64u, locked)).toBe('AgM');
  });
});
