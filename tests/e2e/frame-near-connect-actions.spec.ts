// Every action that near-api-js builds, by the connector, from the line that the wallet shows to what the chain then holds.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { base58 } from '@scure/base';
import binaryen from 'binaryen';
import { KeyPair } from 'near-api-js';
import { decodeSignedDelegateAction, Near } from 'near-kit';
import { developmentKey } from '../../demo/stack/keys.js';
import { REGISTRY } from '../../demo/stack/services.js';
import { agree } from '../../demo/stack/steps.js';
import { accountOf } from '../../demo/stack/wallet.js';
import {
  addSandboxed,
  agreeIn,
  answerOf,
  clickAndOpen,
  closed,
  type Dapp,
  signedIn,
  test,
} from './connect-page/fixture.js';
import { expect } from './fixtures.js';

test.describe.configure({ timeout: 240_000 });

const NEAR = 10n ** 24n;

async function tally(): Promise<Uint8Array> {
  const module = binaryen.parseText(await readFile(new URL('../devnet/tally.wat', import.meta.url), 'utf8'));
  const code = module.emitBinary();
  module.dispose();
  return code;
}

/** Makes the click, and confirms in the window. Returns what the wallet showed, and the connector's answer. */
async function shownAndSent(
  dapp: Dapp,
  name: string,
  params: unknown,
): Promise<{ shown: string; answer: object }> {
  const window = await clickAndOpen(dapp, name, params);
  const dialog = window.getByRole('dialog', { name: /^Confirm/ });
  await dialog.waitFor();
  const shown = await dialog.innerText();
  await agree(dialog, /^Confirm/).catch((error: unknown) => {
    if (!window.isClosed()) throw error;
  });
  const answer = await answerOf(dapp);
  await closed(window);
  return { shown, answer };
}

test('the chain holds what the wallet showed of each action that the connector passes on', async ({
  dapps,
  stack,
  username,
}) => {
  const account = accountOf(username);
  const dapp = await signedIn(dapps, 'shop.localhost', username);
  const { provider, ...oracle } = stack.oracle;
  await oracle.accountAs('testnet').transfer({ receiverId: account, amount: 20n * NEAR });
  const code = await tally();
  const codeHash = createHash('sha256').update(code).digest();
  const publicKey = KeyPair.fromRandom('ed25519').getPublicKey().toString();
  const beneficiary = 'testnet';
  const given = { account, publicKey, code: [...code], codeHash: [...codeHash], beneficiary };
  const send = (name: string) => shownAndSent(dapp, `one:${name}`, given);
  const state = () => provider.viewAccount({ accountId: account });
  const keyOnChain = async () => {
    const { keys } = await provider.viewAccessKeyList({ accountId: account });
    return keys.find(({ public_key }) => String(public_key) === publicKey)?.access_key.permission;
  };

  const deployed = await send('deployContract');
  expect(deployed.shown).toContain(`${code.length} bytes`);
  await expect.poll(async () => (await state()).code_hash).toBe(base58.encode(codeHash));

  const called = await send('functionCall');
  expect(called.shown).toContain('tally');
  expect(called.shown).toContain('00ff');
  const { hash } = (called.answer as { value: { transaction: { hash: string } } }).value.transaction;
  expect(await provider.viewTransactionStatus({ txHash: hash, accountId: account })).toMatchObject({
    transaction: { actions: [{ FunctionCall: { method_name: 'tally', args: 'AP8=', deposit: '3' } }] },
  });

  const created = await send('createAccount');
  expect(created.shown).toContain('0.01 NEAR');
  expect(created.shown).toContain(publicKey);
  await expect.poll(() => oracle.balance(`child.${account}`)).toBe(NEAR / 100n);
  expect(await oracle.fullAccessKeys(`child.${account}`)).toEqual([publicKey]);

  const added = await send('addFunctionCallAccessKey');
  for (const part of [publicKey, beneficiary, 'go', '0.1 NEAR']) expect(added.shown).toContain(part);
  await expect.poll(keyOnChain).toEqual({
    FunctionCall: { receiver_id: beneficiary, method_names: ['go'], allowance: String(NEAR / 10n) },
  });
  expect((await send('deleteKey')).shown).toContain(publicKey);
  await expect.poll(keyOnChain).toBeUndefined();

  const staked = await send('stake');
  for (const part of ['5 NEAR', publicKey]) expect(staked.shown).toContain(part);
  await expect.poll(async () => (await state()).locked).toBe(5n * NEAR);

  expect((await send('globalByHash')).shown).toContain(`${code.length} bytes`);
  await send('globalByAccount');
  // No level waits for the distribution of a global contract.
  const published = (identifier: { accountId: string } | { codeHash: string }) =>
    provider.viewGlobalContractCode({ identifier }).then(
      () => true,
      () => false,
    );
  await expect.poll(() => published({ codeHash: base58.encode(codeHash) })).toBe(true);
  await expect.poll(() => published({ accountId: account })).toBe(true);
  const used = await send('useByHash');
  expect(used.shown).toContain(base58.encode(codeHash));
  await expect.poll(async () => (await state()).global_contract_hash).toBe(base58.encode(codeHash));
  expect((await send('useByAccount')).shown).toContain(account);
  await expect.poll(async () => (await state()).global_contract_account_id).toBe(account);
});

test('one account serves two origins: a payment moves what was shown, a delegate is carried, and the account is deleted', async ({
  dapps,
  stack,
  username,
}) => {
  const accountId = accountOf(username);
  const shop = await signedIn(dapps, 'shop.localhost', username);
  const game = await dapps.open('game.localhost');
  const connecting = await clickAndOpen(game, 'connect', { walletId: await addSandboxed(game) });
  await agreeIn(connecting, 'Connect an account', 'Connect');
  expect(await answerOf(game)).toMatchObject({ value: [{ accountId }] });

  const receiverId = 'c'.repeat(64);
  const transfer = { type: 'Transfer', params: { deposit: String(NEAR / 100n) } };
  const paid = await shownAndSent(shop, 'signAndSendTransaction', { receiverId, actions: [transfer] });
  for (const part of ['0.01 NEAR', receiverId, shop.origin]) expect(paid.shown).toContain(part);
  await expect.poll(() => stack.oracle.balance(receiverId)).toBe(NEAR / 100n);

  const greet = {
    type: 'FunctionCall',
    params: {
      methodName: 'set_greeting',
      args: { greeting: 'carried for the game' },
      gas: '30000000000000',
      deposit: '0',
    },
  };
  const signed = await shownAndSent(game, 'signDelegateActions', {
    delegateActions: [{ receiverId: REGISTRY, actions: [greet] }],
  });
  for (const part of ['carried for the game', REGISTRY, game.origin]) expect(signed.shown).toContain(part);
  const { value } = signed.answer as { value: { signedDelegateActions: [string] } };
  const carrier = new Near({
    network: { rpcUrl: new URL('/admin/rpc', stack.chainUrl).href, networkId: 'testnet' },
    privateKey: developmentKey('testnet'),
    defaultSignerId: 'testnet',
  });
  const delegate = decodeSignedDelegateAction(value.signedDelegateActions[0]);
  await carrier.transaction('testnet').signedDelegateAction(delegate).send();
  await expect.poll(() => stack.oracle.greeting()).toBe('carried for the game');

  const before = await stack.oracle.balance(receiverId);
  const deleteAccount = { type: 'DeleteAccount', params: { beneficiaryId: receiverId } };
  const deleted = await shownAndSent(shop, 'signAndSendTransaction', {
    receiverId: accountId,
    actions: [deleteAccount],
  });
  expect(deleted.shown).toContain(receiverId);
  await expect.poll(() => stack.oracle.accountExists(accountId)).toBe(false);
  await expect.poll(() => stack.oracle.balance(receiverId)).toBeGreaterThan(before);
});
