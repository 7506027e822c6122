// Every action that near-api-js builds, by the connector, from the line that the wallet shows to what the chain then holds.
import { AGREE, agree, TRANSACTION } from '../support/steps.js';
import { accountOf } from '../support/wallet.js';
import { expectEveryAction, type Sent } from './connect-page/every-action.js';
import { answerOf, clickAndOpen, closed, type Dapp, signedIn, test } from './connect-page/fixture.js';

test.describe.configure({ timeout: 240_000 });

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
