import { readFileSync } from 'node:fs';
import { base64, hex } from '@scure/base';
import { describe, expect, test } from 'vitest';
import type { Action, NonceMode, TransactionRequest } from '../types.js';
import { canonicalJson } from './canonical-json.js';
import {
  delegatesDigest,
  device2RegistrationDigest,
  existingRegistrationDigest,
  linkDeviceDigest,
  loginSessionDigest,
  nep413Digest,
  registrationDigest,
  togetherDigest,
  transactionsDigest,
} from './index.js';
import { nep413Text } from './message.js';
import { withBytes } from './testing/vector-actions.js';
import { togetherText } from './together.js';
import { delegatesText, transactionsText } from './transactions.js';

/** The file that the Rust tests read too. */
const vectors = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/intent-digests.json', import.meta.url), 'utf8'),
);

describe('transactions', () => {
  test.each(vectors.transactions as VectorCase[])(
    'have their pinned digest: $name',
    async ({ transactions, text, digest }) => {
      const requests = transactions.map(withBytesOf);
      expect(transactionsText(requests)).toBe(text);
      await expect(transactionsDigest(requests)).resolves.toBe(digest);
    },
  );

  test('have the same digest for any key order in their objects', async () => {
    const given: Action = { type: 'Transfer', amount: '1' };
    const turned: Action = { amount: '1', type: 'Transfer' };
    const digest = await transactionsDigest([{ receiverId: 'bob.testnet', actions: [given] }]);
    await expect(transactionsDigest([{ actions: [turned], receiverId: 'bob.testnet' }])).resolves.toBe(
      digest,
    );
  });

  test('have another digest when their actions change order', async () => {
    const actions: Action[] = [
      { type: 'Transfer', amount: '1' },
      { type: 'Transfer', amount: '2' },
    ];
    const digest = await transactionsDigest([{ receiverId: 'bob.testnet', actions }]);
    const reversed = [{ receiverId: 'bob.testnet', actions: actions.toReversed() }];
    await expect(transactionsDigest(reversed)).resolves.not.toBe(digest);
  });

  test('are refused when a text holds half a surrogate pair', async () => {
    const actions: Action[] = [
      { type: 'FunctionCall', methodName: '\ud800', args: '{}', gas: '1', deposit: '0' },
    ];
    await expect(transactionsDigest([{ receiverId: 'bob.testnet', actions }])).rejects.toMatchObject({
      code: 'UI_DIGEST_VALIDATION_FAILED',
      details: { reason: 'text with half a surrogate pair' },
    });
  });
});

describe('delegates', () => {
  test.each(vectors.delegates as DelegateCase[])(
    'have their pinned digest: $name',
    async ({ text, digest, ...one }) => {
      const cases = one.delegates ?? [one as DelegateOfCase];
      const delegates = cases.map(({ transaction, validForBlocks, maxBlockHeight }) => ({
        request: withBytesOf(transaction),
        end: maxBlockHeight ?? validForBlocks ?? 0,
      }));
      expect(delegatesText(delegates)).toBe(text);
      await expect(delegatesDigest(delegates)).resolves.toBe(digest);
      const later = delegates.map((delegate) => ({ ...delegate, end: 7 }));
      await expect(delegatesDigest(later)).resolves.not.toBe(digest);
      const requests = delegates.map(({ request }) => request);
      await expect(transactionsDigest(requests)).resolves.not.toBe(digest);
    },
  );
});

describe('NEP-413 messages', () => {
  test.each(vectors.nep413 as MessageCase[])(
    'have their pinned digest: $name',
    async ({ nonceHex, text, digest, ...rest }) => {
      const nonce = base64.encode(hex.decode(nonceHex));
      const intent = { ...rest, nonce, callbackUrl: rest.callbackUrl ?? undefined };
      expect(nep413Text(intent)).toBe(text);
      await expect(nep413Digest(intent)).resolves.toBe(digest);
    },
  );
});

test.each(vectors.together as TogetherCase[])(
  'several intents of one prompt have their pinned digest: $name',
  async ({ digests, text, digest }) => {
    expect(togetherText(digests)).toBe(text);
    await expect(togetherDigest(digests)).resolves.toBe(digest);
    await expect(togetherDigest(digests.toReversed())).resolves.not.toBe(digest);
  },
);

test('labels have their pinned digests', async () => {
  const digests = await Promise.all([
    registrationDigest('alice.testnet'),
    device2RegistrationDigest('alice.testnet', 2),
    existingRegistrationDigest('alice.testnet', 2),
    linkDeviceDigest('alice.testnet', 2),
    loginSessionDigest('alice.testnet', 'wallet.example'),
  ]);
  expect(digests).toEqual(vectors.labels.map((label: { digest: string }) => label.digest));
});

test('canonical JSON sorts keys at every depth and keeps arrays as they are', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }, 'x'], a: { z: '', A: '\u2028"\n' } })).toBe(
    '{"a":{"A":"\u2028\\"\\n","z":""},"b":[{"c":null,"d":1},"x"]}',
  );
});

interface VectorTransaction {
  receiverId: string;
  actions: unknown[];
  lane?: number;
  nonceMode?: NonceMode;
}

interface VectorCase {
  name: string;
  transactions: VectorTransaction[];
  text: string;
  digest: string;
}

interface TogetherCase {
  name: string;
  digests: string[];
  text: string;
  digest: string;
}

interface DelegateOfCase {
  transaction: VectorTransaction;
  validForBlocks?: number;
  maxBlockHeight?: string;
}

interface DelegateCase extends Partial<DelegateOfCase> {
  name: string;
  delegates?: DelegateOfCase[];
  text: string;
  digest: string;
}

interface MessageCase {
  name: string;
  accountId: string;
  message: string;
  nonceHex: string;
  recipient: string;
  callbackUrl: string | null;
  text: string;
  digest: string;
}

function withBytesOf({ actions, ...rest }: VectorTransaction): TransactionRequest {
  return { ...rest, actions: actions.map(withBytes) };
}
