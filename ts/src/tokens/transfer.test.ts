import { describe, expect, it } from 'vitest';
import { formatUnits, parseUnits, tokenTransfer } from './index.js';
import { type Contract, panic, startTokenChain, token } from './testing/token-chain.js';

const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';
const DEPOSIT = '1250000000000000000000';

async function transferOn(contract: Contract, receiverId = BOB, amount = '150') {
  const { nodes } = await startTokenChain({ 'test.near': contract });
  return tokenTransfer(nodes, { contractId: 'test.near', receiverId, amount });
}

describe('the transfer of a token', () => {
  it('is one call with 1 yoctoNEAR to a receiver that has room for it', async () => {
    const { call, storageDeposit } = await transferOn(token({}, { [BOB]: '0' }));
    expect(storageDeposit).toBeUndefined();
    expect(call).toMatchObject({
      receiverId: 'test.near',
      actionArgs: [{ methodName: 'ft_transfer', args: { receiver_id: BOB, amount: '150' }, deposit: '1' }],
    });
  });

  it('pays for the storage of a receiver that lacks it, in the same transaction, before it', async () => {
    const { call, storageDeposit } = await transferOn(token({}, { [ALICE]: '1' }));
    expect(storageDeposit).toBe(DEPOSIT);
    expect(call.actionArgs).toMatchObject([
      { methodName: 'storage_deposit', args: { account_id: BOB }, deposit: DEPOSIT },
      { methodName: 'ft_transfer', deposit: '1' },
    ]);
  });

  it('pays nothing to a contract that knows no storage deposits', async () => {
    const { storage_balance_of: _, storage_balance_bounds: __, ...plain } = token({});
    expect((await transferOn(plain)).call.actionArgs).toHaveLength(1);
  });

  it('is refused where the deposit is far more than a token needs [S93]', async () => {
    const dear = { ...token({}), storage_balance_bounds: () => ({ min: `5${'0'.repeat(24)}` }) };
    await expect(transferOn(dear)).rejects.toMatchObject({
      code: 'TOKEN_STORAGE_TOO_DEAR',
      values: { price: '5', receiver: BOB },
    });
  });

  it.each<[string, Contract]>([
    ['gives no price', { ...token({}), storage_balance_bounds: panic('none') }],
    ['gives a price that is none', { ...token({}), storage_balance_bounds: () => ({ min: '-1' }) }],
    ['answers something else', { ...token({}), storage_balance_of: () => 'yes' }],
  ])('is refused where a contract %s', async (_, contract) => {
    await expect(transferOn(contract)).rejects.toMatchObject({ code: 'TOKEN_UNUSABLE' });
  });

  it.each([
    ['a receiver that is none', 'Bob', '1', 'INVALID_ACCOUNT_ID'],
    ['nothing', BOB, '0', 'INVALID_AMOUNT'],
    ['a part of a unit', BOB, '1.5', 'INVALID_AMOUNT'],
    ['less than nothing', BOB, '-1', 'INVALID_AMOUNT'],
  ])('is refused for %s', async (_, receiverId, amount, code) => {
    await expect(transferOn(token({}), receiverId, amount)).rejects.toMatchObject({ code });
  });
});

describe('an amount of a token', () => {
  it.each([
    ['1.5', 6, '1500000'],
    ['0.01', 2, '1'],
    ['7', 0, '7'],
    ['340282366920938463463374607431768211455', 0, '340282366920938463463374607431768211455'],
  ])('%s with %i decimals is exact, there and back', (text, decimals, units) => {
    expect(parseUnits(text, decimals)).toBe(units);
    expect(formatUnits(units, decimals)).toBe(text);
  });

  it('is refused rather than rounded or guessed', () => {
    for (const text of ['0.001', '1,5', '-1', '1e3', '', '.5', '1.'])
      expect(() => parseUnits(text, 2), text).toThrowError(
        expect.objectContaining({ code: 'INVALID_AMOUNT' }),
      );
    expect(() => formatUnits('1.5', 2)).toThrowError(expect.objectContaining({ code: 'INVALID_AMOUNT' }));
  });
});
