// Playwright's `test` for an app with the wallet.
import { test as base } from '@playwright/test';
import type { SoftwarePasskeys } from '../authenticators/software-passkeys.js';
import { withFrameStorage } from './frame-storage.js';
import { installPasskeys } from './passkeys.js';

/** What a test has besides Playwright's own fixtures. */
export interface WalletFixtures {
  /** The user's passkeys, in every page, frame and window of the test's context. */
  readonly passkeys: SoftwarePasskeys;
}

/** Playwright's `test`, whose browser has passkeys with PRF and gives the wallet's frame its storage. */
export const test = base.extend<WalletFixtures>({
  passkeys: [async ({ context }, use) => use(await installPasskeys(context)), { auto: true }],
  launchOptions: [
    async ({ launchOptions, browserName }, use) =>
      use(browserName === 'chromium' ? withFrameStorage(launchOptions) : launchOptions),
    { scope: 'worker' },
  ],
});
