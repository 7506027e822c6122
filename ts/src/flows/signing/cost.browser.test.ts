/** The cost of transactions, and when the wallet refuses them before it asks the user. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import { KNOWN_FEES } from '../../near/fees.js';
import type { ActionInput, TransactionInput } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { ALICE, BLOCK_HASH, type SignedIn, signIn } from '../testing/signed-in.js';
import { executeAction, signAndSendTransactions } from './sign-and-send.js';

const NEAR = 10n ** 24n;
const near = (amount: number) => String(BigInt(Math.round(amount * 1e6)) * (NEAR / 1_000_000n));
const pay = (amount: number, receiverId = 'bob.testnet'): TransactionInput => ({
  receiverId,
  actions: [{ type: 'Transfer', amount: near(amount) }],
});
const call = (deposit = '0'): ActionInput => ({ type: 'FunctionCall', methodName: 'm', args: {}, deposit });

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await wallet.close();
  await authenticator.remove();
});

const execute = (receiverId: string, action: ActionInput) =>
  executeAction(wallet.context, ALICE, receiverId, [action], {});

describe('the cost of transactions', () => {
  it('is shown before the confirmation: gas at its purchase price, deposit, total, and the available balance', async () => {
    await signAndSendTransactions(
      wallet.context,
      ALICE,
      [{ receiverId: 'w3a-v1.testnet', actions: [call('5')] }, pay(1)],
      {},
    );
    const [model] = wallet.shown;
    const cost = model?.kind === 'transactions' ? model.cost : undefined;
    expect(cost).toMatchObject({ deposit: String(NEAR + 5n), available: near(10) });
    // 30 Tgas at 10^9 yocto are 0.03 NEAR; the fees of both make less than a twentieth of that.
    expect(BigInt(cost?.gas ?? 0)).toBeGreaterThan((NEAR * 3n) / 100n);
    expect(BigInt(cost?.gas ?? 0)).toBeLessThan((NEAR * 32n) / 1000n);
    expect(BigInt(cost?.total ?? 0)).toBe(BigInt(cost?.gas ?? 0) + BigInt(cost?.deposit ?? 0));
  });

  it('follows the price of gas where that is above the purchase price', async () => {
    const header = { height: 1000, hash: BLOCK_HASH, timestamp_nanosec: '0', gas_price: '3000000000' };
    vi.spyOn(wallet.context.rpc, 'block').mockResolvedValue({ header });
    await execute('w3a-v1.testnet', call());
    const [model] = wallet.shown;
    const cost = model?.kind === 'transactions' ? model.cost : undefined;
    // 30 Tgas at 3 × 10^9 yocto are 0.09 NEAR.
    expect(BigInt(cost?.gas ?? 0)).toBeGreaterThan((NEAR * 9n) / 100n);
    expect(BigInt(cost?.gas ?? 0)).toBeLessThan((NEAR * 96n) / 1000n);
  });

  it("leaves out the balance that pays for the account's storage", async () => {
    vi.spyOn(wallet.context.rpc, 'viewAccount').mockResolvedValue({
      amount: near(3),
      locked: '0',
      code_hash: '',
      storage_usage: 100_000,
      block_height: 1,
      block_hash: '',
    });
    await execute('bob.testnet', { type: 'Transfer', amount: near(0.5) });
    expect(wallet.shown).toMatchObject([{ cost: { available: near(2) } }]);
  });

  it('is omitted, and nothing is refused, when the balance cannot be read', async () => {
    vi.spyOn(wallet.context.rpc, 'viewAccount').mockRejectedValue(new LatchkeyError(NEAR_RPC_FAILED));
    const result = await execute('bob.testnet', { type: 'Transfer', amount: near(500) });
    expect(result.success).toBe(true);
    expect(wallet.shown).not.toMatchObject([{ cost: { available: expect.anything() } }]);
  });
});

describe('a balance that is too low', () => {
  it('is reported before any prompt: the available and the needed amount', async () => {
    const asked = vi.spyOn(navigator.credentials, 'get');
    const result = await execute('bob.testnet', { type: 'Transfer', amount: near(50) });
    expect(result).toMatchObject({
      success: false,
      errorCode: 'INSUFFICIENT_BALANCE',
      error: expect.stringMatching(
        /^alice\.w3a-v1\.testnet has 10 NEAR free, and this needs 50\.0002\d NEAR/,
      ),
      fate: 'not-sent',
      transactionId: null,
    });
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.shown).toEqual([]);
  });

  it('stops several payments that it covers one by one but not together', async () => {
    const results = await signAndSendTransactions(wallet.context, ALICE, [pay(4), pay(4), pay(4)], {});
    expect(results.map(({ errorCode }) => errorCode)).toEqual(Array(3).fill('INSUFFICIENT_BALANCE'));
    const toMyself = await signAndSendTransactions(wallet.context, ALICE, [pay(6, ALICE), pay(6, ALICE)], {});
    expect(toMyself.every(({ success }) => success)).toBe(true);
  });

  it('does not stop payments after a call, which may bring money in', async () => {
    const results = await signAndSendTransactions(
      wallet.context,
      ALICE,
      [{ receiverId: 'w3a-v1.testnet', actions: [call()] }, pay(50)],
      {},
    );
    expect(results.every(({ success }) => success)).toBe(true);
  });

  it('stops nothing when the chain sells gas for less than estimated', async () => {
    wallet.chain.balance = near(0.02);
    expect(await execute('w3a-v1.testnet', call())).toMatchObject({ errorCode: 'INSUFFICIENT_BALANCE' });
    const runtime_config = { ...KNOWN_FEES.runtime_config, min_gas_purchase_price: '0' };
    vi.spyOn(wallet.context.rpc, 'protocolConfig').mockResolvedValue({ ...KNOWN_FEES, runtime_config });
    expect((await execute('w3a-v1.testnet', call())).success).toBe(true);
  });

  it("is read again after an earlier transaction's refund", async () => {
    wallet.chain.balance = near(0.02);
    const paid = execute('w3a-v1.testnet', call());
    setTimeout(() => {
      wallet.chain.balance = near(0.1);
    }, 500);
    expect((await paid).success).toBe(true);
  });

  it('is left to the chain when its prices cannot be read', async () => {
    vi.spyOn(wallet.context.rpc, 'protocolConfig').mockRejectedValue(new LatchkeyError(NEAR_RPC_FAILED));
    expect((await execute('bob.testnet', { type: 'Transfer', amount: near(50) })).success).toBe(true);
  });
});
