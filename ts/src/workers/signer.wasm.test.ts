/** Tests every operation of the built signer WASM. Run scripts/build.sh wasm first. */
import { readFileSync } from 'node:fs';
import { base58, base64, base64urlnopad, hex } from '@scure/base';
import fc from 'fast-check';
import { KeyPair, PublicKey } from 'near-api-js';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  signByNearApiJs,
  signDelegateByNearApiJs,
} from '../../../tests/vectors/generate-near-transactions.mjs';
import * as signer from '../../wasm/signer/signer.js';
import { delegateDigest, nep413Digest, transactionsDigest } from '../intent/index.js';
import { accountId, text, transactionRequest } from '../intent/testing/arbitraries.js';
import type { Action, TransactionRequest } from '../types.js';
import { attestationObject, coseKey } from './testing/attestation.js';

const vector = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}`, import.meta.url), 'utf8'));

const ACCOUNT = 'alice.testnet';
const RP_ID = 'wallet.example';
const BLOCK_HASH = base58.encode(new Uint8Array(32).fill(3));
const prfFirst = () => Uint8Array.from({ length: 32 }, (_, index) => index);
const prfSecond = () => Uint8Array.from({ length: 32 }, (_, index) => index + 32);
const otherPrf = () => new Uint8Array(32).fill(9);

beforeAll(() => {
  signer.initSync({ module: readFileSync(new URL('../../wasm/signer/signer_bg.wasm', import.meta.url)) });
});

describe('deriving and decrypting keys', () => {
  const keys = vector('key-derivation.json');

  test('derives the pinned key and encrypts it so that PRF.first opens it', () => {
    const { publicKey, encryptedPrivateKey } = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());
    expect(publicKey).toBe(keys.nearPublicKey);
    const privateKey = utf8(signer.decryptPrivateKey(ACCOUNT, prfFirst(), encryptedPrivateKey));
    expect(privateKey).toBe(`ed25519:${base58.encode(hex.decode(keys.nearSeed + hexOf(publicKey)))}`);
    expect(base64urlnopad.decode(encryptedPrivateKey.iv)).toHaveLength(12);
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
    expectCode(() => signer.decryptPrivateKey(ACCOUNT, otherPrf(), encryptedPrivateKey), 'DECRYPTION_FAILED');
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

describe('signing with a key pair', () => {
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

  test('signs as near-api-js does, for random transactions', async () => {
    await fc.assert(
      fc.asyncProperty(
        transactionRequest,
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

describe('the digest', () => {
  test('is the same in Rust and TypeScript for random transactions of all eight actions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transactionRequest, { minLength: 1, maxLength: 3 }), async (transactions) => {
        const { handle, digest } = prepare(transactions);
        signer.release(handle);
        expect(digest).toBe(await transactionsDigest(transactions));
      }),
      { numRuns: 500 },
    );
  });

  test('is the same in Rust and TypeScript for random delegates, and differs from that of transactions', async () => {
    await fc.assert(
      fc.asyncProperty(transactionRequest, fc.nat(), async (request, blocks) => {
        const { handle, digest } = prepareDelegate([request], String(blocks));
        signer.release(handle);
        expect(digest).toBe(await delegateDigest(request, blocks));
        expect(digest).not.toBe(await transactionsDigest([request]));
      }),
      { numRuns: 300 },
    );
  });

  test('is the same in Rust and TypeScript for random messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        accountId,
        text,
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.option(text, { nil: undefined }),
        async (account, message, recipient, nonce, callbackUrl) => {
          const { publicKey } = derived();
          const request = { accountId: account, publicKey, rpId: RP_ID, message, recipient, nonce };
          const intent = callbackUrl === undefined ? request : { ...request, callbackUrl };
          const { handle, digest } = signer.prepareNep413(intent);
          signer.release(handle);
          expect(digest).toBe(await nep413Digest({ ...intent, nonce: base64.encode(nonce) }));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('preparing transactions', () => {
  const prepareAction = (action: object) => () =>
    prepare([{ receiverId: 'bob.testnet', actions: [action as Action] }]);
  const call = { type: 'FunctionCall', methodName: 'm', args: '{}', gas: '1', deposit: '0' };

  test("refuses malformed actions with the specification's texts", () => {
    expect(prepareAction({ ...call, args: '{' })).toThrow(
      'FunctionCall action args must be valid JSON string',
    );
    expectCode(prepareAction({ ...call, args: '{' }), 'INVALID_ARGS');
    expect(prepareAction({ ...call, methodName: '' })).toThrow('method_name required for FunctionCall');
    expect(prepareAction({ type: 'Transfer' })).toThrow('deposit required for Transfer');
    expect(prepareAction({ type: 'DeployContract', code: new Uint8Array() })).toThrow(
      'code required for DeployContract',
    );
    expectCode(prepareAction({ type: 'Delegate' }), 'UNSUPPORTED_ACTION_TYPE');
    expect(() => prepare([])).toThrow('No payloads provided for signing');
  });

  test('refuses numbers that are not plain decimal strings', () => {
    for (const amount of ['01', '+1', '1e3', '-1', '1.5', ' 1', (2n ** 128n).toString()]) {
      expectCode(prepareAction({ type: 'Transfer', amount }), 'INVALID_NUMBER');
    }
    expectCode(prepareAction({ type: 'Transfer', amount: 1 }), 'INVALID_INPUT');
    expect(prepareAction({ type: 'Transfer', amount: 1 })).toThrow('amount must be a string');
  });

  test('refuses malformed accounts, keys and permissions', () => {
    expectCode(() => prepare([{ receiverId: 'Bob', actions: [] }]), 'INVALID_ACCOUNT_ID');
    expectCode(() => prepare([{ receiverId: '', actions: [] }]), 'MISSING_RECEIVER');
    expectCode(prepareAction({ type: 'DeleteKey', publicKey: 'ed25519:x' }), 'INVALID_PUBLIC_KEY');
    const addKey = { type: 'AddKey', publicKey: derived().publicKey };
    expectCode(prepareAction(addKey), 'MISSING_FIELD');
    expectCode(prepareAction({ ...addKey, accessKey: { permission: 'Full' } }), 'INVALID_INPUT');
    const bounds = { allowance: null, receiverId: 'bob.testnet' };
    expectCode(
      prepareAction({ ...addKey, accessKey: { permission: { FunctionCall: bounds } } }),
      'MISSING_FIELD',
    );
  });

  test('names the field and the expected form in an error, and repeats none of the input', () => {
    const secret = 'do-not-repeat-me, expected of nobody';
    const addKey = { type: 'AddKey', publicKey: derived().publicKey };
    for (const action of [
      { type: secret },
      { type: 'Transfer', amount: secret },
      { type: 'Transfer', amount: { [secret]: 1 } },
      { type: 'DeployContract', code: secret },
      { ...addKey, accessKey: secret },
      { ...addKey, accessKey: { permission: secret } },
      { ...addKey, accessKey: { permission: { [secret]: {} } } },
      { ...call, args: secret },
    ]) {
      const { message } = thrownBy(prepareAction(action));
      expect(message).not.toContain('do-not-repeat-me');
      expect(message).not.toContain('nobody');
    }
    expect(thrownBy(prepareAction({ type: 'Transfer', amount: 1 })).message).toBe(
      'request.transactions[0].actions[0].amount must be a string',
    );
    const unknown = prepareAction({ ...addKey, accessKey: { permission: secret } });
    expect(thrownBy(unknown).message).toBe(
      'request.transactions[0].actions[0].accessKey.permission must be `FullAccess` or `FunctionCall`',
    );
  });

  test('names an absent field, an absent object and bytes of another type', () => {
    const request = {
      signerAccountId: ACCOUNT,
      publicKey: derived().publicKey,
      rpId: RP_ID,
      transactions: [],
    };
    const { rpId: _, ...without } = request;
    const prepareRaw = (value: unknown) => () =>
      signer.prepareTransactions(value as Parameters<typeof signer.prepareTransactions>[0]);
    for (const [value, message] of [
      [without, 'request: missing field `rpId`'],
      [{ ...request, rpId: null }, 'request.rpId must be a string'],
      [undefined, 'request must be struct TransactionsToSign'],
    ]) {
      const thrown = thrownBy(prepareRaw(value));
      expect(thrown).toMatchObject({ code: 'INVALID_INPUT', message });
    }
    expectCode(prepareAction({ type: 'DeployContract', code: 'AAAA' }), 'INVALID_INPUT');
  });
});

describe('signing prepared transactions', () => {
  const transactions: TransactionRequest[] = [
    {
      receiverId: 'w3a-v1.testnet',
      actions: [
        {
          type: 'FunctionCall',
          methodName: 'set_greeting',
          args: '{"greeting":"hi"}',
          gas: '30000000000000',
          deposit: '0',
        },
      ],
    },
    { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '5' }] },
  ];

  test('signs every transaction when the passkey approved exactly these', async () => {
    const { handle, digest } = prepare(transactions);
    approve(handle, await approvalOf(digest));
    const signed = signer.sign(handle, ['7', '8'], BLOCK_HASH);
    const privateKey = utf8(signer.decryptPrivateKey(ACCOUNT, prfFirst(), derived().encryptedPrivateKey));
    for (const [index, request] of transactions.entries()) {
      const live = await signByNearApiJs(privateKey, {
        ...request,
        signerId: ACCOUNT,
        nonce: String(7 + index),
        blockHash: BLOCK_HASH,
      });
      expect(signed[index]).toMatchObject({ hash: live.hash, signature: live.signature });
    }
    expect(signed).toHaveLength(2);
  });

  test('signs again under the same approval, with other nonces, until the release', async () => {
    const { handle, digest } = prepare(transactions);
    const sign = (nonces: string[]) => signer.sign(handle, nonces, BLOCK_HASH);
    expectCode(() => sign(['9', '10']), 'NOT_APPROVED');
    approve(handle, await approvalOf(digest));
    const first = sign(['7', '8']);
    const again = sign(['9', '10']);
    expect(again.map((signed) => signed.transaction.nonce)).toEqual(['9', '10']);
    expect(again.map((signed) => signed.transaction.actions)).toEqual(
      first.map((signed) => signed.transaction.actions),
    );
    expectCode(() => sign(['9']), 'NONCE_COUNT');
    expectCode(() => signer.sign(handle, ['9', '10'], 'no hash'), 'INVALID_BLOCK_HASH');
    signer.release(handle);
    expectCode(() => sign(['9', '10']), 'UNKNOWN_HANDLE');
  });

  test('signs nothing under a refused approval', async () => {
    const { handle, digest } = prepare(transactions);
    const other = await approvalOf(base64urlnopad.encode(new Uint8Array(32)));
    expectCode(() => approve(handle, other), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => signer.sign(handle, ['7', '8'], BLOCK_HASH), 'NOT_APPROVED');
    approve(handle, await approvalOf(digest));
    expect(signer.sign(handle, ['7', '8'], BLOCK_HASH)).toHaveLength(2);
  });

  test('approves a handle once, whatever the second approval is', async () => {
    const { handle, digest } = prepare(transactions);
    const approval = await approvalOf(digest);
    approve(handle, approval);
    expectCode(() => approve(handle, approval), 'ALREADY_APPROVED');
    expectCode(() => approve(handle, approval, otherPrf()), 'ALREADY_APPROVED');
    const other = await approvalOf(base64urlnopad.encode(new Uint8Array(32)));
    expectCode(() => approve(handle, other), 'ALREADY_APPROVED');
    expect(signer.sign(handle, ['7', '8'], BLOCK_HASH)).toHaveLength(2);
  });

  test('approves no other intent and no other handle', async () => {
    const approved = prepare([transactions[1] as TransactionRequest]);
    const approval = await approvalOf(approved.digest);
    const { handle } = prepare([{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '6' }] }]);
    expectCode(() => approve(handle, approval), 'INTENT_DIGEST_MISMATCH');
    approve(approved.handle, approval);
    expectCode(() => signer.sign(handle, ['7'], BLOCK_HASH), 'NOT_APPROVED');
  });

  describe('refuses with INTENT_DIGEST_MISMATCH', () => {
    type Approval = Awaited<ReturnType<typeof approvalOf>>;
    const refuses = async (
      change: (approval: Approval) => Approval | Promise<Approval>,
      code = 'INTENT_DIGEST_MISMATCH',
    ) => {
      const { handle, digest } = prepare(transactions);
      const approval = await change(await approvalOf(digest));
      expectCode(() => approve(handle, approval), code);
      expectCode(() => signer.sign(handle, ['7', '8'], BLOCK_HASH), 'NOT_APPROVED');
    };
    const challengeWith = (fields: object) => (approval: Approval) => ({
      ...approval,
      challenge: { ...approval.challenge, ...fields },
    });
    const b64u = (byte: number, length = 32) => base64urlnopad.encode(new Uint8Array(length).fill(byte));

    test('another VRF input', () => refuses(challengeWith({ vrfInput: b64u(1) })));
    test('another intent digest', () => refuses(challengeWith({ intentDigest: b64u(1) })));
    test('a missing intent digest', () => refuses(challengeWith({ intentDigest: undefined })));
    test('another account', () => refuses(challengeWith({ userId: 'bob.testnet' })));
    test('another site', () => refuses(challengeWith({ rpId: 'evil.example' })));
    test('another height', () => refuses(challengeWith({ blockHeight: '12346' })));
    test('another block hash', () => refuses(challengeWith({ blockHash: b64u(4) })));
    test("another VRF output than the one in the passkey's challenge", () =>
      refuses(challengeWith({ vrfOutput: b64u(1, 64) })));
    test('a complete challenge made for another account', () =>
      refuses(async (approval) => ({
        ...approval,
        challenge: await challengeFor(approval.challenge.intentDigest, 'bob.testnet'),
      })));
    test("a passkey's answer to another challenge", () =>
      refuses((approval) => ({ ...approval, clientDataJson: clientData(new Uint8Array(32)) })));
    test('a registration in place of an assertion', () =>
      refuses((approval) => ({ ...approval, clientDataJson: clientData(outputHalf, 'webauthn.create') })));
    test('client data that is not JSON, as malformed', () =>
      refuses((approval) => ({ ...approval, clientDataJson: bytes('{') }), 'INVALID_CLIENT_DATA'));
    test('a truncated VRF output, as malformed', () =>
      refuses(challengeWith({ vrfOutput: b64u(9) }), 'INVALID_CHALLENGE'));
  });

  test('signs nothing for another passkey or another stored key', async () => {
    const { handle, digest } = prepare(transactions);
    const approval = await approvalOf(digest);
    expectCode(() => approve(handle, approval, otherPrf()), 'DECRYPTION_FAILED');
    expectCode(() => approve(handle, approval, new Uint8Array(32)), 'WEAK_PRF_OUTPUT');
    const stranger = signer.deriveAndEncrypt(ACCOUNT, prfFirst(), otherPrf()).encryptedPrivateKey;
    expectCode(() => approve(handle, { ...approval, encryptedPrivateKey: stranger }), 'KEY_MISMATCH');
    expectCode(() => signer.sign(handle, ['7', '8'], BLOCK_HASH), 'NOT_APPROVED');
  });

  test('refuses unknown handles and those of messages', async () => {
    const { publicKey } = derived();
    const message = signer.prepareNep413({
      accountId: ACCOUNT,
      publicKey,
      rpId: RP_ID,
      message: 'm',
      recipient: 'r',
      nonce: new Uint8Array(32),
    });
    const approval = await approvalOf(message.digest);
    approve(message.handle, approval);
    const sign = (handle: number) => () => signer.sign(handle, ['7'], BLOCK_HASH);
    expectCode(sign(message.handle), 'UNKNOWN_HANDLE');
    expectCode(() => approve(4_000_000, approval), 'UNKNOWN_HANDLE');
    expectCode(sign(4_000_000), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signDelegate(4_000_000, '7'), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signNep413(4_000_000), 'UNKNOWN_HANDLE');
    signer.release(4_000_000);
  });
});

describe('delegates', () => {
  const transfer: TransactionRequest = {
    receiverId: 'bob.testnet',
    actions: [{ type: 'Transfer', amount: '5' }],
  };

  test('signs as near-api-js does, valid for the given number of blocks after the approved height, and drops the handle', async () => {
    const privateKey = utf8(signer.decryptPrivateKey(ACCOUNT, prfFirst(), derived().encryptedPrivateKey));
    await fc.assert(
      fc.asyncProperty(transactionRequest, fc.nat(), async (request, blocks) => {
        const { handle, digest } = prepareDelegate([request], String(blocks));
        const approval = await approvalOf(digest);
        approve(handle, approval);
        const signed = signer.signDelegate(handle, '7');
        const maxBlockHeight = String(BigInt(approval.challenge.blockHeight) + BigInt(blocks));
        const live = await signDelegateByNearApiJs(privateKey, {
          ...request,
          senderId: ACCOUNT,
          nonce: '7',
          maxBlockHeight,
        });
        expect(signed).toEqual({
          hash: live.hash,
          borshBytes: Uint8Array.from(live.borshBytes),
          maxBlockHeight,
        });
        expectCode(() => signer.signDelegate(handle, '7'), 'UNKNOWN_HANDLE');
      }),
      { numRuns: 50 },
    );
  });

  test('refuses an approval of transactions for a delegate, and the reverse', async () => {
    const asDelegate = prepareDelegate([transfer]);
    const asTransaction = prepare([transfer]);
    const ofDelegate = await approvalOf(asDelegate.digest);
    const ofTransaction = await approvalOf(asTransaction.digest);
    expectCode(() => approve(asDelegate.handle, ofTransaction), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => approve(asTransaction.handle, ofDelegate), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => signer.signDelegate(asDelegate.handle, '7'), 'NOT_APPROVED');
    // A handle prepared as one is never signed as the other, even with its own approval.
    approve(asDelegate.handle, ofDelegate);
    approve(asTransaction.handle, ofTransaction);
    expectCode(() => signer.sign(asDelegate.handle, ['7'], BLOCK_HASH), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signNep413(asDelegate.handle), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signDelegate(asTransaction.handle, '7'), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signNep413(asTransaction.handle), 'UNKNOWN_HANDLE');
  });

  test('refuses an approval for fewer blocks', async () => {
    const approval = await approvalOf(prepareDelegate([transfer], '100').digest);
    const longer = prepareDelegate([transfer], '101');
    expectCode(() => approve(longer.handle, approval), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => signer.signDelegate(longer.handle, '7'), 'NOT_APPROVED');
  });

  test('refuses several transactions, none, and a malformed number', async () => {
    expectCode(() => prepareDelegate([transfer, transfer]), 'INVALID_INPUT');
    expectCode(() => prepareDelegate([]), 'NO_TRANSACTIONS');
    for (const blocks of ['', '-1', '1.5', '01', (2n ** 64n).toString()]) {
      expectCode(() => prepareDelegate([transfer], blocks), 'INVALID_NUMBER');
    }
    const { handle, digest } = prepareDelegate([transfer]);
    approve(handle, await approvalOf(digest));
    expectCode(() => signer.signDelegate(handle, '07'), 'INVALID_NUMBER');
  });
});

describe('NEP-413', () => {
  const message = { message: 'Log in', recipient: 'app.example', nonce: new Uint8Array(32).fill(5) };
  const prepareMessage = (fields: object = {}) =>
    signer.prepareNep413({
      accountId: ACCOUNT,
      publicKey: derived().publicKey,
      rpId: RP_ID,
      ...message,
      ...fields,
    });

  test('signs what near-api-js verifies, and drops the handle', async () => {
    const { handle, digest } = prepareMessage({ callbackUrl: 'https://app.example/' });
    expectCode(() => signer.signNep413(handle), 'NOT_APPROVED');
    approve(handle, await approvalOf(digest));
    const { signature, publicKey } = signer.signNep413(handle);
    const payload = nep413Payload({ ...message, callbackUrl: 'https://app.example/' });
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', payload));
    expect(PublicKey.from(publicKey).verify(hash, base64.decode(signature))).toBe(true);
    expectCode(() => signer.signNep413(handle), 'UNKNOWN_HANDLE');
  });

  test('obeys the same approval rule', async () => {
    const { handle } = prepareMessage();
    const approval = await approvalOf(prepareMessage({ recipient: 'other.example' }).digest);
    expectCode(() => approve(handle, approval), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => signer.signNep413(handle), 'NOT_APPROVED');
  });

  test('refuses a nonce of another length and an empty recipient', () => {
    expectCode(() => prepareMessage({ nonce: new Uint8Array(31) }), 'INVALID_NONCE');
    expectCode(() => prepareMessage({ recipient: '' }), 'MISSING_RECIPIENT');
  });
});

describe('registration', () => {
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

  test('refuses another challenge, site, origin or ceremony, and an unverified user', () => {
    const refused = (change: object, fields?: object) =>
      expectCode(() => confirm(change, fields), 'INVALID_CREDENTIAL');
    refused({}, { expectedChallenge: base64urlnopad.encode(new Uint8Array(32)) });
    refused({ rpId: 'evil.example' });
    refused({ origin: 'https://evil.example' });
    refused({ origin: 'https://evilwallet.example' });
    refused({ type: 'webauthn.get' });
    refused({ flags: 0x5d & ~0x04 });
    refused({ flags: 0x5d & ~0x01 });
    refused({ flags: 0x5d & ~0x40 });
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

interface TransactionCase {
  name: string;
  transaction: {
    signerId: string;
    receiverId: string;
    nonce: string;
    blockHash: string;
    actions: (Action & { code?: number[] })[];
  };
  borsh: string;
  hash: string;
  signature: string;
}

const bytes = (value: string) => new TextEncoder().encode(value);
const utf8 = (value: Uint8Array) => new TextDecoder().decode(value);
const hexOf = (publicKey: string) => hex.encode(base58.decode(publicKey.slice('ed25519:'.length)));
const derived = () => signer.deriveAndEncrypt(ACCOUNT, prfFirst(), prfSecond());

/** JSON has no bytes: the file keeps code as an array of numbers. */
function withBytes(action: Action & { code?: number[] }): Action {
  return action.type === 'DeployContract' ? { ...action, code: Uint8Array.from(action.code) } : action;
}

function prepare(transactions: readonly TransactionRequest[], more: { delegateForBlocks?: string } = {}) {
  return signer.prepareTransactions({
    signerAccountId: ACCOUNT,
    publicKey: derived().publicKey,
    rpId: RP_ID,
    transactions: transactions as signer.TransactionRequest[],
    ...more,
  });
}

function prepareDelegate(transactions: readonly TransactionRequest[], delegateForBlocks = '600') {
  return prepare(transactions, { delegateForBlocks });
}

const output = new Uint8Array(64).fill(9);
const outputHalf = output.subarray(0, 32);

/** A challenge with consistent fields and no valid proof, which only the registry checks. */
async function challengeFor(intentDigest: string, userId = ACCOUNT) {
  const blockHash = new Uint8Array(32).fill(3);
  const height = new Uint8Array(8);
  new DataView(height.buffer).setBigUint64(0, 12345n, true);
  const input = concat(
    bytes('web3_authn_challenge_v4'),
    bytes(userId),
    bytes(RP_ID),
    height,
    blockHash,
    base64urlnopad.decode(intentDigest),
  );
  return {
    vrfInput: base64urlnopad.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', input))),
    vrfOutput: base64urlnopad.encode(output),
    vrfProof: base64urlnopad.encode(new Uint8Array(80)),
    vrfPublicKey: base64urlnopad.encode(new Uint8Array(32)),
    userId,
    rpId: RP_ID,
    blockHeight: '12345',
    blockHash: base64urlnopad.encode(blockHash),
    intentDigest,
  };
}

async function approvalOf(digest: string) {
  return {
    encryptedPrivateKey: derived().encryptedPrivateKey,
    challenge: await challengeFor(digest),
    clientDataJson: clientData(outputHalf),
  };
}

function approve(
  handle: number,
  { challenge, clientDataJson, encryptedPrivateKey }: Awaited<ReturnType<typeof approvalOf>>,
  prf = prfFirst(),
) {
  signer.approve(handle, prf, challenge, clientDataJson, encryptedPrivateKey);
}

function clientData(challenge: Uint8Array, type = 'webauthn.get', origin = `https://${RP_ID}`) {
  return bytes(
    JSON.stringify({ type, challenge: base64urlnopad.encode(challenge), origin, crossOrigin: false }),
  );
}

/** NEP-413: the tag, then borsh of message, nonce, recipient and the optional callback URL. */
function nep413Payload(fields: {
  message: string;
  nonce: Uint8Array;
  recipient: string;
  callbackUrl: string;
}) {
  const u32 = (value: number) => new Uint8Array(new Uint32Array([value]).buffer);
  const borshText = (value: string) => concat(u32(bytes(value).length), bytes(value));
  return concat(
    u32(2 ** 31 + 413),
    borshText(fields.message),
    fields.nonce,
    borshText(fields.recipient),
    Uint8Array.of(1),
    borshText(fields.callbackUrl),
  );
}

function concat(...parts: Uint8Array[]) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function thrownBy(run: () => unknown): Error & { code?: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

function expectCode(run: () => unknown, code: string) {
  expect(thrownBy(run).code).toBe(code);
}
