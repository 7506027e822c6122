/** The end of a placeholder. Nobody can have an account below it: only the network's registrar makes short top-level accounts. */
export const PLACEHOLDER_SUFFIX = '.unproven';

/**
 * Whether the id stands for an account without a name whose passkey is not proven yet, such as `wallet-0123456789ab.unproven`.
 * Every call of the wallet takes it. It is no account of the chain: what is sent to it comes back.
 */
export function isPlaceholderId(accountId: string): boolean {
  return accountId.endsWith(PLACEHOLDER_SUFFIX);
}
