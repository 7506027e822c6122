/** What an operator's script may export, and what it may not. */
export const onAddFunds = (accountId: string): string => `adds to ${accountId}`;
export const worthOf = 'no function';
