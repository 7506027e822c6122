// A page without bundler or framework, whose modules the browser loads from node_modules, and a wallet origin on Node.
import { fail, good, resultWith, siteOf, withFolder, withServer } from './tools.mjs';

/** The page connects to a wallet whose operator lists it, and another wallet refuses it. */
export async function usePlain(consumer) {
  await withFolder(consumer, async (port) => {
    const host = `http://app.localhost:${port}`;
    const page = `${host}/plain/`;
    const listed = await resultWith(consumer, page, await siteOf(consumer, { allowedHosts: [host] }));
    if (listed !== 'ready: 0 accounts') fail(`a plain page with a wallet that lists it: ${listed}`);
    await withServer(emptyRegistry, async (rpcPort) => {
      const site = await siteOf(consumer, { rpcUrl: `http://localhost:${rpcPort}`, allowedHosts: [] });
      const lenient = async (request) => framedByAll(await site(unnamed(request)));
      const unlisted = await resultWith(consumer, page, lenient);
      if (unlisted !== 'failed: HOST_NOT_ALLOWED')
        fail(`a plain page with a wallet that does not: ${unlisted}`);
    });
  });
  good('a page without a bundler connects to a wallet that lists it, and is refused by one that does not');
}

let height = 1;

/** A chain node whose registry lists no host. Each request meets a new block. */
async function emptyRegistry(request, response) {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
  height += 1;
  const hash = '1'.repeat(32);
  const header = { height, hash, timestamp_nanosec: '1', gas_price: '1' };
  // Holds the answers to a view and to a question about a block.
  const result = { result: [...Buffer.from('[]')], logs: [], block_height: height, block_hash: hash, header };
  response
    .writeHead(200, { ...headers, 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: 'latchkey', result }));
}

// A static host sends every page the same headers, or none, so only the wallet page can refuse.
const unnamed = (request) => new Request(request.url.replace(/\?.*$/, ''));
const framedByAll = (answer) =>
  new Response(answer.body, {
    status: answer.status,
    headers: { 'content-type': answer.headers.get('content-type') },
  });
