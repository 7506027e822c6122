import { base58 } from '@scure/base';
import fc from 'fast-check';
import {
  type Action,
  actions,
  createTransaction,
  encodeTransaction,
  KeyPair,
  KeyPairSigner,
  PublicKey,
} from 'near-api-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../http/refusal.js';
import { Secret } from '../platform/secret.js';
import { loadRelayModule } from '../platform/wasm.js';
import { createTransactionSigner } from '../relayer/transaction-signer.js';
import { makeDelegate } from '../testing/delegate.js';
import { isSignatureValid, readSignedDelegate } from './delegate-codec.js';

const SIGNATURE_BYTES = 64;
/** Before the signature come the sender's key, its curve byte and the signature's own curve byte. */
const KEY_AND_SIGNATURE_BYTES = 32 + 1 + SIGNATURE_BYTES;

beforeAll(loadRelayModule);

/** The bytes of a signed delegate, with another signature. */
const withSignature = (bytes: Uint8Array, signature: Uint8Array) =>
  readSignedDelegate(Uint8Array.from([...bytes.subarray(0, -SIGNATURE_BYTES), ...signature]));

const ed25519 = PublicKey.fromString('ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2');
const secp256k1 = KeyPair.fromRandom('secp256k1').getPublicKey();

/** near-api-js's action, and what the relay reads from it. */
const READ: [string, Action, object][] = [
  ['CreateAccount', actions.createAccount(), {}],
  ['DeployContract', actions.deployContract(new Uint8Array([0, 97, 115, 109])), {}],
  [
    'FunctionCall',
    actions.functionCall('greet', { to: 'you' }, 2n ** 64n - 1n, 2n ** 128n - 1n),
    { methodName: 'greet', gas: 2n ** 64n - 1n, depositYocto: 2n ** 128n - 1n },
  ],
  [
    'FunctionCall',
    actions.functionCall('\u{feff}grüße', new Uint8Array(), 1n, 2n ** 64n),
    { methodName: '\u{feff}grüße', gas: 1n, depositYocto: 2n ** 64n },
  ],
  ['Transfer', actions.transfer(5n), { depositYocto: 5n }],
  ['Stake', actions.stake(6n, ed25519), {}],
  ['AddKey', actions.addFullAccessKey(ed25519), {}],
  ['AddKey', actions.addFullAccessKey(secp256k1), {}],
  ['AddKey', actions.addFunctionCallAccessKey(ed25519, 'shop.testnet', ['buy', 'sell'], 3n), {}],
  ['AddKey', actions.addFunctionCallAccessKey(ed25519, 'shop.testnet', []), {}],
  ['DeleteKey', actions.deleteKey(secp256k1), {}],
  ['DeleteAccount', actions.deleteAccount('bob.testnet'), {}],
];

const refusalOf = (bytes: Uint8Array): Refusal => {
  try {
    readSignedDelegate(bytes);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('the bytes were read');
};

describe('a signed delegate of near-api-js', () => {
  it.each(READ)('with %s reads back as it was written', async (kind, action, expected) => {
    const key = KeyPair.fromRandom('ed25519');
    const parts = { actions: [action], nonce: 2n ** 64n - 1n, maxBlockHeight: 2n ** 53n + 1n, key };
    const { bytes, hash } = await makeDelegate(parts);
    const delegate = readSignedDelegate(bytes);
    expect(delegate).toMatchObject({
      senderId: 'alice.testnet',
      receiverId: 'w3a-v1.testnet',
      nonce: parts.nonce,
      maxBlockHeight: parts.maxBlockHeight,
      publicKey: key.getPublicKey().toString(),
      hash,
      bytes: Uint8Array.from(bytes),
    });
    expect(delegate.actions).toEqual([{ kind, gas: 0n, depositYocto: 0n, ...expected }]);
    expect(isSignatureValid(delegate)).toBe(true);
  });

  it('with all kinds of action keeps their order', async () => {
    const { bytes } = await makeDelegate({ actions: READ.map(([, action]) => action) });
    expect(readSignedDelegate(bytes).actions.map(({ kind }) => kind)).toEqual(READ.map(([kind]) => kind));
  });

  it.each([
    ['DeployGlobalContract', actions.deployGlobalContract(new Uint8Array(3), 'codeHash')],
    ['UseGlobalContract', actions.useGlobalContract({ accountId: 'code.testnet' })],
  ])('with %s is refused, and the refusal names the kind', async (kind, action) => {
    const refusal = refusalOf((await makeDelegate({ actions: [action] })).bytes);
    expect(refusal).toMatchObject({ code: 'not_allowed', message: expect.stringContaining(kind) });
  });

  it('with a delegate inside is refused, and the refusal names the kind', async () => {
    const inner = await makeDelegate();
    const outer = (await makeDelegate({ actions: [actions.createAccount()] })).bytes;
    const at = 4 + 'alice.testnet'.length + 4 + 'w3a-v1.testnet'.length + 4;
    const nested = Uint8Array.from([...outer.subarray(0, at), 8, ...inner.bytes, ...outer.subarray(at + 1)]);
    expect(refusalOf(nested)).toMatchObject({
      code: 'not_allowed',
      message: 'This relay does not pay for a delegate inside a delegate.',
    });
  });

  it('with a secp256k1 key is refused', async () => {
    const { bytes } = await makeDelegate({ key: KeyPair.fromRandom('secp256k1') });
    expect(refusalOf(bytes)).toMatchObject({ code: 'invalid_request', message: /ed25519/ });
  });

  it('becomes the same transaction that near-api-js would wrap around it', async () => {
    const { bytes, signedDelegate } = await makeDelegate();
    const key = KeyPair.fromRandom('ed25519');
    const signer = createTransactionSigner('relayer.testnet', [new Secret(key.toString())]);
    const blockHash = new Uint8Array(32).fill(3);
    const place = { nonce: '12', blockHash: base58.encode(blockHash) };
    const [publicKey = ''] = signer.publicKeys;
    const transaction = createTransaction(
      signer.accountId,
      key.getPublicKey(),
      'alice.testnet',
      12n,
      [actions.signedDelegate(signedDelegate)],
      blockHash,
    );
    const theirs = await new KeyPairSigner(key).signTransaction(transaction);
    const ours = signer.signDelegate(publicKey, place, readSignedDelegate(bytes).bytes);
    expect(ours.borshBytes).toEqual(Uint8Array.from(encodeTransaction(theirs.signedTransaction)));
    expect(ours.hash).toBe(base58.encode(theirs.txHash));
  });
});

describe('a signature', () => {
  it('is invalid for another key, another delegate or a changed bit', async () => {
    const [one, other] = [await makeDelegate(), await makeDelegate({ nonce: 8n })];
    const [ofOne, ofOther] = [one, other].map(({ bytes }) => Uint8Array.from(bytes).slice(-SIGNATURE_BYTES));
    expect(isSignatureValid(withSignature(one.bytes, ofOne!))).toBe(true);
    expect(isSignatureValid(withSignature(one.bytes, ofOther!))).toBe(false);
    for (let bit = 0; bit < 512; bit += 37) {
      const signature = ofOne!.slice();
      signature[bit >> 3]! ^= 1 << (bit & 7);
      expect(isSignatureValid(withSignature(one.bytes, signature))).toBe(false);
    }
  });

  it('is invalid in its other form, with the scalar above the order of the curve', async () => {
    const { bytes } = await makeDelegate();
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const signature = Uint8Array.from(bytes).slice(-SIGNATURE_BYTES);
    const scalar = signature.slice(32);
    let sum = scalar.reduceRight((value, byte) => (value << 8n) + BigInt(byte), 0n) + order;
    for (let at = 32; at < 64; at += 1, sum >>= 8n) signature[at] = Number(sum & 0xffn);
    expect(isSignatureValid(readSignedDelegate(bytes))).toBe(true);
    expect(isSignatureValid(withSignature(bytes, signature))).toBe(false);
  });

  it('is invalid when the key is no point of the curve', async () => {
    const { bytes } = await makeDelegate();
    const at = bytes.length - KEY_AND_SIGNATURE_BYTES;
    for (const fill of [0, 2, 0xff]) {
      const changed = Uint8Array.from(bytes).fill(fill, at, at + 32);
      const delegate = readSignedDelegate(changed);
      expect(delegate.publicKey).toBe(`ed25519:${base58.encode(new Uint8Array(32).fill(fill))}`);
      expect(isSignatureValid(delegate)).toBe(false);
    }
  });
});

describe('hostile bytes', () => {
  it('are refused when they end early or continue after the end', async () => {
    const { bytes } = await makeDelegate({ actions: READ.map(([, action]) => action) });
    for (let length = 0; length < bytes.length; length += 1) {
      expect(refusalOf(bytes.subarray(0, length)).code).toBe('invalid_request');
    }
    expect(refusalOf(Uint8Array.from([...bytes, 0]))).toMatchObject({ message: /after the end/ });
  });

  it('are refused before anything is allocated when they announce lists and texts of billions', async () => {
    const { bytes } = await makeDelegate();
    const lengths = [0, 4 + 'alice.testnet'.length, 8 + 'alice.testnet'.length + 'w3a-v1.testnet'.length];
    for (const at of [...lengths, lengths[2]! + 4 + 1]) {
      const changed = Uint8Array.from(bytes);
      changed.fill(0xff, at, at + 4);
      expect(refusalOf(changed).code).toBe('invalid_request');
    }
  });

  it('are refused when a method or an account is not UTF-8', async () => {
    const { bytes } = await makeDelegate();
    const at = new TextDecoder('latin1').decode(Uint8Array.from(bytes)).indexOf('set_greeting');
    for (const invalid of [[0xc0, 0x80], [0xed, 0xa0, 0x80], [0xff]]) {
      const changed = Uint8Array.from(bytes);
      changed.set(invalid, at);
      expect(refusalOf(changed)).toMatchObject({ message: /UTF-8/ });
    }
  });

  it.each(['A.testnet', 'a..testnet', 'a', '-a.testnet', 'a b.testnet', '', `${'a'.repeat(65)}`])(
    'are refused for the account id %j',
    async (senderId) => {
      expect(refusalOf((await makeDelegate({ senderId })).bytes).code).toBe('invalid_request');
    },
  );

  it('give a delegate or a refusal, and a delegate reads back as it was written', async () => {
    const { bytes } = await makeDelegate({ actions: READ.map(([, action]) => action) });
    const mutated = fc
      .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, byte] of changes) copy[at] = byte;
        return copy;
      });
    const any = fc.oneof(mutated, fc.uint8Array({ maxLength: 400 }));
    fc.assert(
      fc.property(any, (input) => {
        try {
          expect(readSignedDelegate(input).bytes).toEqual(input);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect(['invalid_request', 'not_allowed']).toContain((error as Refusal).code);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
