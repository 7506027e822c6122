// The tokens of near-contract-standards, moved in Chromium by near-api-js and near-kit over the wallet: what the chain holds
// afterwards is what the client asked for, with one confirmation for each transaction.
import { deployTokens } from '../devnet/tokens.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { everyNodeKnows, expect, FRAMED } from './fixtures.js';

declare const facade: FacadePage;

test(
  'near-api-js and near-kit move fungible and unique tokens in Chromium, as each confirmation says',
  FRAMED,
  async ({ facade: wallet, stack, username }) => {
    const { page, accountId } = wallet;
    const { oracle } = stack;
    const contractId = `${username}.testnet`;
    await oracle.accountAs('testnet').transfer({ receiverId: accountId, amount: 10n ** 24n });
    await deployTokens(oracle, contractId, accountId);
    await everyNodeKnows(stack);
    const view = <T>(method: string, args: object) =>
      oracle.provider.callFunction({ contractId, method, args: args as never }) as Promise<T>;
    const coinsOf = async (id: string) => BigInt(await view<string>('ft_balance_of', { account_id: id }));
    const ownerOf = async (id: string) =>
      (await view<{ owner_id: string }>('nft_token', { token_id: id })).owner_id;
    const confirmations = async (work: () => Promise<void>) => {
      const before = wallet.confirmations();
      await work();
      return wallet.confirmations() - before;
    };

    const [first, second] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string];
    const given = { id: accountId, contract: contractId, first, second };
    // The first transfer pays for the receiver's storage before it sends.
    const byClasses = await confirmations(() =>
      page.evaluate(async ({ id, contract, first: receiverId }) => {
        const { account: from, tokens } = await facade.nearApiJs(id);
        const coin = new tokens.FungibleToken(contract, { name: 'Coin', symbol: 'TEST', decimals: 2 });
        await from.transfer({ receiverId, amount: 150n, token: coin });
        await coin.transfer({ from, receiverId, amount: 25n });
        const things = new tokens.NFTContract(contract, { name: 'Things', symbol: 'THING' });
        await things.transfer({ from, receiverId, tokenId: '1' });
        const thing = new tokens.NonFungibleToken(contract, '2', id, {});
        await things.transfer({ from, receiverId, tokenId: thing.tokenId });
      }, given),
    );
    expect(byClasses).toBe(5);
    await expect.poll(() => coinsOf(first)).toBe(175n);
    await expect.poll(() => Promise.all([ownerOf('1'), ownerOf('2')])).toEqual([first, first]);

    const byKit = await confirmations(() =>
      page.evaluate(async ({ id, contract, second: receiver }) => {
        const near = await facade.nearKit(id);
        const oneYocto = { attachedDeposit: '1 yocto' } as const;
        await near
          .transaction(id)
          .functionCall(
            contract,
            'storage_deposit',
            { account_id: receiver },
            {
              attachedDeposit: '0.00125 NEAR',
            },
          )
          .functionCall(contract, 'ft_transfer', { receiver_id: receiver, amount: '40' }, oneYocto)
          .send();
        await near.call(contract, 'nft_transfer', { receiver_id: receiver, token_id: '3' }, oneYocto);
      }, given),
    );
    expect(byKit).toBe(2);
    await expect.poll(() => coinsOf(second)).toBe(40n);
    await expect.poll(() => ownerOf('3')).toBe(second);
    expect(await coinsOf(accountId)).toBe(100_000n - 175n - 40n);
  },
);
