/** Notice for a user whose framed wallet may store nothing. Not an error: the wallet continues in memory. */
export const IN_MEMORY_TEXT =
  'This browser won’t save your account inside this page. You’ll use your passkey each time.';

/** Why such a wallet knows no account at a login; the user need not register again. */
export const nothingKeptText = (account: string): string =>
  `This browser keeps nothing for the wallet inside this page, so ${account} cannot be looked up here. ` +
  'The account is safe: recover it with its passkey.';
