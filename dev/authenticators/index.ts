/** `latchkey-dev/authenticators`: software authenticators for the tests of an app. */
import { fileURLToPath } from 'node:url';

export { SoftwareAuthenticator } from './authenticator.js';
export { type Asked, type Ceremony, SoftwarePasskeys, type StoredPasskey } from './software-passkeys.js';

/** The path of the script that runs in a browser's documents for {@link SoftwarePasskeys}. */
export const pageScript: string = fileURLToPath(new URL('./software-passkeys.page.js', import.meta.url));
