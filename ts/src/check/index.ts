/** A check of the user's authenticator, for the page `/check` of a wallet origin. */
import { resolveConfig } from '../config.js';
import type { WalletPageConfig } from '../frame/wallet/page-config.js';
import { resolveRpId } from '../webauthn/rp-id.js';
import { type PasskeyCheck, startPasskeyCheck } from './passkey-check.js';

export { type Failure, STEPS, type Step } from './ceremony.js';
export { type Forgotten, PASSKEY_NAME, type PasskeyCheck } from './passkey-check.js';
export type { Verdict } from './verdict.js';

/** Starts a check under the rpId of the wallet whose operator wrote this configuration. Shows nothing. */
export function startCheck(config: WalletPageConfig, version: string): Promise<PasskeyCheck> {
  return startPasskeyCheck({ rpId: resolveRpId(resolveConfig(config), location.hostname), version });
}
