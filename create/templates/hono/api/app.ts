/** The app's own server: a login by a message that the wallet signs, a session, and a route for those who have one. */
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createRpcClient, verifySignedMessage } from 'latchkey/verify';
import { createExpiring } from './expiring';

export interface ApiSettings {
  /** The app's own origin: the recipient of each login, and the only page that may call. */
  readonly origin: string;
  /** The nodes of the chain. With two providers, both must agree about a key. */
  readonly rpcUrls: readonly string[];
}

/** Why a call is refused. src/session-texts.ts has its words. */
export type Refusal = 'OTHER_PAGE' | 'ASK_AGAIN' | 'NOT_VERIFIED' | 'CHAIN_UNREACHABLE' | 'NO_SESSION';

const LOGIN_MS = 5 * 60_000;
const SESSION_MS = 8 * 60 * 60_000;
/** The cookies: one of a login that has begun, one of a session. */
const LOGIN = 'login';
const SESSION = 'session';

const refuse = (c: Context, status: 401 | 403 | 503, error: Refusal) => c.json({ error }, status);

export function createApi({ origin, rpcUrls }: ApiSettings) {
  const rpc = createRpcClient({ urls: rpcUrls });
  // In this process: a second one needs a store that both share, such as Redis.
  const nonces = createExpiring<Uint8Array>({ lifetimeMs: LOGIN_MS, max: 10_000 });
  const sessions = createExpiring<string>({ lifetimeMs: SESSION_MS, max: 100_000 });
  const { host, protocol } = new URL(origin);
  const asked = { message: `Log in to ${host}`, recipient: host };
  const keep = (c: Context, name: string, id: string, lifetimeMs: number) =>
    setCookie(c, name, id, {
      path: '/api',
      httpOnly: true,
      sameSite: 'Strict',
      // On localhost by http, Safari drops a cookie that is Secure.
      secure: protocol === 'https:',
      maxAge: lifetimeMs / 1000,
    });
  const forget = (c: Context, name: string) => deleteCookie(c, name, { path: '/api' });

  const api = new Hono<{ Variables: { accountId: string } }>().basePath('/api');

  api.use(bodyLimit({ maxSize: 10_000 }));
  api.use(async (c, next) => {
    // SameSite lets in the other ports and subdomains of this site.
    if (c.req.method !== 'GET' && c.req.header('origin') !== origin) return refuse(c, 403, 'OTHER_PAGE');
    return next();
  });

  api.post('/login/begin', (c) => {
    const nonce = crypto.getRandomValues(new Uint8Array(32));
    keep(c, LOGIN, nonces.add(nonce), LOGIN_MS);
    return c.json({ ...asked, nonce: Buffer.from(nonce).toString('base64') });
  });

  api.post('/login/finish', async (c) => {
    // Taken before the first await, so that two requests cannot both use the nonce.
    const nonce = nonces.take(getCookie(c, LOGIN));
    forget(c, LOGIN);
    if (!nonce) return refuse(c, 401, 'ASK_AGAIN');
    const signed: unknown = await c.req.json().catch(() => null);
    try {
      const verdict = await verifySignedMessage(signed, { rpc, ...asked, nonce });
      if (!verdict.verified) {
        console.warn(`login refused: ${verdict.reason}, ${verdict.message}`);
        return refuse(c, 401, 'NOT_VERIFIED');
      }
      sessions.take(getCookie(c, SESSION));
      keep(c, SESSION, sessions.add(verdict.accountId), SESSION_MS);
      return c.json({ accountId: verdict.accountId });
    } catch (error) {
      console.error('login not checked:', error);
      return refuse(c, 503, 'CHAIN_UNREACHABLE');
    }
  });

  api.post('/logout', (c) => {
    sessions.take(getCookie(c, SESSION));
    forget(c, SESSION);
    return c.json({});
  });

  /** Who has this session; null for nobody. */
  api.get('/session', (c) => c.json({ accountId: sessions.get(getCookie(c, SESSION)) ?? null }));

  /** Every route below it is for those who are logged in. */
  api.use('/private/*', async (c, next) => {
    const accountId = sessions.get(getCookie(c, SESSION));
    if (accountId === undefined) return refuse(c, 401, 'NO_SESSION');
    c.set('accountId', accountId);
    return next();
  });

  api.get('/private/greeting', (c) => c.json({ greeting: `Only ${c.get('accountId')} can read this.` }));

  return api;
}
