import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { createRpcClient, isLatchkeyError, resolveAuthorization } from 'latchkey/verify';
import * as z from 'zod';

const PROVIDER = 'near';
const LIFETIME_SECONDS = 5 * 60;

export interface NearLoginOptions {
  /** Your site, which the wallet shows: `app.example`. */
  readonly domain: string;
  /** `mainnet`, `testnet` or the id of a chain of your own. */
  readonly chainId: string;
  /** Of two providers, so that no single one can make up a key. */
  readonly rpcUrls: readonly string[];
}

/** Logs users in by their NEAR account: a payload that this server made, authorized by the account (NEP-641). */
export function nearLogin({ domain, chainId, rpcUrls }: NearLoginOptions) {
  const rpc = createRpcClient({ urls: rpcUrls });
  return {
    id: 'near-login',
    endpoints: {
      beginNearLogin: createAuthEndpoint('/near/begin', { method: 'POST' }, async (ctx) => {
        const msg = crypto.randomUUID();
        const payload = JSON.stringify({ domain, action: 'Login', msg }, null, 2);
        await ctx.context.internalAdapter.createVerificationValue({
          identifier: `${PROVIDER}:${msg}`,
          value: payload,
          expiresAt: new Date(Date.now() + LIFETIME_SECONDS * 1000),
        });
        // Binds the payload to this browser: the authorization of another user must not log this one in.
        const cookie = ctx.context.createAuthCookie('near_login', { maxAge: LIFETIME_SECONDS });
        await ctx.setSignedCookie(cookie.name, msg, ctx.context.secret, cookie.attributes);
        return ctx.json({ payload });
      }),

      finishNearLogin: createAuthEndpoint(
        '/near/finish',
        { method: 'POST', body: z.object({ accountId: z.string(), authorization: z.string() }) },
        async (ctx) => {
          const { internalAdapter, createAuthCookie, secret } = ctx.context;
          const msg = await ctx.getSignedCookie(createAuthCookie('near_login').name, secret);
          // Taken before the check, so that two requests cannot both use it.
          const asked = msg ? await internalAdapter.consumeVerificationValue(`${PROVIDER}:${msg}`) : null;
          if (!asked) throw new APIError('UNAUTHORIZED', { code: 'NO_LOGIN_BEGUN' });

          const verdict = await resolveAuthorization(ctx.body, {
            rpc,
            chainId,
            payload: asked.value,
            maxAgeMs: 2 * LIFETIME_SECONDS * 1000,
          }).catch((error: unknown) => {
            if (!isLatchkeyError(error)) throw error;
            ctx.context.logger.error(error.message);
            throw new APIError('SERVICE_UNAVAILABLE', { code: error.code });
          });
          if (!verdict.verified) {
            ctx.context.logger.warn(verdict.message);
            throw new APIError('UNAUTHORIZED', { code: verdict.reason });
          }

          const { accountId } = verdict;
          const owner = await internalAdapter.findAccountOwnerByKey({ providerId: PROVIDER, accountId });
          const user =
            owner?.kind === 'owned'
              ? owner.user
              : (
                  await internalAdapter.createOAuthUser(
                    // Better Auth wants an address; no mail reaches `.invalid` (RFC 2606).
                    { name: accountId, email: `${accountId}@near.invalid`, emailVerified: false },
                    { providerId: PROVIDER, accountId },
                  )
                ).user;
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(ctx, { session, user });
          return ctx.json({ accountId });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}
