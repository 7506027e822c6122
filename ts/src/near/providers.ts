/** The providers that answer for the chain. */

/** Public nodes of testnet: of two providers, which must agree, and of a third, which stands in for one that is down. */
export const TESTNET_RPC_URLS =
  'https://test.rpc.fastnear.com,https://near-testnet.drpc.org,https://testnet-rpc.intea.rs';

/** The same of mainnet. */
export const MAINNET_RPC_URLS = 'https://free.rpc.fastnear.com,https://near.drpc.org,https://rpc.intea.rs';

/** Whether the name of a host is this machine's. A node here is trusted. */
export function isThisMachine(hostname: string): boolean {
  return /(^|\.)localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(hostname);
}

/**
 * How many providers must agree where nothing else is configured: two if the addresses are of several origins. All
 * nodes of this machine are one provider.
 */
export function defaultAgreement(urls: readonly string[]): 1 | 2 {
  const providers = urls.map((url) => {
    const { hostname, origin } = new URL(url);
    return isThisMachine(hostname) || origin;
  });
  return new Set(providers).size > 1 ? 2 : 1;
}
