import { createRpcClient, resolveAuthorization } from '../index.js';

const LIFETIME_MS = 5 * 60_000;

/** Logs users in by an authorization of their account. `session` is this browser's, from its cookie. */
export function createLogin(domain: string, chainId: string, rpcUrls: readonly string[]) {
  const rpc = createRpcClient({ urls: rpcUrls });
  const asked = new Map<string, { payload: string; until: number }>();

  return {
    /** What the page asks the wallet to authorize. */
    begin(session: string): string {
      const payload = JSON.stringify({ domain, action: 'Login', msg: crypto.randomUUID() }, null, 2);
      asked.set(session, { payload, until: Date.now() + LIFETIME_MS });
      return payload;
    },

    /** The account that logs in, or null. `authorized` is the wallet's {accountId, authorization}. */
    async finish(session: string, authorized: unknown): Promise<string | null> {
      const mine = asked.get(session);
      // Before the first await, so that two simultaneous requests cannot both use the payload.
      asked.delete(session);
      if (!mine || mine.until < Date.now()) return null;
      const { payload } = mine;
      const verdict = await resolveAuthorization(authorized, {
        rpc,
        chainId,
        payload,
        maxAgeMs: 2 * LIFETIME_MS,
      });
      if (verdict.verified) return verdict.accountId;
      console.warn(verdict.reason, verdict.message);
      return null;
    },
  };
}
