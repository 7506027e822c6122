import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createClientAddress, toClientKey } from './client-address.js';

/** The key of a request from this socket with these headers. */
async function keyOf(socket: string | undefined, hops: number, forwarded?: string): Promise<string> {
  const clientAddress = createClientAddress({ socketAddress: () => socket, trustedProxyHops: hops });
  const app = new Hono().get('/', (c) => c.text(clientAddress(c)));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await app.request('/', { headers })).text();
}

describe('the client’s address', () => {
  it('is the socket’s if no proxy is trusted, whatever the client sends', async () => {
    expect(await keyOf('192.0.2.7', 0)).toBe('192.0.2.7');
    expect(await keyOf('192.0.2.7', 0, '203.0.113.1')).toBe('192.0.2.7');
  });

  it.each([
    [1, '203.0.113.1', '203.0.113.1'],
    [1, '10.9.9.9, 203.0.113.1', '203.0.113.1'],
    [2, '10.9.9.9, 203.0.113.1, 198.51.100.4', '203.0.113.1'],
    [2, '6.6.6.6, 10.9.9.9, 203.0.113.1, 198.51.100.4', '203.0.113.1'],
    [2, '203.0.113.1', '203.0.113.1'],
    [1, '203.0.113.1:4711', '203.0.113.1'],
    [1, '[2001:db8:1:2::7]:443', '20010db800010002/64'],
    [1, 'unknown', '192.0.2.7'],
    [1, '', '192.0.2.7'],
    [1, '10.9.9.9, ', '192.0.2.7'],
  ])('behind %i trusted proxies with %j is %s', async (hops, forwarded, key) => {
    expect(await keyOf('192.0.2.7', hops, forwarded)).toBe(key);
  });

  it('is the same for all requests without an address', async () => {
    expect(await keyOf(undefined, 0)).toBe('unknown');
    expect(await keyOf(undefined, 1)).toBe('unknown');
  });

  it('is one key for a whole IPv6 /64, and another for the next', () => {
    expect(toClientKey('2001:db8:1:2::1')).toBe('20010db800010002/64');
    expect(toClientKey('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('20010db800010002/64');
    expect(toClientKey('2001:db8:1:3::1')).toBe('20010db800010003/64');
    expect(toClientKey('fe80::1%eth0')).toBe(toClientKey('fe80::2'));
  });

  it('is the IPv4 address if a dual-stack socket shows it mapped', () => {
    expect(toClientKey('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(toClientKey('::FFFF:c000:0207')).toBe('192.0.2.7');
  });

  it.each(['', 'localhost', '1.2.3', '999.1.1.1', '1.2.3.4.5', ':', ':::', '2001:db8::1::2', '[::1', 'x:y'])(
    'is not %j',
    (text) => {
      expect(toClientKey(text)).toBeNull();
    },
  );
});
