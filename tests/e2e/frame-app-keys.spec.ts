// An app key that a host makes in a wallet with an origin of its own.
import { APP } from '../support/oracle.js';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

test('a key is created with one prompt, signs calls without one, survives a reload, and is refused once revoked', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  await stack.oracle.deployApp();
  const call = (greeting: string) =>
    page.evaluate((args) => facade.manager.callWithAppKey(args), {
      nearAccountId: accountId,
      receiverId: APP,
      methodName: 'set_greeting',
      args: { greeting },
      options: { waitUntil: 'FINAL' as const },
    });
  const made = await page.evaluate((args) => facade.manager.addAppKey(args), {
    nearAccountId: accountId,
    receiverId: APP,
    methodNames: ['set_greeting'],
    options: { waitUntil: 'FINAL' as const },
  });
  expect(made).toMatchObject({ success: true, publicKey: expect.stringMatching(/^ed25519:/) });
  expect(wallet.prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
  expect(wallet.confirmations()).toBe(2);

  expect(await call('by an app key')).toMatchObject({ success: true, fate: 'executed' });
  await page.reload();
  expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
    success: true,
    unlockedBy: 'server-lock',
  });
  expect(await call('and again')).toMatchObject({ success: true });
  expect(wallet.prompts).toHaveLength(2);
  expect(wallet.confirmations()).toBe(2);
  expect(await stack.oracle.greeting(APP)).toBe('and again');

  const revoked = await page.evaluate((args) => facade.manager.revokeAppKey(args), {
    nearAccountId: accountId,
    publicKey: made.publicKey ?? '',
    options: { waitUntil: 'FINAL' as const },
  });
  expect(revoked).toMatchObject({ success: true });
  expect(await call('revoked')).toMatchObject({ success: false, errorCode: 'APP_KEY_MISSING' });
});
