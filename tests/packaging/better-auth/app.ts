/** The app of docs/guides/better-auth.mdx: its server alone. Prints its address, and ends at SIGTERM. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { nearLogin } from './near-login.js';

const server = createServer((request, response) => void handler(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const auth = betterAuth({
  baseURL,
  secret: crypto.randomUUID() + crypto.randomUUID(),
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    nearLogin({ domain: 'app.example', chainId: 'testnet', rpcUrls: [process.env.NEAR_RPC_URL ?? ''] }),
  ],
  logger: { level: 'error' },
  telemetry: { enabled: false },
});
const handler = toNodeHandler(auth);
console.log(`listening on ${baseURL}`);
process.on('SIGTERM', () => server.close().closeAllConnections());
