// Specification: demo 7
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { viewCall } from './view-call.js';

const HI = { result: { result: [...new TextEncoder().encode('"hi"')] } };
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A node that answers this, and keeps what it was asked. */
async function rpc(answer: object | undefined, asked: unknown[] = []): Promise<string> {
  const server = createServer(async (request, response) => {
    asked.push(await json(request));
    if (answer) response.end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('asks the next RPC when one stays silent', async () => {
  const urls = [await rpc(undefined), await rpc(HI)];
  expect(await viewCall(urls, 'c.testnet', 'get_greeting', 3_000)).toBe('hi');
});

it('asks for the method at the final block, without arguments', async () => {
  const asked: unknown[] = [];
  expect(await viewCall([await rpc(HI, asked)], 'c.testnet', 'get_greeting')).toBe('hi');
  expect(asked).toEqual([
    {
      jsonrpc: '2.0',
      id: 'get_greeting',
      method: 'query',
      params: {
        request_type: 'call_function',
        finality: 'final',
        account_id: 'c.testnet',
        method_name: 'get_greeting',
        args_base64: '',
      },
    },
  ]);
});

it('says that the device is offline when no RPC can be reached', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  await expect(viewCall(['http://127.0.0.1:9'], 'c.testnet', 'get_greeting')).rejects.toMatchObject({
    code: 'OFFLINE',
  });
  vi.stubGlobal('navigator', { onLine: true });
  await expect(viewCall(['http://127.0.0.1:9'], 'c.testnet', 'get_greeting')).rejects.toThrow(TypeError);
});
