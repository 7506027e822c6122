// What the tests of the key viewer share: the viewer's places on the demo's page, and an account with a known key.
import type { FrameLocator, Page } from '@playwright/test';
import { secretKeyText } from '../../dev/services/keys.js';
import { derivedSecrets } from '../support/secrets.js';
import { register } from '../support/steps.js';
import { accountOf, drawnIn, homeOf, type WatchedWallet } from '../support/wallet.js';
import { expect } from './fixtures.js';

export const layer = (page: Page) => drawnIn(page).locator('latchkey-key-viewer');
export const exportButton = (page: Page) => page.getByRole('button', { name: 'Export keys' });
export const problem = (page: Page) => page.getByRole('region', { name: 'Export Keys' }).getByRole('alert');

/** Registers, and returns the account with the key that the specification derives for it. */
export async function registered(wallet: WatchedWallet, username: string) {
  await register(wallet, username);
  const accountId = accountOf(username);
  const secrets = derivedSecrets(accountId, wallet.prfOutputs[0]!);
  return { accountId, secrets, privateKey: secretKeyText(secrets['NEAR seed']!) };
}

/** Waits until the viewer is gone and the focus has returned to its previous element. */
export async function expectGone(page: Page): Promise<void> {
  await expect(layer(page)).toHaveCount(0);
  await expect(exportButton(page)).toBeFocused();
  // A frame in its own process disappears shortly after its element.
  const home = await homeOf(page);
  await expect.poll(() => home.childFrames()).toEqual([]);
}

/** Waits until the viewer offers another try after a refused prompt. */
export async function refused(viewer: FrameLocator) {
  const again = viewer.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  return again;
}
