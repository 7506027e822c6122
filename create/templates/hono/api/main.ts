/** The whole app in one process, for production: the API and the built page. `npm start` reads .env.production. */
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { createApi } from './app';

/** A variable that must be set. */
function needed(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set. Copy .env.example to .env.production and fill it in.`);
  process.exit(1);
}

const origin = needed('APP_ORIGIN');
const rpcUrls = needed('VITE_NEAR_RPC_URL').split(',');
const hostname = process.env.HOST || '127.0.0.1';

const app = new Hono();
app.route('/', createApi({ origin, rpcUrls }));
app.use(serveStatic({ root: 'dist/client' }));
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT || 5180), hostname }, ({ port }) =>
  console.log(`app listening on http://${hostname}:${port}`),
);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => server.close());
