// Tokens on a real chain: what the wallet lists, sends and notices is what the contracts moved, to the last unit.
// Specification: core 2, core 4
import { randomBytes } from 'node:crypto';
import { tokenMoves } from '../../ts/src/confirm/moves.js';
import {
  type Incoming,
  parseUnits,
  readToken,
  readTokens,
  tokenTransfer,
  watchIncoming,
} from '../../ts/src/tokens/index.js';
import { deploySaying, deployTokens, deployWrappedNear } from '../devnet/tokens.js';
import type { Oracle } from '../support/oracle.js';
import { expect, pay, test, type Wallet } from './wallet.js';

const COIN = 'coin.testnet';
const WRAPPED = 'wrap.testnet';
/** What near-contract-standards asks for one account. */
const STORAGE = '1250000000000000000000';

let count = 0;
/** An account that nobody has used. */
const stranger = (): string => randomBytes(32).toString('hex');
const nodesOf = ({ manager }: Wallet) => manager.config;
const balanceOf = async (wallet: Wallet, contractId: string, accountId = wallet.accountId) =>
  BigInt((await readToken(nodesOf(wallet), accountId, contractId)).balance);
const view = (oracle: Oracle, contractId: string, method: string, args: object) =>
  oracle.provider.callFunction({ contractId, method, args: args as never }) as Promise<never>;

/** A token contract of its own for a test, whose whole supply the wallet has. */
async function coinOf({ accountId, stack }: Wallet): Promise<string> {
  count += 1;
  const contractId = `${count}-${COIN}`;
  await deployTokens(stack.oracle, contractId, accountId);
  return contractId;
}

async function sendToken(wallet: Wallet, contractId: string, receiverId: string, amount: string) {
  const { call, storageDeposit } = await tokenTransfer(nodesOf(wallet), { contractId, receiverId, amount });
  const result = await wallet.manager.executeAction({
    nearAccountId: wallet.accountId,
    ...call,
    options: { waitUntil: 'FINAL' },
  });
  return { result, storageDeposit };
}

test('a token goes to an account that never had one, with its storage, by one approval that says both', async ({
  wallet,
  stack,
}) => {
  await pay(stack, wallet.accountId, 5n);
  const coin = await coinOf(wallet);
  const receiverId = stranger();
  const prompts = wallet.prompts.length;
  const { result, storageDeposit } = await sendToken(wallet, coin, receiverId, parseUnits('12.34', 2));
  expect(result).toMatchObject({ success: true, fate: 'executed' });
  expect(wallet.prompts.length - prompts).toBe(1);
  expect(storageDeposit).toBe(STORAGE);

  const shown = wallet.shown.at(-1);
  if (shown?.kind !== 'transactions') throw new Error('The wallet asked about something else.');
  const [storage, send, ...others] = shown.transactions.flatMap(tokenMoves);
  expect(others).toEqual([]);
  expect(storage).toMatchObject({ does: 'pay-storage', token: coin, receiverId, amount: STORAGE });
  expect(send).toMatchObject({ does: 'send', token: coin, receiverId, amount: '1234' });
  expect(shown.tokens).toEqual([{ contractId: coin, symbol: 'TEST', decimals: 2 }]);

  expect(await balanceOf(wallet, coin, receiverId)).toBe(1234n);
  expect(await balanceOf(wallet, coin)).toBe(100_000n - 1234n);
  expect(await view(stack.oracle, coin, 'storage_balance_of', { account_id: receiverId })).toMatchObject({
    total: STORAGE,
  });
  // The next one needs no storage, and the last unit leaves.
  const rest = await sendToken(wallet, coin, receiverId, String(100_000 - 1234));
  expect(rest).toMatchObject({ result: { success: true }, storageDeposit: undefined });
  expect([await balanceOf(wallet, coin), await balanceOf(wallet, coin, receiverId)]).toEqual([0n, 100_000n]);
});

test('a transfer that fails pays for no storage', async ({ wallet, stack }) => {
  await pay(stack, wallet.accountId, 5n);
  const coin = await coinOf(wallet);
  const receiverId = stranger();
  const { result } = await sendToken(wallet, coin, receiverId, '100001');
  expect(result).toMatchObject({ success: false, fate: 'failed' });
  expect(await view(stack.oracle, coin, 'storage_balance_of', { account_id: receiverId })).toBeNull();
  expect(await balanceOf(wallet, coin)).toBe(100_000n);
});

test('wrapped NEAR is wrapped, sent and unwrapped to the last yoctoNEAR', async ({ wallet, stack }) => {
  await pay(stack, wallet.accountId, 5n);
  await deployWrappedNear(stack.oracle, WRAPPED);
  const amount = 10n ** 24n + 1n;
  const wrapped = await wallet.execute(WRAPPED, {
    type: 'FunctionCall',
    methodName: 'near_deposit',
    args: {},
    gas: '10000000000000',
    deposit: String(amount + BigInt(STORAGE)),
  });
  expect(wrapped).toMatchObject({ success: true });
  const held = await readToken(nodesOf(wallet), wallet.accountId, WRAPPED);
  expect(held).toMatchObject({ symbol: 'wNEAR', decimals: 24, balance: String(amount) });
  expect(held.icon).toMatch(/^data:image\/svg\+xml,/);
  expect(held).not.toHaveProperty('imitates');

  const receiverId = stranger();
  expect((await sendToken(wallet, WRAPPED, receiverId, '1')).result).toMatchObject({ success: true });
  expect(await balanceOf(wallet, WRAPPED, receiverId)).toBe(1n);
  const unwrapped = await wallet.execute(WRAPPED, {
    type: 'FunctionCall',
    methodName: 'near_withdraw',
    args: { amount: String(amount - 1n) },
    gas: '10000000000000',
    deposit: '1',
  });
  expect(unwrapped).toMatchObject({ success: true });
  expect(await balanceOf(wallet, WRAPPED)).toBe(0n);
});

test('contracts that lie about themselves are told apart, and the honest one is listed', async ({
  wallet,
  stack,
}) => {
  await pay(stack, wallet.accountId, 5n);
  const honest = { name: 'Coin', symbol: 'COIN', decimals: 2 };
  const lies = {
    'says-bidi.testnet': { ...honest, name: '\u202ENAOC\u202C', symbol: 'C\u200BOIN' },
    'says-bank.testnet': { ...honest, name: 'Deutsche Bank AG', symbol: 'ΝΕΑR' },
    'says-77.testnet': { ...honest, decimals: 77 },
    'says-much.testnet': { ...honest, name: 'x'.repeat(200_000) },
    'says-nothing.testnet': {},
  };
  for (const [contractId, said] of Object.entries(lies)) await deploySaying(stack.oracle, contractId, said);
  const coin = await coinOf(wallet);
  const contractIds = [coin, ...Object.keys(lies), 'testnet'];
  const { tokens, unread } = await readTokens(nodesOf(wallet), wallet.accountId, { contractIds });
  expect(tokens).toEqual([
    { contractId: coin, name: 'Test coin', symbol: 'TEST', decimals: 2, balance: '100000' },
    { contractId: 'says-bidi.testnet', name: 'NAOC', symbol: 'COIN', decimals: 2, balance: '5' },
    {
      contractId: 'says-bank.testnet',
      name: 'Deutsche Bank AG',
      symbol: 'ΝΕΑR',
      decimals: 2,
      balance: '5',
      imitates: 'NEAR',
    },
  ]);
  expect(unread.map(({ contractId, error }) => [contractId, error.code])).toEqual(
    ['says-77.testnet', 'says-much.testnet', 'says-nothing.testnet', 'testnet'].map((id) => [
      id,
      'TOKEN_UNUSABLE',
    ]),
  );
  // Its storage methods fail, so it counts as one that wants no deposit.
  const call = { contractId: 'says-bidi.testnet', receiverId: stranger(), amount: '1' };
  expect(await tokenTransfer(nodesOf(wallet), call)).not.toHaveProperty('storageDeposit');
});

test('NEAR and tokens that come in are noticed, and what the account itself sends is not', async ({
  wallet,
  stack,
}) => {
  await pay(stack, wallet.accountId, 5n);
  const coin = await coinOf(wallet);
  const seen: Pick<Incoming, 'contractId' | 'amount'>[] = [];
  const onIncoming = ({ contractId, amount }: Incoming): void =>
    void seen.push({ ...(contractId !== undefined && { contractId }), amount });
  const stop = watchIncoming(nodesOf(wallet), wallet.accountId, onIncoming, {
    contractIds: [coin],
    intervalMs: 5_000,
  });
  const looks = () => wallet.calls('query:view_access_key_list');
  const untilLooked = async (times: number): Promise<void> => {
    const from = looks();
    await expect.poll(looks, { timeout: 60_000 }).toBeGreaterThanOrEqual(from + times);
  };
  try {
    await untilLooked(2);
    const holder = 'testnet';
    await sendToken(wallet, coin, holder, '700');
    await untilLooked(3);
    expect(seen).toEqual([]);
    await pay(stack, wallet.accountId, 2n);
    await stack.oracle.accountAs(holder).callFunction({
      contractId: coin,
      methodName: 'ft_transfer',
      args: { receiver_id: wallet.accountId, amount: '42' },
      deposit: 1n,
      waitUntil: 'FINAL',
    });
    await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(2);
    expect(seen).toEqual(
      expect.arrayContaining([{ amount: String(2n * 10n ** 24n) }, { contractId: coin, amount: '42' }]),
    );
  } finally {
    stop();
  }
});
