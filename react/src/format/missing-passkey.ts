/**
 * For a prompt that ended without the passkey. A browser does not tell a site that a passkey is gone: it answers as it does
 * when the user cancels (WebAuthn Level 3, section 14.5.2). So the wallet can only name the possibility.
 */
export const MISSING_PASSKEY_TEXT =
  'If your browser offers no passkey for this account, it may have been deleted there: browsers do not tell. Your account ' +
  'is safe, and another device that you linked still opens it.';
