/** `latchkey-dev/authenticators`: software authenticators for the tests of an app. */
export { SoftwareAuthenticator } from './authenticator.js';
export { type Asked, type Ceremony, SoftwarePasskeys } from './software-passkeys.js';
