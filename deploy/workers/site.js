import { crossOriginHeaders } from 'latchkey-server/wallet';

/** Vite puts a hash into the names of these files, so that they never change. */
const HASHED = /^\/assets\//;
/** The last part of a path has an ending: it names a file, and no page of the app. */
const FILE = /\.\w+$/;

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    let answer = await env.ASSETS.fetch(request);
    // A browser refuses a page where it asked for a script, so a missing file of the SDK stays missing.
    const isPage = !pathname.startsWith('/sdk/') && !FILE.test(pathname);
    if (answer.status === 404 && isPage) answer = await env.ASSETS.fetch(new URL('/index.html', request.url));
    const headers = new Headers(answer.headers);
    headers.set(
      'cache-control',
      HASHED.test(pathname) && answer.ok ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    headers.set('content-security-policy', "frame-ancestors 'none'; base-uri 'none'; object-src 'none'");
    headers.set('referrer-policy', 'strict-origin-when-cross-origin');
    headers.set('x-content-type-options', 'nosniff');
    for (const [name, value] of Object.entries(crossOriginHeaders(env.CROSS_ORIGIN)))
      headers.set(name, value);
    return new Response(answer.body, { status: answer.status, headers });
  },
};
