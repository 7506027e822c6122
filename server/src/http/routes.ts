/** The relay's routes: one table, by which every part decides what a request asks for. */
import type { Limited } from '../observe/metrics.js';

interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The limit that counts a request, before any of it is read. */
  readonly limited?: Limited;
  /** Whether it spends money or tells about money. On Workers, the Durable Object alone answers it. */
  readonly isOfMoney?: true;
}

export const ROUTES = {
  register: {
    method: 'POST',
    path: '/create_account_and_register_user',
    limited: 'registration_requests',
    isOfMoney: true,
  },
  signedDelegate: { method: 'POST', path: '/signed-delegate', limited: 'delegate', isOfMoney: true },
  fundAppKey: { method: 'POST', path: '/fund-app-key', limited: 'app_key', isOfMoney: true },
  applyLock: { method: 'POST', path: '/vrf/apply-server-lock', limited: 'lock' },
  removeLock: { method: 'POST', path: '/vrf/remove-server-lock', limited: 'lock' },
  keyInfo: { method: 'GET', path: '/shamir/key-info' },
  relatedOrigins: { method: 'GET', path: '/.well-known/webauthn', limited: 'origins' },
  health: { method: 'GET', path: '/healthz' },
  ready: { method: 'GET', path: '/readyz', isOfMoney: true },
  metrics: { method: 'GET', path: '/metrics', isOfMoney: true },
  status: { method: 'GET', path: '/status', isOfMoney: true },
} as const satisfies Record<string, Route>;

/** All routes, for a part that goes through them. */
export const ALL_ROUTES: readonly Route[] = Object.values(ROUTES);

/** No route has this path. */
const NOWHERE = '/*malformed*';

/**
 * The path of a request as it arrived, never decoded: the only form that any part compares. A path with `%`, `//` or
 * `\`, which another reader could read as a route, is no route's.
 */
export function pathOf(request: Request): string {
  const [, path = '/'] = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*([^?#]*)/i.exec(request.url) ?? [];
  return /%|\/\/|\\/.test(path) ? NOWHERE : path || '/';
}

/** The route of money that a request asks for; null for any other request. A HEAD asks for what a GET does. */
export function moneyRouteOf(request: Request): Route | null {
  const path = pathOf(request);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return (
    ALL_ROUTES.find((route) => route.isOfMoney && route.path === path && route.method === method) ?? null
  );
}
