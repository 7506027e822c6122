// What the authenticator says of the passkey's backup reaches the login state.
import { accountOf, expect, test } from './wallet.js';

test('the login state says what the passkey said of its backup: at the registration, at a signature, at a recovery', async ({
  open,
  username,
}) => {
  const wallet = await open({ knobs: { backup: 'device-bound' } });
  const accountId = accountOf(username);
  await wallet.register(accountId);
  const backup = async () => (await wallet.state(accountId)).userData?.passkeyBackup;
  expect(await backup()).toBe('device-bound');

  wallet.authenticator.backup = 'not-backed-up';
  const params = { message: 'hello', recipient: 'localhost' };
  expect(await wallet.manager.signNEP413Message({ nearAccountId: accountId, params })).toMatchObject({
    success: true,
  });
  await expect.poll(backup).toBe('not-backed-up');

  wallet.authenticator.backup = 'synced';
  expect(await wallet.manager.recoverAccountFlow({ accountId })).toMatchObject({ success: true });
  expect(await backup()).toBe('backed-up');
});
