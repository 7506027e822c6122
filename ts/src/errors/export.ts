/** The texts of key export. */
import { addTexts } from './latchkey-error.js';

export * from './index.js';

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
