/** Tests the keys, signatures and registrations of the built signer WASM. Run scripts/build.sh wasm first. */
import { readFileSync } from 'node:fs';
import { base58, base64urlnopad, hex } from '@scure/base';
import fc from 'fast-check';
import { KeyPair } from 'near-api-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { signByNearApiJs } from '../../../tests/vectors/generate-near-transactions.mjs';
import * as signer from '../../wasm/signer/signer.js';
import { accountId, encodableRequest } from '../intent/testing/arbitraries.js';
import { withBytes } from '../intent/testing/vector-actions.js';
import { attestationObject, coseKey } from './testing/attestation.js';
import {
  ACCOUNT,
  BLOCK_HASH,
  bytes,
  clientData,
  expectCode,
  hexOf,
  loadSigner,
  otherPrf,
  prfFirst,
  prfSecond,
  RP_ID,
  type TransactionCase,
  utf8,
  vector,
} from './testing/signer-wasm.js';

beforeAll(loadSigner);

describe('deriving and decrypting keys (core 7, core 8)', () => {
  const keys = vector('key-derivation.json');

  test('derives the pinned key and encrypts it so that PRF.first opens it', () => {
    const { publicKey, encryptedPrivateKey } = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    expect(publicKey).toBe(keys.nearPublicKey);
    const privateKey = utf8(signer.decryptPrivateKey(ACCOUNT, prfFirst(), encryptedPrivateKey));
    expect(privateKey).toBe(`ed25519:${base58.encode(hex.decode(keys.nearSeed + hexOf(publicKey)))}`);
    expect(base64urlnopad.decode(encryptedPrivateKey.iv)).toHaveLength(12);
  });

  test('derives the pinned account of the passkey alone, whose id then stands for it', () => {
    const file = vector('passkey-account.json');
    const { accountId, key } = signer.derivePasskeyAccount(prfFirst(), prfSecond());
    expect(accountId).toBe(file.accountId);
    expect(key.publicKey).toBe(file.nearPublicKey);
    expect(hexOf(key.publicKey)).toBe(accountId);
    const privateKey = utf8(signer.decryptPrivateKey(accountId, prfFirst(), key.encryptedPrivateKey));
    expect(privateKey).toBe(`ed25519:${base58.encode(hex.decode(file.nearSeed + accountId))}`);
    expect(signer.deriveAndEncrypt(accountId, prfFirst(), prfSecond()).publicKey).toBe(key.publicKey);
    expect(signer.derivePasskeyAccount(prfFirst(), otherPrf()).accountId).not.toBe(accountId);
  });

  test('recovers the same key under a fresh nonce', () => {
    const derived = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    const recovered = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    expect(recovered.publicKey).toBe(derived.publicKey);
    expect(recovered.encryptedPrivateKey.iv).not.toBe(derived.encryptedPrivateKey.iv);
  });

  test('derives another key for another account or passkey, and that opens nothing', () => {
    const { publicKey, encryptedPrivateKey } = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    expect(signer.deriveAndEncrypt('bob.testnet', prfFirst(), prfSecond()).publicKey).not.toBe(publicKey);
    expectCode(
      () => signer.decryptPrivateKey('bob.testnet', prfFirst(), encryptedPrivateKey),
      'DECRYPTION_FAILED',
    );
    const withAnother = () => signer.decryptPrivateKey(ACCOUNT, otherPrf(), encryptedPrivateKey);
    expectCode(withAnother, 'DECRYPTION_FAILED');
    expect(withAnother).toThrow('Private key decryption failed');
  });

  test('refuses altered and malformed ciphertexts', () => {
    const { encryptedPrivateKey } = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    const data = base64urlnopad.decode(encryptedPrivateKey.encryptedData);
    data[0] = (data[0] ?? 0) ^ 1;
    const altered = { ...encryptedPrivateKey, encryptedData: base64urlnopad.encode(data) };
    expectCode(() => signer.decryptPrivateKey(ACCOUNT, prfFirst(), altered), 'DECRYPTION_FAILED');
    const malformed = { ...encryptedPrivateKey, iv: 'AAAA' };
    expectCode(() => signer.decryptPrivateKey(ACCOUNT, prfFirst(), malformed), 'MALFORMED_CIPHERTEXT');
  });

  test('refuses weak and short PRF outputs', () => {
    const derive = (first: Uint8Array, second: Uint8Array) => () =>
      signer.deriveAndEncrypt(ACCOUNT, first, second);
    expectCode(derive(new Uint8Array(32), prfSecond()), 'WEAK_PRF_OUTPUT');
    expectCode(derive(prfFirst(), new Uint8Array(32)), 'WEAK_PRF_OUTPUT');
    expectCode(derive(prfFirst().subarray(1), prfSecond()), 'INVALID_PRF_LENGTH');
    expectCode(derive(new Uint8Array(0), prfSecond()), 'INVALID_PRF_LENGTH');
  });

  test('exports a key only when it belongs to the public key', () => {
    const { publicKey, encryptedPrivateKey } = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    const privateKey = utf8(signer.exportPrivateKey(ACCOUNT, prfFirst(), encryptedPrivateKey, publicKey));
    const keyPair = KeyPair.fromString(privateKey as Parameters<typeof KeyPair.fromString>[0]);
    expect(keyPair.getPublicKey().toString()).toBe(publicKey);
    const other = signer.deriveAndEncrypt('bob.testnet', prfFirst(), prfSecond()).publicKey;
    expectCode(
      () => signer.exportPrivateKey(ACCOUNT, prfFirst(), encryptedPrivateKey, other),
      'KEY_MISMATCH',
    );
  });
});

/** near-primitives' transactions that a request asks for, with the key of this file: of version 1 where it has to be. */
const ofProtocol85 = (
  JSON.parse(
    readFileSync(
      new URL('../../../tests/vectors/near-primitives-transactions.json', import.meta.url),
      'utf8',
    ),
  ).cases as readonly Protocol85Case[]
).filter(({ name, publicKey }) => publicKey.startsWith('ed25519:') && name !== 'version 1 without either');

interface Protocol85Case {
  readonly name: string;
  readonly publicKey: string;
  readonly transaction: Omit<signer.KeyPairTransaction, 'signerAccountId' | 'actions'> & {
    readonly signerId: string;
    readonly actions: readonly unknown[];
  };
  readonly version1: signer.Version1 | null;
  readonly borsh: string;
  readonly hash: string;
}

describe('signing with a key pair (core 3, core 7)', () => {
  const file = vector('near-transactions.json');

  test.each(file.cases as TransactionCase[])(
    'signs as near-api-js does: $name',
    async ({ transaction, borsh, hash, signature }) => {
      const actions = transaction.actions.map(withBytes);
      const { signerId, ...rest } = transaction;
      const signed = signer.signWithKeyPair(bytes(file.privateKey), {
        ...rest,
        signerAccountId: signerId,
        actions,
      });
      expect(hex.encode(signed.borshBytes)).toBe(borsh);
      expect(signed.hash).toBe(hash);
      expect(signed.signature).toBe(signature);
      expect(signed.transaction).toEqual({ ...transaction, actions, publicKey: file.publicKey });

      const live = await signByNearApiJs(file.privateKey, { ...transaction, actions });
      expect(hex.encode(live.borshBytes)).toBe(borsh);
      expect(live).toMatchObject({ hash, signature });
    },
  );

  test.each(ofProtocol85)('signs what near-primitives writes: $name', (each) => {
    const { signerId, actions, ...transaction } = each.transaction;
    const signed = signer.signWithKeyPair(bytes(file.privateKey), {
      ...transaction,
      signerAccountId: signerId,
      actions: actions.map(withBytes),
    });
    expect(hex.encode(signed.borshBytes)).toBe(each.borsh);
    expect(signed.hash).toBe(each.hash);
    expect(signed.transaction.version1).toEqual(each.version1 ?? undefined);
  });

  test('signs as near-api-js does, for random transactions', async () => {
    await fc.assert(
      fc.asyncProperty(
        encodableRequest,
        accountId,
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
        fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) => base58.encode(hash)),
        async ({ receiverId, actions }, signerId, nonce, blockHash) => {
          const transaction = { receiverId, nonce, blockHash, actions: [...actions] };
          const signed = signer.signWithKeyPair(bytes(file.privateKey), {
            ...transaction,
            signerAccountId: signerId,
          });
          const live = await signByNearApiJs(file.privateKey, { ...transaction, signerId });
          expect(hex.encode(signed.borshBytes)).toBe(hex.encode(live.borshBytes));
          expect(signed.hash).toBe(live.hash);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('refuses malformed private keys', () => {
    const transaction = {
      signerAccountId: ACCOUNT,
      receiverId: 'bob.testnet',
      nonce: '1',
      blockHash: BLOCK_HASH,
      actions: [],
    };
    expectCode(() => signer.signWithKeyPair(bytes('ed25519:abc'), transaction), 'INVALID_PRIVATE_KEY');
    const halves = base58.decode(file.privateKey.slice('ed25519:'.length));
    halves[40] = (halves[40] ?? 0) ^ 1;
    expectCode(
      () => signer.signWithKeyPair(bytes(`ed25519:${base58.encode(halves)}`), transaction),
      'PRIVATE_KEY_MISMATCH',
    );
  });
});

describe('registration (core 5, core 7)', () => {
  const challenge = new Uint8Array(32).fill(8);
  const credential = (change: { flags?: number; rpId?: string; origin?: string; type?: string } = {}) => {
    const data = clientData(challenge, change.type ?? 'webauthn.create', change.origin);
    return {
      id: base64urlnopad.encode(bytes('credential-1')),
      rawId: base64urlnopad.encode(bytes('credential-1')),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: base64urlnopad.encode(data),
        attestationObject: base64urlnopad.encode(
          attestationObject({ rpId: RP_ID, credentialId: bytes('credential-1'), ...change }),
        ),
        transports: ['internal', 'hybrid'],
      },
    };
  };
  const confirm = (change = {}, fields = {}) =>
    signer.confirmRegistrationCredential({
      credential: credential(change),
      expectedChallenge: base64urlnopad.encode(challenge),
      rpId: RP_ID,
      ...fields,
    });

  test('confirms a valid credential and returns its properties', () => {
    expect(confirm()).toEqual({
      credentialId: base64urlnopad.encode(bytes('credential-1')),
      credentialPublicKey: coseKey(),
      algorithm: -7,
      userPresent: true,
      userVerified: true,
      backupEligible: true,
      backupState: true,
      signCount: 0,
      aaguid: '01020304-0506-0708-090a-0b0c0d0e0f10',
      attestationFormat: 'none',
    });
  });

  test('refuses another challenge, site, origin or ceremony, and tells an unverified user', () => {
    const refused = (change: object, fields?: object) =>
      expectCode(() => confirm(change, fields), 'INVALID_CREDENTIAL');
    refused({}, { expectedChallenge: base64urlnopad.encode(new Uint8Array(32)) });
    refused({ rpId: 'evil.example' });
    refused({ origin: 'https://evil.example' });
    refused({ origin: 'https://evilwallet.example' });
    refused({ type: 'webauthn.get' });
    refused({ flags: 0x5d & ~0x01 });
    refused({ flags: 0x5d & ~0x40 });
    expect(confirm({ flags: 0x5d & ~0x04 }).userVerified).toBe(false);
  });

  test('refuses a P-256 key off the curve', () => {
    const object = attestationObject({ rpId: RP_ID, credentialId: bytes('credential-1') });
    // The object ends with the key's y; its parity stays.
    object[object.length - 1] = (object.at(-1) ?? 0) ^ 2;
    expectCode(() => signer.extractCosePublicKey(object), 'INVALID_CREDENTIAL');
  });

  test('accepts a related origin only when it is named', () => {
    const origin = { origin: 'https://app.other' };
    expectCode(() => confirm(origin), 'INVALID_CREDENTIAL');
    expect(confirm(origin, { allowedOrigins: ['https://app.other'] }).userVerified).toBe(true);
  });

  test('extracts the COSE key of an attestation object', () => {
    const object = attestationObject({ rpId: RP_ID, credentialId: bytes('credential-1') });
    expect(signer.extractCosePublicKey(object)).toEqual(coseKey());
    expectCode(() => signer.extractCosePublicKey(object.subarray(0, -1)), 'INVALID_CREDENTIAL');
    expectCode(() => signer.extractCosePublicKey(new Uint8Array()), 'INVALID_CREDENTIAL');
  });
});

// ---------------------------------------------------------------- helpers
