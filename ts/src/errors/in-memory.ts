/** Notice for a user whose framed wallet may store nothing. Not an error: the wallet continues in memory. */
export const IN_MEMORY_TEXT =
  'This browser does not let the wallet store anything inside this page, so the wallet forgets this account when the ' +
  'page closes. Your passkey brings the account back each time.';

/** Why such a wallet knows no account at a login; the user need not register again. */
export const nothingKeptText = (account: string): string =>
  `This browser keeps nothing for the wallet inside this page, so ${account} cannot be looked up here. ` +
  'The account is safe: recover it with its passkey.';
