// Software passkeys in every document of a context: Chromium's own virtual authenticator belongs to one page, and its
// PRF outputs stay there.
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';
import {
  type Asked,
  type Ceremony,
  SoftwarePasskeys,
} from '../../../dev/authenticators/software-passkeys.js';

/** Replaces the browser's passkeys in every document of the context. Returns the ceremonies that they received. */
export async function useSoftwarePasskeys(context: BrowserContext): Promise<readonly Ceremony[]> {
  const passkeys = new SoftwarePasskeys();
  await context.exposeBinding('__softwarePasskeys', ({ frame }, kind: Ceremony['kind'], asked: Asked) =>
    passkeys.answer(
      kind,
      { origin: new URL(frame.url()).origin, isFramed: frame.parentFrame() !== null },
      asked,
    ),
  );
  await context.addInitScript({
    path: fileURLToPath(new URL('../../../dev/authenticators/software-passkeys.page.js', import.meta.url)),
  });
  return passkeys.ceremonies;
}
