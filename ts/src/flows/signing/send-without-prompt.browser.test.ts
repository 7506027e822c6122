import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SignedTransaction } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import type { ActivityLog, FlowContext } from '../context.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { sendTransaction } from './send-without-prompt.js';
import { signTransactionsWithActions } from './sign-batch.js';

const CAROL = 'carol.testnet';

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
let context: FlowContext;
let activity: { [K in keyof ActivityLog]: ReturnType<typeof vi.fn<ActivityLog[K]>> };
let signed: SignedTransaction;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
  activity = { leaves: vi.fn<ActivityLog['leaves']>(), settles: vi.fn<ActivityLog['settles']>() };
  context = { ...wallet.context, activity };
  const pay = [{ receiverId: 'bob.testnet', actions: [{ type: 'Transfer' as const, amount: '7' }] }];
  const [one] = await signTransactionsWithActions(context, ALICE, pay, {});
  signed = one?.signedTransaction as SignedTransaction;
});
afterEach(async () => {
  await wallet.close();
  await authenticator.remove();
});

/** The same bytes, as a payment of Carol to Mallory. */
const described = (): SignedTransaction => ({
  ...signed,
  hash: 'forged',
  transaction: {
    ...signed.transaction,
    signerId: CAROL,
    receiverId: 'mallory.testnet',
    actions: [{ type: 'Transfer', amount: '999' }],
  },
});

describe("the user's activity, where a page hands over a signed transaction", () => {
  it('has what was signed here, however the page describes it', async () => {
    expect(await sendTransaction(context, described(), {})).toMatchObject({ success: true });
    expect(activity.leaves).toHaveBeenCalledTimes(1);
    expect(activity.leaves).toHaveBeenCalledWith(
      expect.objectContaining({
        accountId: ALICE,
        transactionId: signed.hash,
        receiverId: 'bob.testnet',
        actions: [{ type: 'Transfer', amount: '7' }],
      }),
    );
    expect(activity.settles).toHaveBeenCalledWith(ALICE, expect.any(String), 'executed');
  });

  it.each([
    ['signed elsewhere', (bytes: Uint8Array) => bytes.map((byte, at) => (at === 60 ? byte ^ 1 : byte))],
    ['no transaction', () => Uint8Array.of(1, 2, 3)],
  ])('has nothing of what was %s, for any account [S24]', async (_, change) => {
    await sendTransaction(context, { ...described(), borshBytes: change(signed.borshBytes) }, {});
    expect(activity.leaves).not.toHaveBeenCalled();
    expect(activity.settles).not.toHaveBeenCalled();
  });
});

describe('a signed transaction that a page hands over', () => {
  it.each<[string, (given: SignedTransaction) => unknown, string]>([
    ['is absent', () => undefined, 'its borshBytes must be a Uint8Array'],
    [
      'went through JSON',
      (given) => JSON.parse(JSON.stringify(given)),
      'its borshBytes must be a Uint8Array',
    ],
    [
      'is another object',
      (signedTransaction) => ({ signedTransaction }),
      'its borshBytes must be a Uint8Array',
    ],
    [
      'has other bytes',
      (given) => ({ ...given, borshBytes: Uint8Array.of(1) }),
      'not an ed25519-signed transaction',
    ],
  ])('is refused by what it needs where it %s, and nothing is sent', async (_, change, problem) => {
    const sent = wallet.chain.sent.length;
    expect(await sendTransaction(context, change(signed) as SignedTransaction, {})).toMatchObject({
      success: false,
      errorCode: 'INVALID_ACTION',
      error: `The signedTransaction is none that signTransactionsWithActions returned: ${problem}`,
      fate: 'not-sent',
    });
    expect(wallet.chain.sent).toHaveLength(sent);
  });

  it('has the id of its bytes, whatever the page calls it', async () => {
    const forged = { ...signed, hash: 'forged' };
    const onEvent = vi.fn();
    await sendTransaction(context, forged, { onEvent });
    expect(onEvent).toHaveBeenCalledWith(
      expect.objectContaining({ phase: 'broadcasting', data: { transactionId: signed.hash } }),
    );
  });
});
