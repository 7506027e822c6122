import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRpcClient } from '../../near/index.js';
import { LaggingChain } from '../../near/testing/lagging-chain.js';
import type { ReadOrigins } from '../../registry/origin-list.js';
import { type ListingChain, listingChain } from '../testing/listing-chain.js';
import { type AllowedHostsOptions, createAllowedHosts } from './allowed-hosts.js';

afterEach(() => vi.useRealTimers());

const MINUTE_MS = 60_000;

function hostsOf(chain: Pick<ListingChain, 'rpc'>, options: Partial<AllowedHostsOptions> = {}) {
  const failures: boolean[] = [];
  const isAllowed = createAllowedHosts({
    rpc: chain.rpc,
    contractId: 'registry.testnet',
    networkId: 'testnet',
    configured: [],
    failed: (_error, hasFormerList) => failures.push(hasFormerList),
    ...options,
  });
  return { isAllowed, failures };
}

describe('allowed hosts (frame 6, frame 9, frame 10)', () => {
  it('are those of the registry and of the configuration, which needs no chain request', async () => {
    const chain = listingChain({ hosts: ['https://listed.example'] });
    const { isAllowed } = hostsOf(chain, { configured: ['https://Own.Example:443'] });
    expect(await isAllowed('https://own.example')).toBe(true);
    expect(chain.asked).toEqual([]);
    expect(await isAllowed('https://listed.example')).toBe(true);
    expect(await isAllowed('https://other.example')).toBe(false);
    expect(chain.asked).toEqual(['get_allowed_hosts']);
  });

  it('are never the allowed origins', async () => {
    const chain = listingChain({ origins: ['https://related.example'] });
    const { isAllowed } = hostsOf(chain);
    expect(await isAllowed('https://related.example')).toBe(false);
    expect(new Set(chain.asked)).toEqual(new Set(['get_allowed_hosts']));
  });

  it.each([
    'https://app.example.evil.example',
    'https://evil.app.example',
    'https://evilapp.example',
    'https://app.example:8443',
    'http://app.example',
    'https://app.example.',
    'https://app.exampl\u0435',
    'https://app.example/@evil.example',
    'null',
    '',
  ])('are never lookalikes: %s', async (lookalike) => {
    const { isAllowed } = hostsOf(listingChain({ hosts: ['https://app.example'] }), {
      configured: ['https://app.example'],
    });
    expect(await isAllowed(lookalike)).toBe(false);
    expect(await isAllowed('https://app.example')).toBe(true);
  });

  it("are every valid origin if the operator says 'any'", async () => {
    const chain = listingChain();
    const { isAllowed } = hostsOf(chain, { configured: 'any' });
    expect(await isAllowed('https://whoever.example')).toBe(true);
    expect(await isAllowed('http://whoever.example')).toBe(false);
    expect(await isAllowed('null')).toBe(false);
    expect(chain.asked).toEqual([]);
  });

  it('are every port of localhost on testnet, if the operator says http://localhost:*', async () => {
    const { isAllowed } = hostsOf(listingChain({ hosts: ['https://listed.example'] }), {
      configured: ['http://localhost:*', 'https://own.example'],
    });
    for (const page of [
      'http://localhost',
      'http://localhost:5180',
      'https://own.example',
      'https://listed.example',
    ])
      expect(await isAllowed(page), page).toBe(true);
    for (const page of [
      'https://localhost:5180',
      'http://app.localhost:5180',
      'http://127.0.0.1:5180',
      'http://localhost:*',
      'http://localhost.example',
      'http://localhost:5180@evil.example',
      'https://other.example',
    ])
      expect(await isAllowed(page), page).toBe(false);
  });

  it.each(['mainnet', 'localnet'])('are never every port of localhost on %s', (networkId) => {
    expect(() => hostsOf(listingChain(), { networkId, configured: ['http://localhost:*'] })).toThrow(
      `http://localhost:*, which is for testnet alone, not for ${networkId}`,
    );
  });

  it('are read once a minute, after which a host removed from the list is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const chain = listingChain({ hosts: ['https://app.example'] });
    const { isAllowed } = hostsOf(chain);
    expect(await isAllowed('https://app.example')).toBe(true);
    chain.hosts = [];
    expect(await isAllowed('https://app.example')).toBe(true);
    expect(chain.asked).toHaveLength(1);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await isAllowed('https://app.example')).toBe(false);
    const asked = chain.asked.length;
    expect(await isAllowed('https://app.example')).toBe(false);
    expect(chain.asked).toHaveLength(asked);
  });

  it('include a host that was added after it was refused, two seconds later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const chain = listingChain({ hosts: ['https://listed.example'] });
    const { isAllowed } = hostsOf(chain);
    expect(await isAllowed('https://app.example')).toBe(false);
    chain.hosts = ['https://listed.example', 'https://app.example'];
    const asked = chain.asked.length;
    expect(await isAllowed('https://app.example')).toBe(false);
    expect(chain.asked).toHaveLength(asked);
    vi.setSystemTime(Date.now() + 2_000);
    expect(await isAllowed('https://app.example')).toBe(true);
  });

  it('include a host that was just added, although the node that is asked first lags', async () => {
    const chain = new LaggingChain({ nodes: { 'https://rpc.example': [8, 0, 8] } });
    chain.write(({ views }) => views.set('get_allowed_hosts', []));
    chain.head += 100;
    chain.write(({ views }) => views.set('get_allowed_hosts', ['https://app.example']));
    const rpc = createRpcClient({ urls: chain.urls, fetch: chain.fetch });
    expect(await hostsOf({ rpc }).isAllowed('https://app.example')).toBe(true);
  });

  it('are the last list while the chain is down, and unknown if no list was ever read', async () => {
    const down = listingChain({ hosts: ['https://app.example'] });
    down.isDown = true;
    const never = hostsOf(down);
    await expect(never.isAllowed('https://app.example')).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
    expect(never.failures).toEqual([false]);

    const kept: ReadOrigins = { origins: ['https://app.example'], at: Date.now() - 10 * MINUTE_MS };
    const { isAllowed, failures } = hostsOf(down, {
      kept: { read: async () => kept, write: async () => undefined },
    });
    expect(await isAllowed('https://app.example')).toBe(true);
    expect(failures).toEqual([true]);
  });

  it('are no list that is an hour old while the chain is down, in memory or in storage [S47]', async () => {
    vi.useFakeTimers();
    const chain = listingChain({ hosts: ['https://app.example'] });
    const kept: ReadOrigins = { origins: ['https://app.example'], at: Date.now() };
    const stored = hostsOf(chain, { kept: { read: async () => kept, write: async () => undefined } });
    const read = hostsOf(chain);
    expect(await read.isAllowed('https://app.example')).toBe(true);
    chain.isDown = true;
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS - 1);
    expect(await read.isAllowed('https://app.example')).toBe(true);
    expect(await stored.isAllowed('https://app.example')).toBe(true);
    vi.setSystemTime(Date.now() + 1);
    for (const { isAllowed } of [read, stored])
      await expect(isAllowed('https://app.example')).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
  });

  it('are stored once read, and come from storage while fresh', async () => {
    const chain = listingChain({ hosts: ['https://app.example'] });
    let stored: ReadOrigins | undefined;
    const kept: AllowedHostsOptions['kept'] = {
      read: async () => stored,
      write: async (list) => {
        stored = list;
      },
    };
    expect(await hostsOf(chain, { kept }).isAllowed('https://app.example')).toBe(true);
    expect(stored?.origins).toEqual(['https://app.example']);
    expect(await hostsOf(chain, { kept }).isAllowed('https://app.example')).toBe(true);
    expect(chain.asked).toHaveLength(1);
  });

  it('are read from the chain if the stored list is unreadable or from the future', async () => {
    const chain = listingChain({ hosts: ['https://app.example'] });
    const refused = hostsOf(chain, {
      kept: {
        read: () => Promise.reject(new Error('no storage')),
        write: () => Promise.reject(new Error('no')),
      },
    });
    expect(await refused.isAllowed('https://app.example')).toBe(true);
    const future = { origins: ['https://evil.example'], at: Date.now() + MINUTE_MS };
    const { isAllowed } = hostsOf(chain, {
      kept: { read: async () => future, write: async () => undefined },
    });
    expect(await isAllowed('https://evil.example')).toBe(false);
  });

  it('refuse a configuration with an invalid origin', () => {
    expect(() =>
      hostsOf(listingChain(), { configured: ['https://*.app.example', 'https://ok.example'] }),
    ).toThrow('https://*.app.example');
  });
});
