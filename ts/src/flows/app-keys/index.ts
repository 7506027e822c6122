/**
 * Function-call access keys for an app: the user makes and revokes them, the app uses them without a prompt. They
 * are stored sealed on this device; the chain says what each one may do.
 */
export { addAppKey } from './add-app-key.js';
export { callWithAppKey } from './call-with-app-key.js';
export { fundAppKey } from './fund-app-key.js';
export { getAppKeys } from './list-app-keys.js';
export { revokeAppKey } from './revoke-app-key.js';
