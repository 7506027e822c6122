/** Tests what the built signer WASM signs after an approval. Run scripts/build.sh wasm first. */
import { base64, base64urlnopad } from '@scure/base';
import fc from 'fast-check';
import { PublicKey } from 'near-api-js';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  signByNearApiJs,
  signDelegateByNearApiJs,
} from '../../../tests/vectors/generate-near-transactions.mjs';
import * as signer from '../../wasm/signer/signer.js';
import { delegatesDigest, nep413Digest, togetherDigest, transactionsDigest } from '../intent/index.js';
import {
  accountId,
  encodableRequest,
  text,
  transactionRequest,
  versionedRequest,
} from '../intent/testing/arbitraries.js';
import type { Action, TransactionRequest } from '../types.js';
import {
  ACCOUNT,
  approvalOf,
  approve,
  BLOCK_HASH,
  bytes,
  challengeFor,
  clientData,
  derived,
  expectCode,
  loadSigner,
  nep413Payload,
  otherPrf,
  outputHalf,
  prepare,
  prepareDelegate,
  prfFirst,
  prfSecond,
  RP_ID,
  thrownBy,
  utf8,
} from './testing/signer-wasm.js';

beforeAll(loadSigner);

describe('the digest (core 5)', () => {
  test('is the same in Rust and TypeScript for random transactions of all actions [S9]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(versionedRequest, { minLength: 1, maxLength: 3 }), async (transactions) => {
        const { handle, digest } = prepare(transactions);
        signer.release(handle);
        expect(digest).toBe(await transactionsDigest(transactions));
      }),
      { numRuns: 500 },
    );
  });

  test('is the same in Rust and TypeScript for random delegates, and differs from that of transactions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(transactionRequest, { minLength: 1, maxLength: 3 }),
        fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)),
        async (requests, end) => {
          const { handle, digest } = prepareDelegate(requests, end);
          signer.release(handle);
          expect(digest).toBe(await delegatesDigest(requests.map((request) => ({ request, end }))));
          expect(digest).not.toBe(await transactionsDigest(requests));
        },
      ),
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

describe('preparing transactions (core 5)', () => {
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
    // Full access has no bounds: a key that seems to have some is not made.
    expectCode(
      prepareAction({ ...addKey, accessKey: { permission: { FullAccess: bounds } } }),
      'INVALID_INPUT',
    );
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
      'request.transactions[0].actions[0].accessKey.permission must be one of `FullAccess`, `FunctionCall`, `GasKeyFunctionCall`, `GasKeyFullAccess`',
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
      [{ ...request, rpId: undefined }, 'request.rpId must be a string'],
      [undefined, 'request must be struct TransactionsToSign'],
    ]) {
      const thrown = thrownBy(prepareRaw(value));
      expect(thrown).toMatchObject({ code: 'INVALID_INPUT', message });
    }
    for (const code of ['AAAA', [1, 2, 3], { 0: 1, length: 1 }])
      expect(thrownBy(prepareAction({ type: 'DeployContract', code }))).toMatchObject({
        code: 'INVALID_INPUT',
        message: 'request.transactions[0].actions[0].code must be byte array',
      });
  });
});

describe('signing prepared transactions (core 1, core 5, core 7)', () => {
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

  test('approves no other intent and no other handle [S9]', async () => {
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
    expectCode(() => signer.signDelegates(4_000_000, ['7']), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signNep413(4_000_000), 'UNKNOWN_HANDLE');
    signer.release(4_000_000);
  });
});

describe('delegates (core 3)', () => {
  const transfer: TransactionRequest = {
    receiverId: 'bob.testnet',
    actions: [{ type: 'Transfer', amount: '5' }],
  };

  const live = (
    privateKey: string,
    request: TransactionRequest,
    nonces: readonly string[],
    maxBlockHeight: string,
  ) =>
    Promise.all(
      nonces.map(async (nonce) => {
        const asked = { ...request, senderId: ACCOUNT, nonce, maxBlockHeight };
        const { hash, borshBytes } = await signDelegateByNearApiJs(privateKey, asked);
        return { hash, borshBytes: Uint8Array.from(borshBytes), maxBlockHeight };
      }),
    );

  test('signs as near-api-js does, valid for the given number of blocks after the approved height, and drops the handle', async () => {
    const privateKey = utf8(signer.decryptPrivateKey(ACCOUNT, prfFirst(), derived().encryptedPrivateKey));
    await fc.assert(
      fc.asyncProperty(encodableRequest, fc.nat(), async (request, blocks) => {
        const { handle, digest } = prepareDelegate([request, request], blocks);
        const approval = await approvalOf(digest);
        approve(handle, approval);
        const signed = signer.signDelegates(handle, ['7', '9']);
        const maxBlockHeight = String(BigInt(approval.challenge.blockHeight) + BigInt(blocks));
        expect(signed).toEqual(await live(privateKey, request, ['7', '9'], maxBlockHeight));
        expectCode(() => signer.signDelegates(handle, ['7', '9']), 'UNKNOWN_HANDLE');
      }),
      { numRuns: 50 },
    );
  });

  test('has neither a lane nor a strict nonce', () => {
    for (const version of [{ lane: 0 }, { nonceMode: 'Strict' as const }])
      expectCode(() => prepareDelegate([{ ...transfer, ...version }]), 'DELEGATE_VERSION');
  });

  test('keeps the last block that was prepared, whatever the block of the challenge', async () => {
    const privateKey = utf8(signer.decryptPrivateKey(ACCOUNT, prfFirst(), derived().encryptedPrivateKey));
    const { handle, digest } = prepareDelegate([transfer, transfer], '18446744073709551615');
    approve(handle, await approvalOf(digest));
    const signed = signer.signDelegates(handle, ['7', '8']);
    expect(signed).toEqual(await live(privateKey, transfer, ['7', '8'], '18446744073709551615'));
  });

  test('refuses an approval of transactions for a delegate, and the reverse', async () => {
    const asDelegate = prepareDelegate([transfer]);
    const asTransaction = prepare([transfer]);
    const ofDelegate = await approvalOf(asDelegate.digest);
    const ofTransaction = await approvalOf(asTransaction.digest);
    expectCode(() => approve(asDelegate.handle, ofTransaction), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => approve(asTransaction.handle, ofDelegate), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => signer.signDelegates(asDelegate.handle, ['7']), 'NOT_APPROVED');
    // A handle prepared as one is never signed as the other, even with its own approval.
    approve(asDelegate.handle, ofDelegate);
    approve(asTransaction.handle, ofTransaction);
    expectCode(() => signer.sign(asDelegate.handle, ['7'], BLOCK_HASH), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signNep413(asDelegate.handle), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signDelegates(asTransaction.handle, ['7']), 'UNKNOWN_HANDLE');
    expectCode(() => signer.signNep413(asTransaction.handle), 'UNKNOWN_HANDLE');
  });

  test('refuses an approval for fewer blocks', async () => {
    const approval = await approvalOf(prepareDelegate([transfer], 100).digest);
    for (const end of [101, '12445']) {
      const longer = prepareDelegate([transfer], end);
      expectCode(() => approve(longer.handle, approval), 'INTENT_DIGEST_MISMATCH');
      expectCode(() => signer.signDelegates(longer.handle, ['7']), 'NOT_APPROVED');
    }
  });

  test('refuses none, a malformed number, and another count of heights or nonces', async () => {
    expectCode(() => prepareDelegate([]), 'NO_TRANSACTIONS');
    for (const end of ['', '-1', '1.5', '01', (2n ** 64n).toString()]) {
      expectCode(() => prepareDelegate([transfer], end), 'INVALID_NUMBER');
      expectCode(() => prepare([transfer], { delegateForBlocks: end }), 'INVALID_NUMBER');
    }
    expectCode(() => prepare([transfer], { delegateMaxHeights: ['1', '2'] }), 'INVALID_INPUT');
    const { handle, digest } = prepareDelegate([transfer]);
    approve(handle, await approvalOf(digest));
    expectCode(() => signer.signDelegates(handle, ['7', '8']), 'NONCE_COUNT');
    expectCode(() => signer.signDelegates(handle, ['07']), 'INVALID_NUMBER');
  });
});

describe('NEP-413 (core 7)', () => {
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

describe('transactions and a message for one prompt', () => {
  const transfer: TransactionRequest[] = [
    { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '5' }] },
  ];
  const prepareBoth = () => [
    prepare(transfer),
    signer.prepareNep413({
      accountId: ACCOUNT,
      publicKey: derived().publicKey,
      rpId: RP_ID,
      message: 'Log in',
      recipient: 'app.example',
      nonce: new Uint8Array(32).fill(5),
    }),
  ];
  const approveAll = (
    prepared: readonly signer.Prepared[],
    { challenge, clientDataJson, encryptedPrivateKey }: Awaited<ReturnType<typeof approvalOf>>,
    prf = prfFirst(),
  ) =>
    signer.approveTogether(
      Uint32Array.from(prepared.map(({ handle }) => handle)),
      prf,
      challenge,
      clientDataJson,
      encryptedPrivateKey,
    );
  const together = (prepared: readonly signer.Prepared[]) =>
    togetherDigest(prepared.map(({ digest }) => digest));

  test('are signed when the passkey approved the digest of both', async () => {
    const both = prepareBoth();
    const [transactions, message] = both as [signer.Prepared, signer.Prepared];
    approveAll(both, await approvalOf(await together(both)));
    expect(signer.sign(transactions.handle, ['7'], BLOCK_HASH)).toHaveLength(1);
    expect(base64.decode(signer.signNep413(message.handle).signature)).toHaveLength(64);
  });

  test('are not signed, neither of them, for the digest of one, another order, another passkey or an unknown handle', async () => {
    const both = prepareBoth();
    const [transactions, message] = both as [signer.Prepared, signer.Prepared];
    const approval = await approvalOf(await together(both));
    expectCode(() => approveAll(both.toReversed(), approval), 'INTENT_DIGEST_MISMATCH');
    for (const { digest } of both) {
      const ofOne = await approvalOf(digest);
      expectCode(() => approveAll(both, ofOne), 'INTENT_DIGEST_MISMATCH');
    }
    expectCode(() => approve(transactions.handle, approval), 'INTENT_DIGEST_MISMATCH');
    expectCode(() => approveAll(both, approval, otherPrf()), 'DECRYPTION_FAILED');
    expectCode(() => approveAll([...both, { handle: 4_000_000, digest: '' }], approval), 'UNKNOWN_HANDLE');
    expectCode(() => approveAll([], approval), 'UNKNOWN_HANDLE');
    expectCode(() => signer.sign(transactions.handle, ['7'], BLOCK_HASH), 'NOT_APPROVED');
    expectCode(() => signer.signNep413(message.handle), 'NOT_APPROVED');
    approveAll(both, approval);
    expectCode(() => approveAll(both, approval), 'ALREADY_APPROVED');
  });
});

describe('an account without a name, of which the registry need not know (core 5)', () => {
  const account = () => signer.derivePasskeyAccount(prfFirst(), prfSecond());
  const ORIGIN = `https://${RP_ID}`;
  const VERIFIED = 0x05;

  async function authenticatorData(flags = VERIFIED, rpId = RP_ID) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(rpId)));
    return Uint8Array.of(...hash, flags, 0, 0, 0, 0);
  }

  async function approveWith(answered: signer.Answered | undefined, origin = ORIGIN) {
    const { accountId, key } = account();
    const { handle, digest } = signer.prepareTransactions({
      signerAccountId: accountId,
      publicKey: key.publicKey,
      rpId: RP_ID,
      transactions: [{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '1' }] }],
    });
    const challenge = await challengeFor(digest, accountId);
    const json = clientData(outputHalf, 'webauthn.get', origin);
    const run = () => signer.approve(handle, prfFirst(), challenge, json, key.encryptedPrivateKey, answered);
    return { run, sign: () => signer.sign(handle, ['7'], BLOCK_HASH) };
  }

  test('signs after a ceremony of the site with a verified user', async () => {
    const { run, sign } = await approveWith({
      authenticatorData: await authenticatorData(),
      ownOrigin: ORIGIN,
    });
    run();
    expect(sign()).toHaveLength(1);
  });

  test('signs after a ceremony of the wallet under a related origin', async () => {
    const ownOrigin = 'https://related.example';
    const answered = { authenticatorData: await authenticatorData(), ownOrigin };
    const { run, sign } = await approveWith(answered, ownOrigin);
    run();
    expect(sign()).toHaveLength(1);
  });

  test.each<[string, { flags?: number; rpId?: string; origin?: string }]>([
    ['an unverified user', { flags: 0x01 }],
    ['an absent user', { flags: 0x04 }],
    ['another site', { rpId: 'other.example' }],
    ['another page', { origin: 'https://evil.example' }],
  ])(
    'signs nothing after a ceremony of %s [S97]',
    async (_, { flags = VERIFIED, rpId = RP_ID, origin = ORIGIN }) => {
      const answered = { authenticatorData: await authenticatorData(flags, rpId), ownOrigin: ORIGIN };
      const { run, sign } = await approveWith(answered, origin);
      expectCode(run, 'INTENT_DIGEST_MISMATCH');
      expectCode(sign, 'NOT_APPROVED');
    },
  );

  test('signs nothing without the authenticator data, or with malformed data', async () => {
    const without = await approveWith(undefined);
    expectCode(without.run, 'INVALID_INPUT');
    const malformed = await approveWith({ authenticatorData: new Uint8Array(36), ownOrigin: ORIGIN });
    expectCode(malformed.run, 'INVALID_AUTHENTICATOR_DATA');
    expectCode(malformed.sign, 'NOT_APPROVED');
  });
});
