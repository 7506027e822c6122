import { describe, expect, it } from 'vitest';
import { type PasskeyManagerConfig, resolveConfig } from '../../config.js';
import type { ReadOrigins } from '../../registry/origin-list.js';
import { type ListingChain, listingChain } from '../testing/listing-chain.js';
import { createHostCheck } from './registry-hosts.js';

const HOST = 'https://app.example';
const OTHER = 'https://other.example';
type Options = NonNullable<PasskeyManagerConfig['authenticatorOptions']>;
const NEVER = new AbortController().signal;

function checkOf(
  chain: ListingChain,
  config: Partial<PasskeyManagerConfig> = {},
  { host = HOST, kept }: { host?: string; kept?: ReadOrigins } = {},
) {
  const at = {
    rpc: chain.rpc,
    config: resolveConfig({ relayer: { url: 'https://relay.example' }, logLevel: 'silent', ...config }),
    rpId: 'wallet.example',
  };
  const check = createHostCheck(at, {
    host,
    failed: () => undefined,
    ...(kept && { kept: { read: async () => kept, write: async () => undefined } }),
  });
  return () => check(NEVER);
}

describe('a host that the wallet admits (frame 8)', () => {
  it('is refused before any prompt where the registry lists others, with the list and the command', async () => {
    const chain = listingChain({ hosts: [OTHER] });
    const refusal = await checkOf(chain, { contractId: 'registry.testnet' })().catch((error) => error);
    expect(refusal).toMatchObject({ code: 'HOST_NOT_IN_REGISTRY' });
    expect(refusal.message).toContain(
      `admits the page ${HOST}, but the registry registry.testnet does not list it in allowed_hosts`,
    );
    expect(refusal.message).toContain(
      'npx -p latchkey-server latchkey-registry hosts add https://app.example --registry registry.testnet',
    );
  });

  it('hears which network the command needs, and never the address of a node', async () => {
    const config = {
      network: 'mainnet',
      contractId: 'registry.near',
      rpcUrl: 'https://node.example/?apiKey=secret',
    } as const;
    const refusal = await checkOf(listingChain({ hosts: [OTHER] }), config)().catch((error) => error);
    expect(refusal.message).toContain('--rpc <a node of mainnet>');
    expect(refusal.message).not.toContain('secret');
  });

  it.each([
    ['the list of hosts is empty', { hosts: [] }],
    ['the list names it', { hosts: [OTHER, HOST] }],
    ['the registry lets it run ceremonies by itself', { hosts: [OTHER], origins: [HOST] }],
  ])('passes where %s', async (_, lists) => {
    await checkOf(listingChain(lists))();
  });

  it.each([
    ['is within the rpId', {}, 'https://shop.wallet.example:8443'],
    [
      'is one of the policy',
      { originPolicy: { multiple: ['https://App.example:443'] } } satisfies Options,
      HOST,
    ],
  ])('passes where it %s, and asks the chain nothing', async (_, authenticatorOptions, host) => {
    const chain = listingChain({ hosts: [OTHER] });
    await checkOf(chain, { authenticatorOptions }, { host })();
    expect(chain.asked).toEqual([]);
  });

  it.each([
    ['a lookalike of the rpId', {}, 'https://xwallet.example'],
    [
      'an IP address',
      { originPolicy: { multiple: ['http://127.0.0.1:5173'] } } satisfies Options,
      'http://127.0.0.1:5173',
    ],
    [
      'within the rpId, which a single origin keeps out',
      { originPolicy: { single: true } } satisfies Options,
      'https://x.wallet.example',
    ],
  ])('is refused where it is %s', async (_, authenticatorOptions, host) => {
    const check = checkOf(listingChain({ hosts: [OTHER] }), { authenticatorOptions }, { host });
    await expect(check()).rejects.toMatchObject({ code: 'HOST_NOT_IN_REGISTRY' });
  });

  it('passes although a node that lags, or a stored list, does not name it yet', async () => {
    const lagging = listingChain({ hosts: [OTHER, HOST] });
    lagging.staleHosts.push([OTHER], [OTHER]);
    await checkOf(lagging)();
    const kept = { origins: [OTHER], at: Date.now() };
    await checkOf(listingChain({ hosts: [OTHER, HOST] }), {}, { kept })();
  });

  it('is refused by no list that cannot be read again', async () => {
    const down = listingChain();
    down.isDown = true;
    const check = checkOf(down, {}, { kept: { origins: [OTHER], at: Date.now() } });
    await expect(check()).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
  });

  it('costs one question to the chain for each minute', async () => {
    const chain = listingChain({ hosts: [HOST] });
    const check = checkOf(chain);
    await check();
    await check();
    expect(chain.asked).toEqual(['get_allowed_hosts']);
  });
});
