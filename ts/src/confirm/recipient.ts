/** Served by this machine alone, where ports change with every start of a development server. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/**
 * Whether the recipient of a message (NEP-413) names the page's origin: the origin itself, or its host with the port. A
 * host without a port means the default port; on a loopback host, any. NEP-413 lets a recipient be any text, such as a site
 * or a contract.
 */
export function isNamedBy(recipient: string, origin: string): boolean {
  const { host, hostname, protocol, port } = new URL(origin);
  const withPort = `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
  const names = [origin, host, withPort, ...(LOOPBACK.test(hostname) ? [hostname] : [])];
  return names.includes(recipient.toLowerCase().replace(/\/$/, ''));
}
