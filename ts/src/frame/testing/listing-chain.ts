/** A simulated chain node of this machine whose registry has the two lists of origins. Each request makes a block. */
import { createRpcClient, type RpcClient } from '../../near/index.js';

export interface ListingChain {
  readonly rpc: RpcClient;
  /** The requested views, in order. */
  readonly asked: string[];
  hosts: readonly string[];
  origins: readonly string[];
  /** While true, every request fails as with an unreachable node. */
  isDown: boolean;
  /** Lists of hosts for the next answers, one each, before `hosts` answers: from a node that lags. */
  readonly staleHosts: (readonly string[])[];
}

interface Asked {
  readonly method: string;
  readonly params: { readonly method_name: string };
}

const HASH = '11111111111111111111111111111111';

export function listingChain(lists: Partial<Pick<ListingChain, 'hosts' | 'origins'>> = {}): ListingChain {
  let height = 7;
  const chain: ListingChain = {
    asked: [],
    staleHosts: [],
    hosts: [],
    origins: [],
    isDown: false,
    ...lists,
    rpc: createRpcClient({
      urls: 'http://127.0.0.1:9',
      fetch: async (_url, init) => {
        const { method, params } = JSON.parse(String(init?.body)) as Asked;
        if (method === 'query') chain.asked.push(params.method_name);
        if (chain.isDown) throw new TypeError('fetch failed');
        height += 1;
        const answer = (result: unknown) => Response.json({ jsonrpc: '2.0', id: '1', result });
        if (method === 'block') return answer({ header: { height, hash: HASH, timestamp_nanosec: '1' } });
        const isOfHosts = params.method_name === 'get_allowed_hosts';
        const stale = isOfHosts ? chain.staleHosts.shift() : undefined;
        const list = isOfHosts ? chain.hosts : chain.origins;
        return answer({
          result: [...new TextEncoder().encode(JSON.stringify(stale ?? list))],
          logs: [],
          block_height: height,
          block_hash: HASH,
        });
      },
    }),
  };
  return chain;
}
