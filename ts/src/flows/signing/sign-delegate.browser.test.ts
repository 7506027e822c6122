import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, RELAY_REFUSED, RELAY_UNREACHABLE } from '../../errors/wallet.js';
import type { RelayClient } from '../../relay/relay-client.js';
import type { ActionInput } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { resume } from '../resume.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { signTransactionsWithActions } from './sign-batch.js';
import { executeDelegateAction, signDelegateAction, signDelegateActions } from './sign-delegate.js';

const greet: ActionInput = { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: 'hi' } };
const toSign = { accountId: ALICE, receiverId: 'w3a-v1.testnet', actions: [greet] };

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
/** The relay's answers, in order, and the bodies that it received. */
let answers: (() => Promise<{ transactionHash: string }>)[];
let posted: { hash: string; signedDelegate: string }[];

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
  [answers, posted] = [[], []];
  const relay = wallet.context.relay as { sendSignedDelegate: RelayClient['sendSignedDelegate'] };
  relay.sendSignedDelegate = async (body) => {
    posted.push(body);
    const answer = answers.shift();
    return answer ? answer() : { transactionHash: 'tx' };
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await authenticator.remove();
});

const refusing =
  (relayCode: string, more = {}) =>
  async () => {
    throw new LatchkeyError(RELAY_REFUSED, {
      values: { reason: relayCode },
      details: { relayCode, ...more },
    });
  };
const silent = async () => {
  throw new LatchkeyError(RELAY_UNREACHABLE, { values: { reason: 'silence' } });
};
const nextNonce = async () => {
  const [signed] = await signTransactionsWithActions(wallet.context, ALICE, [toSign], {});
  return Number(signed?.signedTransaction.transaction.nonce);
};

describe('a delegate (core 3, core 4)', () => {
  it('costs one prompt, one check by the registry, and no transaction of the sender', async () => {
    const asked = vi.spyOn(navigator.credentials, 'get');
    const result = await executeDelegateAction(wallet.context, toSign, {});
    expect(result).toEqual({ success: true, fate: 'executed', transactionId: 'tx', result: null });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.chain.calls).toEqual(['view_access_key', 'verify_authentication_response']);
    expect(posted).toHaveLength(1);
  });

  it('never leaves when the registry does not accept the assertion', async () => {
    wallet.chain.verified = false;
    for (const flow of [signDelegateAction, executeDelegateAction]) {
      expect(await flow(wallet.context, toSign, {})).toMatchObject({
        success: false,
        errorCode: 'VERIFICATION_FAILED',
      });
    }
    expect(posted).toEqual([]);
  });

  it('takes the next nonce, and a later transaction takes the one after it', async () => {
    const signed = await signDelegateAction(wallet.context, toSign, {});
    expect(signed).toMatchObject({ success: true, nonce: '101' });
    expect(await nextNonce()).toBe(102);
  });

  it.each([9, 86_401, 10.5, Number.NaN])('is not signed for %d blocks', async (validForBlocks) => {
    expect(await signDelegateAction(wallet.context, toSign, { validForBlocks })).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACTION',
      hash: null,
      signedDelegate: null,
    });
    expect(wallet.shown).toEqual([]);
  });

  it('keeps the nonce and the last block that its caller chose, and later ones start above that nonce', async () => {
    const wish = { nonce: '105', maxBlockHeight: String(wallet.chain.height + 200) };
    const signed = await signDelegateAction(wallet.context, { ...toSign, ...wish }, {});
    expect(signed).toMatchObject({ success: true, ...wish });
    expect(wallet.shown).toMatchObject([
      { delegate: { validForBlocks: 200, maxBlockHeights: [wish.maxBlockHeight] } },
    ]);
    expect(await nextNonce()).toBe(106);
  });

  it.each([
    ['nonce', '100'],
    ['nonce', '1101'],
    ['nonce', String(2n ** 63n)],
    ['nonce', '0x70'],
    ['maxBlockHeight', '1'],
    ['maxBlockHeight', String(2n ** 63n)],
  ])('is refused by name and unasked where its %s would be %s [S15]', async (field, value) => {
    expect(await signDelegateAction(wallet.context, { ...toSign, [field]: value }, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACTION',
      error: expect.stringContaining(field),
    });
    expect(wallet.shown).toEqual([]);
    expect(await nextNonce()).toBe(101);
  });

  it('returns its nonce when the relay refuses it', async () => {
    answers = [refusing('not_allowed')];
    expect(await executeDelegateAction(wallet.context, toSign, {})).toMatchObject({
      success: false,
      errorCode: 'RELAY_REFUSED',
      fate: 'not-sent',
      transactionId: null,
    });
    expect(await nextNonce()).toBe(101);
  });

  it('is posted again with the same bytes after a lost answer', async () => {
    answers = [silent];
    expect((await executeDelegateAction(wallet.context, toSign, {})).success).toBe(true);
    expect(posted).toHaveLength(2);
    expect(posted[1]).toEqual(posted[0]);
  });

  it('has an unknown fate when no answer comes, or when a lost answer is followed by "nonce used"', async () => {
    for (const told of [
      [silent, silent, silent],
      [silent, refusing('nonce_used')],
    ]) {
      answers = told;
      expect(await executeDelegateAction(wallet.context, toSign, {})).toMatchObject({
        success: false,
        fate: 'unknown',
      });
    }
    expect(await nextNonce()).toBe(103);
  });

  it.each(['too_many_requests', 'delegate_expired', 'chain_unreachable', 'not_allowed'])(
    'has an unknown fate and keeps its nonce when the relay refuses the second copy with %s',
    async (relayCode) => {
      answers = [silent, refusing(relayCode)];
      expect(await executeDelegateAction(wallet.context, toSign, {})).toMatchObject({
        success: false,
        errorCode: 'RELAY_REFUSED',
        fate: 'unknown',
      });
      expect(await nextNonce()).toBe(102);
    },
  );

  it('is reported with its transaction when the chain took it and it failed', async () => {
    answers = [refusing('delegate_failed', { transactionId: 'failed-tx' })];
    expect(await executeDelegateAction(wallet.context, toSign, {})).toMatchObject({
      success: false,
      fate: 'failed',
      transactionId: 'failed-tx',
    });
  });

  it('stays in the journal with the transaction that the relay named, and an equal one is warned of', async () => {
    const unknown = async () => {
      const details = { relayCode: 'outcome_unknown', transactionId: 'carrier' };
      throw new LatchkeyError(RELAY_UNREACHABLE, { values: { reason: 'no outcome' }, details });
    };
    answers = [unknown, silent, silent];
    const paying = { ...toSign, actions: [{ type: 'Transfer', amount: '1' }] as const };
    expect(await executeDelegateAction(wallet.context, paying, {})).toMatchObject({
      fate: 'unknown',
      transactionId: 'carrier',
    });
    const open = { transactionId: 'carrier', receiverId: toSign.receiverId, fate: 'unknown' };
    const { batches } = await resume(wallet.context);
    expect(batches).toMatchObject([{ nearAccountId: ALICE, transactions: [open] }]);
    expect((await executeDelegateAction(wallet.context, paying, {})).success).toBe(true);
    const repeats = wallet.shown.map((model) => model.kind === 'transactions' && model.repeats);
    expect(repeats).toMatchObject([undefined, [{ transactionId: 'carrier' }]]);
  });

  it('ends when the host aborts, with an unknown fate', async () => {
    const ending = new AbortController();
    answers = [
      async () => {
        ending.abort();
        return silent();
      },
    ];
    expect(await executeDelegateAction(wallet.context, toSign, { signal: ending.signal })).toMatchObject({
      success: false,
      fate: 'unknown',
    });
    expect(posted).toHaveLength(1);
  });
});

describe('several delegates (core 3)', () => {
  const { accountId, ...one } = toSign;
  const sign = (toSignNow: Parameters<typeof signDelegateActions>[2]) =>
    signDelegateActions(wallet.context, accountId, toSignNow, {});

  it('cost one prompt, and each has a nonce of its own', async () => {
    const asked = vi.spyOn(navigator.credentials, 'get');
    const results = await sign([one, { ...one, nonce: '104' }, one]);
    expect(results).toMatchObject([
      { success: true, nonce: '105' },
      { success: true, nonce: '104' },
      { success: true, nonce: '106' },
    ]);
    expect(new Set(results.map(({ hash }) => hash)).size).toBe(3);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(wallet.shown).toHaveLength(1);
  });

  it('have one last block each as soon as one of them names it', async () => {
    const maxBlockHeight = String(wallet.chain.height + 20);
    const [first, second] = await sign([one, { ...one, maxBlockHeight }]);
    expect(second?.maxBlockHeight).toBe(maxBlockHeight);
    expect(Number(first?.maxBlockHeight)).toBe(wallet.chain.height + 600);
    expect(wallet.shown).toMatchObject([{ delegate: { validForBlocks: 600 } }]);
  });

  it('are all refused where two have the same nonce, and where there are none or no list of them', async () => {
    const same = { ...one, nonce: '104' };
    const refused = { success: false, errorCode: 'INVALID_ACTION', hash: null };
    expect(await sign([same, same])).toMatchObject([refused, refused]);
    await expect(sign([])).rejects.toMatchObject({ code: 'NO_TRANSACTIONS' });
    await expect(sign({ ...one } as never)).rejects.toMatchObject({ code: 'INVALID_ACTION' });
    expect(wallet.shown).toEqual([]);
  });
});
