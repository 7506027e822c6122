import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { viewCall } from './view-call.js';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function rpc(answer: object | undefined): Promise<string> {
  const server = createServer((_request, response) => {
    if (answer) response.end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('asks the next RPC when one stays silent', async () => {
  const bytes = [...new TextEncoder().encode('"hi"')];
  const urls = [await rpc(undefined), await rpc({ result: { result: bytes } })];
  expect(await viewCall(urls, 'c.testnet', 'get_greeting', 3_000)).toBe('hi');
});

it('says that the device is offline when no RPC can be reached', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  await expect(viewCall(['http://127.0.0.1:9'], 'c.testnet', 'get_greeting')).rejects.toMatchObject({
    code: 'OFFLINE',
  });
  vi.stubGlobal('navigator', { onLine: true });
  await expect(viewCall(['http://127.0.0.1:9'], 'c.testnet', 'get_greeting')).rejects.toThrow(TypeError);
});
