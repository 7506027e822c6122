/**
 * `latchkey/internal`: what the packages of this repository share. It promises nothing: any release may change any of it. Here
 * is what latchkey-react needs in a host's page; `internal/wallet` has what a wallet's own page needs.
 */
export * from '../button/frame.js';
export * from '../confirm/guard.js';
export {
  CAMERA_ACCESS_FAILED,
  CAMERA_DEVICES_FAILED,
  CAMERA_SCAN_TIMEOUT,
  CANCELLED,
  CANVAS_UNAVAILABLE,
  errorFrom,
  filled,
  isLatchkeyError,
  LatchkeyError,
  QR_DECODER_FAILED,
  QR_FILE_UNREADABLE,
  QR_NOT_FOUND,
  WORKER_CLOSED,
} from '../errors/account.js';
export { COMES_BACK_TEXT } from '../errors/comes-back.js';
export * from '../export/phrase-viewer-texts.js';
export * from '../export/viewer-texts.js';
export { isImplicitAccountId, isNearAccountId, isNearImplicitAccountId } from '../near/account-id.js';
export { callBoundsOf, lanesOf } from '../near/key-permission.js';
export { isPlaceholderId } from '../near/placeholder-id.js';
export { publishingYocto } from '../near/publishing.js';
export * from '../styles.js';
export { readUnits, writeUnits } from '../units.js';
export { canAskConditionally } from '../webauthn/can-ask-conditionally.js';
export { isPhoneOrOldSafari } from '../webauthn/user-agent.js';
