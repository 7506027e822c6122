/**
 * For a prompt that ended without the passkey. A browser does not tell a site that a passkey is gone: it answers as it does
 * when the user cancels (WebAuthn Level 3, section 14.5.2). So the wallet can only name the possibility.
 */
export const MISSING_PASSKEY_TEXT =
  'No passkey offered? It may have been deleted here. Your account is safe: use a linked device or recovery phrase.';
