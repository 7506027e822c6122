/** `latchkey-dev/playwright`: Playwright's `test` with a user's passkeys, and the user's steps in the wallet's screens. */
export { expect } from '@playwright/test';
export type { Ceremony, StoredPasskey } from '../authenticators/software-passkeys.js';
export { SoftwarePasskeys } from '../authenticators/software-passkeys.js';
export { test, type WalletFixtures } from './fixture.js';
export { type LoginMenuMode, submitLoginMenu } from './login-menu.js';
export { installPasskeys } from './passkeys.js';
export { approveUntil, cancel, chooseNewAccount } from './screens.js';
