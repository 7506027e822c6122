/** The texts of key export. */
import { addTexts } from './latchkey-error.js';

export * from '../errors.js';

const TEXTS = {
  NO_LOCAL_KEY_MATERIAL:
    'No local key material found for this account on this device. ' +
    'Please complete registration or recovery here first.',
  EXPORT_NEAR_KEYPAIR_DISABLED:
    'Key export is off: scripts of this page could reach the key viewer. ' +
    'Set keyExport: { sameOrigin: true } in the configuration if every script of this origin is trusted.',
  EXPORT_NEAR_KEYPAIR_UI_FAILED: 'The key viewer could not be used: {reason}. Reload the page and try again.',
} as const;

export type ExportTexts = typeof TEXTS;

addTexts(TEXTS);

/** Why CLICK_REQUIRED came of an export. */
export const EXPORT_UNSEEN_TEXT =
  'This browser does not tell the wallet whether the page around it covers it, so no key is shown inside a page. ' +
  'Use another browser, or ask the operator of the wallet to list this page as trusted.';
