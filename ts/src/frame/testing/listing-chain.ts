/** A simulated chain node of this machine whose registry has the two lists of origins. */
import { createRpcClient, type RpcClient } from '../../near/index.js';

export interface ListingChain {
  readonly rpc: RpcClient;
  /** The requested views, in order. */
  readonly asked: string[];
  hosts: readonly string[];
  origins: readonly string[];
  /** While true, every request fails as with an unreachable node. */
  isDown: boolean;
}

const HASH = '11111111111111111111111111111111';

export function listingChain(lists: Partial<Pick<ListingChain, 'hosts' | 'origins'>> = {}): ListingChain {
  const chain: ListingChain = {
    asked: [],
    hosts: [],
    origins: [],
    isDown: false,
    ...lists,
    rpc: createRpcClient({
      urls: 'http://127.0.0.1:9',
      fetch: async (_url, init) => {
        const { params } = JSON.parse(String(init?.body)) as { params: { method_name: string } };
        chain.asked.push(params.method_name);
        if (chain.isDown) throw new TypeError('fetch failed');
        const list = params.method_name === 'get_allowed_hosts' ? chain.hosts : chain.origins;
        const result = {
          result: [...new TextEncoder().encode(JSON.stringify(list))],
          logs: [],
          block_height: 7,
          block_hash: HASH,
        };
        return Response.json({ jsonrpc: '2.0', id: '1', result });
      },
    }),
  };
  return chain;
}
