// The wallet's own dialog with the code of this device: it stays until this device is linked, and tells each step.
// Specification: kit 2
import { drawnIn, homeOf } from '../support/wallet.js';
import { authorize, linked, test } from './facade-page/device2.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

test.describe.configure({ timeout: 120_000 });

for (const [which, isNamed] of [
  ['of an account that it knows', true],
  ['of any account, whose passkey is made after the scan', false],
] as const) {
  test(`the code ${which} stays in the frame, says that it was scanned, and goes when this device is linked`, async ({
    device1,
    device2,
    stack,
  }) => {
    const { accountId } = device1;
    const { page } = device2;
    const code = await page.evaluate(
      (named) =>
        facade.manager.startDevice2LinkingFlow({
          ...named,
          ui: 'modal',
          onError: ({ code: failure }) => {
            facade.linked = failure;
          },
          afterCall: (success, result) => {
            if (success) facade.linked = result;
          },
        }),
      isNamed ? { accountId } : {},
    );
    const dialog = drawnIn(page).getByRole('dialog', { name: 'Scan and Link Device' });
    await expect(dialog.getByRole('img', { name: 'QR code that links this device' })).toBeVisible();
    await expect(dialog.getByRole('status')).toHaveText('Waiting for your other device to scan');
    const frame = await homeOf(page);
    const scanned = frame.waitForFunction(() =>
      document
        .querySelector('latchkey-linking')
        ?.shadowRoot?.querySelector('.paper[data-found] ~ .state')
        ?.textContent?.trim(),
    );
    await authorize(device1, code);
    expect(await (await scanned).jsonValue()).toMatch(/has added the key of this device|passkey|Registering/);
    expect(await linked(device2)).toMatchObject({ success: true, nearAccountId: accountId, deviceNumber: 2 });
    await expect(dialog).toHaveCount(0);
    await expect(page.locator('latchkey-wallet dialog')).toHaveAttribute('data-at', 'hidden');
    expect(await stack.oracle.authenticators(accountId)).toHaveLength(2);
  });
}
