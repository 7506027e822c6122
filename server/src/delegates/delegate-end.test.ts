/** How the relay judges the chain's answers about keys and ended delegates. A script gives the answers. */
import { base58 } from '@scure/base';
import { KeyPair } from 'near-api-js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessKeyView, RpcClient, TransactionOutcome } from '../../../ts/src/near/index.js';
import type { Refusal } from '../http/refusal.js';
import { createLog } from '../observe/log.js';
import { loadRelayModule } from '../platform/wasm.js';
import { createLocalMeters } from '../relayer/meters.js';
import { createMemoryRecord } from '../relayer/record.js';
import { type DelegateParts, makeDelegate } from '../testing/delegate.js';
import { Delegator } from './delegate.js';

beforeAll(loadRelayModule);

const HEIGHT = 1000;
const TRANSACTION = 'transaction';
type Status = NonNullable<TransactionOutcome['status']>;
type Receipt = [id: string, status: Status, ...made: string[]];

const SUCCESS: Status = { SuccessValue: '' };
const FAILURE: Status = {
  Failure: { ActionError: { index: 0, kind: { FunctionCallError: { ExecutionError: 'panicked' } } } },
};
const returning = (id: string): Status => ({ SuccessReceiptId: id });

/** The chain's answer with these receipts; the first is the one on the sender's account. */
function outcomeWith(...receipts: Receipt[]): TransactionOutcome {
  const outcomeOf = ([id, status, ...made]: Receipt) => ({
    id,
    outcome: { executor_id: 'x', gas_burnt: 1, tokens_burnt: '1', logs: [], receipt_ids: made, status },
  });
  const [[carrier] = ['none']] = receipts;
  return {
    transactionId: TRANSACTION,
    final_execution_status: 'FINAL',
    status: SUCCESS,
    transaction_outcome: outcomeOf([TRANSACTION, returning(carrier), carrier]),
    receipts_outcome: receipts.map(outcomeOf),
  };
}

/** A delegator on a chain where every key has this permission and `send` answers what is sent. */
function scriptedDelegator({
  send,
  permission = 'FullAccess',
  maxParallel = 64,
}: {
  send: () => Promise<TransactionOutcome>;
  permission?: unknown;
  maxParallel?: number;
}) {
  const key = { permission, nonce: 6, block_height: HEIGHT, block_hash: base58.encode(new Uint8Array(32)) };
  const rpc = {
    viewAccessKey: async () => key as AccessKeyView,
    sendTransaction: send,
  } satisfies Partial<RpcClient> as unknown as RpcClient;
  const delegator = new Delegator({
    maxParallel,
    rpc,
    relayer: {
      accountId: 'relayer.testnet',
      signDelegate: async () => ({ borshBytes: new Uint8Array(), hash: TRANSACTION, publicKey: 'ed25519:1' }),
      learn: async () => false,
    },
    policy: {
      calls: new Map([['w3a-v1.testnet', null]]),
      ownActions: new Set(),
      maxGas: 10n ** 15n,
      maxDepositYocto: 0n,
      spendCapYocto: 10n ** 25n,
      senderCapYocto: 10n ** 25n,
    },
    spend: { reserve: () => ({ commit: () => undefined, release: () => undefined }) },
    meterFor: createLocalMeters(createMemoryRecord()),
    log: createLog(() => undefined),
  });
  /** Relays a delegate with these parts, and returns how it ended. */
  return async (parts: Partial<DelegateParts> = {}, address?: string) => {
    const { bytes, hash } = await makeDelegate({ maxBlockHeight: BigInt(HEIGHT) + 100n, ...parts });
    return delegator.relay({ hash, signedDelegate: Uint8Array.from(bytes) }, 'test', address).then(
      () => 'success',
      (error: Refusal) => error.code,
    );
  };
}

const GOOD = outcomeWith(['carrier', SUCCESS, 'inner'], ['inner', SUCCESS]);

/** Relays a delegate on a chain with these answers, and returns how it ended and what was sent. */
async function relay({ outcome = GOOD, permission }: { outcome?: TransactionOutcome; permission?: unknown }) {
  let sent = 0;
  const send = async () => {
    sent += 1;
    return outcome;
  };
  const answer = await scriptedDelegator({ send, permission })();
  return { answer, sent };
}

describe('a delegate', () => {
  it.each<[string, string, Receipt[]]>([
    [
      'success',
      'its receipt succeeded',
      [
        ['c', SUCCESS, 'i', 'refund'],
        ['i', SUCCESS],
        ['refund', SUCCESS],
      ],
    ],
    [
      'delegate_failed',
      'its receipt failed',
      [
        ['c', SUCCESS, 'i', 'refund'],
        ['i', FAILURE],
        ['refund', SUCCESS],
      ],
    ],
    ['delegate_failed', 'the chain refused it', [['c', FAILURE]]],
    [
      'success',
      'the promise that it returned succeeded',
      [
        ['c', SUCCESS, 'i'],
        ['i', returning('p'), 'p'],
        ['p', SUCCESS],
      ],
    ],
    [
      'delegate_failed',
      'the promise that it returned failed',
      [
        ['c', SUCCESS, 'i'],
        ['i', returning('p'), 'p'],
        ['p', FAILURE],
      ],
    ],
    [
      'success',
      'only a promise that it did not return failed',
      [
        ['c', SUCCESS, 'i'],
        ['i', SUCCESS, 'p'],
        ['p', FAILURE],
      ],
    ],
    ['outcome_unknown', 'its receipt is missing', [['c', SUCCESS, 'i']]],
    ['outcome_unknown', 'it made no receipt', [['c', SUCCESS]]],
    ['outcome_unknown', 'there is no receipt at all', []],
    [
      'outcome_unknown',
      'its receipt has not ended',
      [
        ['c', SUCCESS, 'i'],
        ['i', 'Started'],
      ],
    ],
    [
      'outcome_unknown',
      'its receipts return each other',
      [
        ['c', SUCCESS, 'i'],
        ['i', returning('p')],
        ['p', returning('i')],
      ],
    ],
  ])('ends as %s when %s', async (code, _, receipts) => {
    expect((await relay({ outcome: outcomeWith(...receipts) })).answer).toBe(code);
  });

  it.each<[string, unknown]>([
    [
      'any method of the receiver',
      { FunctionCall: { allowance: null, receiver_id: 'w3a-v1.testnet', method_names: [] } },
    ],
    [
      'the method',
      {
        FunctionCall: { allowance: '0', receiver_id: 'w3a-v1.testnet', method_names: ['a', 'set_greeting'] },
      },
    ],
  ])('is sent when its key permits %s', async (_, permission) => {
    expect(await relay({ permission })).toEqual({ answer: 'success', sent: 1 });
  });

  it.each<[string, unknown]>([
    ['another receiver', { FunctionCall: { allowance: null, receiver_id: 'w3a-v1', method_names: [] } }],
    [
      'another method',
      { FunctionCall: { allowance: null, receiver_id: 'w3a-v1.testnet', method_names: ['set'] } },
    ],
    ['a kind of access that this relay does not know', { GasKeyFullAccess: { balance: '0', num_nonces: 1 } }],
  ])('is not sent when its key permits only %s', async (_, permission) => {
    expect(await relay({ permission })).toEqual({ answer: 'not_allowed', sent: 0 });
  });
});

describe('many concurrent delegates', () => {
  it("of one key take one key's place, and shut out no other key", async () => {
    let sent = 0;
    let release: (outcome: TransactionOutcome) => void = () => undefined;
    const released = new Promise<TransactionOutcome>((resolve) => {
      release = resolve;
    });
    const send = () => {
      sent += 1;
      return released;
    };
    const relayIt = scriptedDelegator({ send, maxParallel: 2 });
    const key = KeyPair.fromRandom('ed25519');
    const first = relayIt({ key });
    await expect.poll(() => sent).toBe(1);
    const waiting = Array.from({ length: 8 }, (_, index) => relayIt({ key, nonce: 8n + BigInt(index) }));
    expect(await Promise.race(waiting)).toBe('too_many_requests');
    const ofAnother = relayIt();
    await expect.poll(() => sent).toBe(2);
    expect(await relayIt()).toBe('too_many_requests');
    release(GOOD);
    expect([await first, await ofAnother]).toEqual(['success', 'success']);
    expect((await Promise.all(waiting)).filter((answer) => answer === 'success')).toHaveLength(7);
    expect(await relayIt()).toBe('success');
  });

  it('of one network leave places for the others [S54]', async () => {
    let sent = 0;
    const send = () => {
      sent += 1;
      return new Promise<TransactionOutcome>(() => undefined);
    };
    const relayIt = scriptedDelegator({ send, maxParallel: 8 });
    for (const host of [1, 2]) void relayIt({}, `203.0.113.${host}`);
    await expect.poll(() => sent).toBe(2);
    expect(await relayIt({}, '203.0.113.3')).toBe('too_many_requests');
    void relayIt({}, '198.51.100.1');
    await expect.poll(() => sent).toBe(3);
  });
});
