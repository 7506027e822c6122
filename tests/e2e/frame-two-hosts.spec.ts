// Two hosts that frame one wallet: one account serves both, and neither learns or does what the user did not allow there.
import { createHash } from 'node:crypto';
import { installPasskeys } from '../../dev/playwright/passkeys.js';
import { AGREE, agree, TRANSACTION } from '../support/steps.js';
import { ask, connect, endOf, expect, register, start, test } from './attack-host/fixture.js';

test('one account serves two hosts of other origins: each logs in, is named where it asks, and each payment is made once', async ({
  context,
  open,
  places,
  stack,
  username,
}) => {
  // Chromium's own virtual passkeys belong to one page each.
  const { ceremonies } = await installPasskeys(context);
  const receiverId = createHash('sha256').update(username).digest('hex');
  const shop = await open(places.shop);
  await connect(shop);
  const nearAccountId = await register(shop, username);
  const game = await open(places.neighbour);
  await connect(game);
  // The browser has the account; this host has not had the user log in.
  expect(await ask(game, 'PM_GET_RECENT_LOGINS')).toMatchObject({ payload: { result: { accountIds: [] } } });
  const id = await start(game, 'PM_LOGIN', { nearAccountId });
  expect(await endOf(game, id)).toMatchObject({ payload: { result: { success: true } } });
  expect(await ask(game, 'PM_GET_RECENT_LOGINS')).toMatchObject({
    payload: { result: { accountIds: [nearAccountId] } },
  });

  for (const [index, host] of [shop, game, shop].entries()) {
    await host.page.bringToFront();
    const before = ceremonies.length;
    const paying = await start(host, 'PM_EXECUTE_ACTION', {
      nearAccountId,
      receiverId,
      actionArgs: { type: 'Transfer', amount: '5' },
    });
    const dialog = host.wallet.getByRole('dialog', { name: TRANSACTION });
    await expect(dialog).toContainText(new URL(host.page.url()).origin);
    await agree(dialog, AGREE);
    expect(await endOf(host, paying)).toMatchObject({ payload: { result: { success: true } } });
    expect(ceremonies).toHaveLength(before + 1);
    await expect.poll(() => stack.oracle.balance(receiverId)).toBe(5n * BigInt(index + 1));
  }
});
