// The tokens of near-contract-standards, moved by near-api-js and near-kit over the wallet: what was shown is what moved.
import { Account, Contract } from 'near-api-js';
import { FungibleToken, NFTContract } from 'near-api-js/tokens';
import { Near } from 'near-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TokenMove, tokenMoves } from '../../ts/src/confirm/moves.js';
import type { ConfirmModel } from '../../ts/src/confirm/port.js';
import { LatchkeyAccount } from '../../ts/src/near-api-js/index.js';
import { createNearKitWallet } from '../../ts/src/near-kit/index.js';
import { deployTokens } from '../devnet/tokens.js';
import { openSigning, type Signing } from './near-api-js.js';

const TOKENS = 'tokens.testnet';
const coin = new FungibleToken(TOKENS, { name: 'Test coin', symbol: 'TEST', decimals: 2 });
const things = new NFTContract(TOKENS, { name: 'Test things', symbol: 'THING' });

let signing: Signing;

const view = <T>(method: string, args: object) =>
  signing.provider.callFunction({ contractId: TOKENS, method, args: args as never }) as Promise<T>;
const balanceOf = async (accountId: string) =>
  BigInt(await view<string>('ft_balance_of', { account_id: accountId }));
const ownerOf = async (tokenId: string) =>
  (await view<{ owner_id: string }>('nft_token', { token_id: tokenId })).owner_id;

/** The moves that the confirmations listed. */
const movesOf = (shown: readonly ConfirmModel[]): readonly TokenMove[] =>
  shown.flatMap((model) => (model.kind === 'transactions' ? model.transactions.flatMap(tokenMoves) : []));

beforeAll(async () => {
  signing = await openSigning('nat');
  await deployTokens(signing.stack.oracle, TOKENS, signing.accountId);
});
afterAll(() => signing?.close());

const KINDS = { Account, LatchkeyAccount };

describe.each(Object.entries(KINDS))('%s of near-api-js (core 3)', (name, Kind) => {
  const account = () => new Kind(signing.accountId, signing.provider, signing.signer);
  const receiverId = (name === 'Account' ? 'a' : 'b').repeat(64);

  test('moves a fungible token (NEP-141) as the confirmation says, after it has paid for the receiver’s storage', async () => {
    const before = await balanceOf(signing.accountId);
    const shown = await signing.shownBy(() => account().transfer({ receiverId, amount: 150n, token: coin }));
    const [storage, send] = movesOf(shown);
    expect(shown).toHaveLength(2);
    expect(storage).toMatchObject({ does: 'pay-storage', token: TOKENS, receiverId });
    expect(send).toMatchObject({ does: 'send', token: TOKENS, receiverId, amount: '150' });
    // The contract's own words, which the confirmation quotes.
    expect(shown[1]).toMatchObject({ tokens: [{ contractId: TOKENS, symbol: 'TEST', decimals: 2 }] });
    await expect.poll(() => balanceOf(receiverId)).toBe(BigInt(send?.amount ?? 0));
    expect(before - (await balanceOf(signing.accountId))).toBe(BigInt(send?.amount ?? 0));
  });

  test('moves a fungible token by a Contract', async () => {
    const contract = new Contract({ contractId: TOKENS, provider: signing.provider });
    const before = await balanceOf(receiverId);
    const args = { receiver_id: receiverId, amount: '25' };
    const shown = await signing.shownBy(async () =>
      contract.call.ft_transfer?.({ account: account(), args, deposit: 1n }),
    );
    expect(movesOf(shown)).toMatchObject([{ does: 'send', token: TOKENS, receiverId, amount: '25' }]);
    await expect.poll(async () => (await balanceOf(receiverId)) - before).toBe(25n);
  });

  test('moves a unique token (NEP-171) as the confirmation says', async () => {
    const tokenId = name === 'Account' ? '1' : '2';
    const shown = await signing.shownBy(() => things.transfer({ from: account(), receiverId, tokenId }));
    expect(movesOf(shown)).toMatchObject([{ does: 'send', token: TOKENS, receiverId, tokenId }]);
    await expect.poll(() => ownerOf(tokenId)).toBe(receiverId);
    expect(await ownerOf('3')).toBe(signing.accountId);
  });
});

test('an approval (NEP-178) lets the account take the token that the confirmation names', async () => {
  const account = new LatchkeyAccount(signing.accountId, signing.provider, signing.signer);
  const approve = () =>
    account.callFunction({
      contractId: TOKENS,
      methodName: 'nft_approve',
      args: { token_id: '3', account_id: 'testnet' },
      deposit: 10n ** 22n,
    });
  const shown = await signing.shownBy(approve);
  expect(movesOf(shown)).toMatchObject([
    { does: 'approve', token: TOKENS, receiverId: 'testnet', tokenId: '3' },
  ]);
  const isApproved = { token_id: '3', approved_account_id: 'testnet' };
  await expect.poll(() => view('nft_is_approved', isApproved)).toBe(true);
});

test('near-kit moves fungible and unique tokens as each confirmation says', async () => {
  const { manager: wallet, accountId, stack } = signing;
  const rpcUrl = new URL('/admin/rpc', stack.chainUrl).href;
  const near = new Near({
    network: { rpcUrl, networkId: 'testnet' },
    wallet: createNearKitWallet({ wallet, accountId }),
  });
  const receiverId = 'c'.repeat(64);
  const oneYocto = { attachedDeposit: '1 yocto' } as const;
  const storage = { attachedDeposit: '0.00125 NEAR' } as const;
  const coins = await signing.shownBy(() =>
    near
      .transaction(accountId)
      .functionCall(TOKENS, 'storage_deposit', { account_id: receiverId }, storage)
      .functionCall(TOKENS, 'ft_transfer', { receiver_id: receiverId, amount: '40' }, oneYocto)
      .send(),
  );
  expect(coins).toHaveLength(1);
  expect(movesOf(coins)).toMatchObject([
    { does: 'pay-storage', token: TOKENS, receiverId },
    { does: 'send', token: TOKENS, receiverId, amount: '40' },
  ]);
  await expect.poll(() => balanceOf(receiverId)).toBe(40n);

  const args = { receiver_id: receiverId, token_id: '3' };
  const thing = await signing.shownBy(() => near.call(TOKENS, 'nft_transfer', args, oneYocto));
  expect(movesOf(thing)).toMatchObject([{ does: 'send', token: TOKENS, receiverId, tokenId: '3' }]);
  await expect.poll(() => ownerOf('3')).toBe(receiverId);
});
