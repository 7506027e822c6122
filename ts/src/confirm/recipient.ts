/**
 * Whether the recipient of a message (NEP-413) names the page's origin: the origin itself, its host, or its host without
 * the port. NEP-413 lets a recipient be any text, such as a site or a contract.
 */
export function isNamedBy(recipient: string, origin: string): boolean {
  const { host, hostname } = new URL(origin);
  return [origin, host, hostname].includes(recipient.toLowerCase().replace(/\/$/, ''));
}
