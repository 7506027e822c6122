// A page without bundler or framework, whose modules the browser loads from node_modules, and a wallet origin on Node.
import { fail, good, importFrom, NOWHERE, resultOf, withFolder, withServer } from './tools.mjs';

/** The page connects to a wallet whose operator lists it, and another wallet refuses it. */
export async function usePlain(consumer) {
  const { walletSite } = await importFrom(consumer, 'latchkey/server/wallet');
  const { serveSite, walletFolder: filesOf } = await importFrom(consumer, 'latchkey/server/wallet/node');
  const { walletFolder } = await importFrom(consumer, 'latchkey-react/wallet');
  const siteOf = (rpcUrl, allowedHosts) =>
    walletSite({ config: { relayer: { url: NOWHERE }, rpcUrl, allowedHosts }, files: filesOf(walletFolder) });

  async function resultWith(host, site) {
    const wallet = await serveSite(site, 0);
    try {
      const walletOrigin = `http://wallet.localhost:${wallet.port}`;
      return await resultOf(`${host}/plain/?wallet=${encodeURIComponent(walletOrigin)}`);
    } finally {
      await wallet.close();
    }
  }

  await withFolder(consumer, async (port) => {
    const host = `http://app.localhost:${port}`;
    // The operator's own list needs no chain.
    const listed = await resultWith(host, siteOf(NOWHERE, [host]));
    if (listed !== 'ready: 0 accounts') fail(`a plain page with a wallet that lists it: ${listed}`);
    await withServer(emptyRegistry, async (rpcPort) => {
      const site = siteOf(`http://localhost:${rpcPort}`, []);
      const unlisted = await resultWith(host, async (request) => framedByAll(await site(unnamed(request))));
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
