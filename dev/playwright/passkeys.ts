// Software passkeys behind every document of a browser context.
import type { BrowserContext } from '@playwright/test';
import { pageScript } from '../authenticators/index.js';
import { type Asked, type Ceremony, SoftwarePasskeys } from '../authenticators/software-passkeys.js';

/**
 * Puts these passkeys behind `navigator.credentials` of every page, frame and window that the context opens from now on,
 * in the place of the browser's own. The same passkeys in a second context are those of a user's synced devices.
 */
export async function installPasskeys(
  context: BrowserContext,
  passkeys: SoftwarePasskeys = new SoftwarePasskeys(),
): Promise<SoftwarePasskeys> {
  await context.exposeBinding('__softwarePasskeys', ({ frame }, kind: Ceremony['kind'], asked: Asked) =>
    passkeys.answer(
      kind,
      { origin: new URL(frame.url()).origin, isFramed: frame.parentFrame() !== null },
      asked,
    ),
  );
  await context.addInitScript({ path: pageScript });
  return passkeys;
}
