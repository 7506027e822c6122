import { createRpcClient, loginSessionDigest, verifyAuthentication } from '../index.js';

const REGISTRY = 'w3a-v1.testnet';

/** Whether the account's passkey recently approved a login at this site. */
export async function isLogin(
  assertion: unknown,
  accountId: string,
  site: { rpId: string; origin: string },
  rpcUrls: readonly string[],
): Promise<boolean> {
  const intentDigest = await loginSessionDigest(accountId, site.rpId);
  const rpc = createRpcClient({ urls: rpcUrls });
  const expected = { rpc, contractId: REGISTRY, accountId, intentDigest, ...site };
  const verdict = await verifyAuthentication(assertion, expected);
  return verdict.verified;
}
