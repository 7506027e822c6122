/** Lies that a node tells in front of a real chain. Each suite is named after what the attacker wants. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LyingNode, returns, startLyingNode } from '../../demo/stack/lying-node.js';
import { createAllowedHosts } from '../../ts/src/frame/wallet/allowed-hosts.js';
import { createRpcClient, type RpcClient } from '../../ts/src/near/index.js';
import { createOriginManifest } from '../../ts/src/server/http/origin-manifest.js';
import { createLog } from '../../ts/src/server/observe/log.js';
import { type Devnet, startDevnet } from '../../ts/src/server/testing/devnet.js';

const REGISTRY = 'w3a-v1.testnet';
const EVIL = 'https://evil.example';
const LIAR = 'https://liar.example';
const HONEST = 'https://honest.example';

let chain: Devnet;
let liar: LyingNode;

beforeAll(async () => {
  chain = await startDevnet();
  liar = await startLyingNode(chain.url);
});
beforeEach(() => {
  liar.tellTruth();
  liar.calls.length = 0;
});
afterAll(async () => {
  await liar?.close();
  await chain?.stop();
});

/** A client of these providers, which reach the liar and the chain under names of their own. */
function clientOf(...providers: (typeof LIAR | typeof HONEST)[]): RpcClient {
  const places: Record<string, string> = { [LIAR]: liar.url, [HONEST]: chain.url };
  return createRpcClient({
    urls: providers,
    fetch: (url, init) => fetch(places[new URL(String(url)).origin] ?? String(url), init),
  });
}

describe('evil.example as a related origin, where a prompt yields the keys', () => {
  const originsFrom = async (rpc: RpcClient, listed?: readonly string[]) => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line));
    const manifest = createOriginManifest(rpc, REGISTRY, log, listed);
    const origins = await manifest.origins().catch((error: { code: string }) => error.code);
    return { origins, events: lines.map((line) => (JSON.parse(line) as { event: string }).event) };
  };

  beforeEach(() => liar.lie('query:get_allowed_origins', returns([EVIL])));

  test('is not listed on the word of one provider, and the log says why the list is empty', async () => {
    expect(await originsFrom(clientOf(LIAR))).toEqual({
      origins: [],
      events: ['origins_need_two_providers'],
    });
    expect(liar.calls).toEqual([]);
  });

  test.each([
    [LIAR, HONEST],
    [HONEST, LIAR],
  ] as const)('is not listed where a second provider does not list it: %s, %s', async (...providers) => {
    expect(await originsFrom(clientOf(...providers))).toEqual({
      origins: 'chain_unreachable',
      events: ['origins_unreadable'],
    });
    expect(liar.calls.length).toBeGreaterThan(0);
  });

  test("is not listed where the operator's own list is served, which asks no node", async () => {
    const own = ['https://app.example'];
    expect(await originsFrom(clientOf(LIAR, HONEST), own)).toEqual({ origins: own, events: [] });
    expect(liar.calls).toEqual([]);
  });

  test('is listed where a node of this machine says so, which counts as trusted', async () => {
    const rpc = createRpcClient({ urls: liar.url });
    expect(await originsFrom(rpc)).toEqual({ origins: [EVIL], events: [] });
  });
});

describe('evil.example as a host of the wallet', () => {
  test.each([
    [LIAR, HONEST],
    [HONEST, LIAR],
  ] as const)('is not admitted where a second provider does not list it: %s, %s', async (...providers) => {
    liar.lie('query:get_allowed_hosts', returns([EVIL]));
    const isAllowed = createAllowedHosts({
      rpc: clientOf(...providers),
      contractId: REGISTRY,
      configured: [],
      failed: () => undefined,
    });
    await expect(isAllowed(EVIL)).rejects.toMatchObject({ code: 'RPC_DISAGREEMENT' });
    liar.tellTruth();
    expect(await isAllowed(EVIL)).toBe(false);
  });
});
