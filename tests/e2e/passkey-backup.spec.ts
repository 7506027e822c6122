// What the authenticator says of the passkey's backup reaches the login state.
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED } from './fixtures.js';

declare const facade: FacadePage;

test(
  'the login state says what the passkey said of its backup: at the registration, at a signature, at a recovery',
  FRAMED,
  async ({ facade: wallet }) => {
    const { page, passkey, accountId } = wallet;
    const backup = () =>
      page.evaluate(
        async (id) => (await facade.manager.getLoginState(id)).userData?.passkeyBackup,
        accountId,
      );
    const sign = () =>
      page.evaluate(
        (nearAccountId) =>
          facade.manager.signNEP413Message({
            nearAccountId,
            params: { message: 'hello', recipient: location.host },
          }),
        accountId,
      );
    expect(await backup()).toBe('device-bound');

    await passkey.setBackup({ isEligible: true, isBackedUp: false });
    expect(await sign()).toMatchObject({ success: true });
    await expect.poll(backup).toBe('not-backed-up');

    await passkey.setBackup({ isEligible: true, isBackedUp: true });
    const recovered = await page.evaluate(
      (id) => facade.manager.recoverAccountFlow({ accountId: id }),
      accountId,
    );
    expect(recovered).toMatchObject({ success: true });
    expect(await backup()).toBe('backed-up');
  },
);
