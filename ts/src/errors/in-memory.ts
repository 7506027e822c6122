/** Notice for a user whose framed wallet may store nothing. Not an error: the wallet continues in memory. */
export const IN_MEMORY_TEXT =
  'This browser lets the wallet keep nothing inside this page, so it forgets this account when the page is closed. ' +
  'Your passkey brings the account back each time.';
