/** A local chain as a real one appears: behind two providers, each with several nodes that lag each other. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../dev/services/ports.js';
import type { Service } from '../../dev/services/service.js';
import { CHAIN_NETWORK, type ChainOptions, LAGGING_NODES, startChain } from '../../dev/services/services.js';

/** A chain at two providers' addresses; stopping it closes both. */
export interface BalancedChain extends Service {
  readonly urls: readonly [string, string];
}

/**
 * The nodes of the chains that several providers show: three at each address, of which two lag.
 * LATCHKEY_CHAIN_NETWORK names others for one run.
 */
export const BALANCED_NETWORK = CHAIN_NETWORK.length > 0 ? CHAIN_NETWORK : LAGGING_NODES;

/** Whether the nodes of a suite's chains lag each other: a wallet then asks some questions again. */
export const NODES_LAG = CHAIN_NETWORK.includes('--lag');

/** Starts a chain with {@link BALANCED_NETWORK} at two providers' addresses. */
export async function startBalancedChain(
  options: Omit<ChainOptions, 'port' | 'network'>,
): Promise<BalancedChain> {
  const chain = await startChain({ ...options, port: 0, network: BALANCED_NETWORK });
  try {
    const second = await openFurtherAddress(chain.url);
    const stop: Service['stop'] = async (graceMs) => {
      await second.close();
      await chain.stop(graceMs);
    };
    return { ...chain, urls: [chain.url, second.url], stop };
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

/** A further address of a chain, which a client takes for another provider's. */
interface FurtherAddress {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens another address of the chain, on a free port. Its connections end as those to the chain do. */
async function openFurtherAddress(chainUrl: string): Promise<FurtherAddress> {
  const port = await freePort();
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const node = connect(Number(new URL(chainUrl).port), new URL(chainUrl).hostname);
    const ends = [client, node] as const;
    for (const end of ends) {
      open.add(end);
      // A connection that is cut off on one side is cut off on the other.
      end.on('error', () => end.destroy());
      end.on('close', () => {
        open.delete(end);
        for (const other of ends) other.destroy();
      });
    }
    client.pipe(node).pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const end of open) end.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
