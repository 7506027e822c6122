/**
 * `latchkey/internal`: what the packages of this repository share. It promises nothing: any release may change any of it. Here
 * is what latchkey-react needs in a host's page; `internal/wallet` has what a wallet's own page needs.
 */
export * from '../button/frame.js';
export * from '../confirm/guard.js';
export { isLatchkeyError, LatchkeyError } from '../errors/latchkey-error.js';
export * from '../export/phrase-viewer-texts.js';
export * from '../export/viewer-texts.js';
export * from '../styles.js';
export { isPhoneOrOldSafari } from '../webauthn/user-agent.js';
export * from './error-values.js';
export * from './scanner-errors.js';
