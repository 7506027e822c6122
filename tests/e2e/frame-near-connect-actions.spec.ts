// Every action that near-api-js builds, by the connector, from the line that the wallet shows to what the chain then holds.
import { decodeSignedDelegateAction, Near } from 'near-kit';
import { developmentKey } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import { AGREE, agree, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expectEveryAction, type Sent } from './connect-page/every-action.js';
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

/** Makes the click, and confirms in the window. Returns what the wallet showed, and the connector's answer. */
async function shownAndSent(dapp: Dapp, name: string, params: unknown): Promise<Sent> {
  const window = await clickAndOpen(dapp, name, params);
  const dialog = window.getByRole('dialog', { name: TRANSACTION });
  await dialog.waitFor();
  const shown = await dialog.innerText();
  await agree(dialog, AGREE).catch((error: unknown) => {
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
  const dapp = await signedIn(dapps, 'shop.localhost', username);
  await expectEveryAction(stack, accountOf(username), (name, given) => shownAndSent(dapp, name, given));
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
