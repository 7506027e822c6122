import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  createClientAddress,
  createRemoteAddress,
  isPrivate,
  networkOf,
  toClientKey,
  UNKNOWN,
} from './client-address.js';

/** The key of a request from this socket with these headers. */
async function keyOf(socket: string | undefined, hops: number, forwarded?: string): Promise<string> {
  const clientAddress = createClientAddress({ socketAddress: () => socket, trustedProxyHops: hops });
  const app = new Hono().get('/', (c) => c.text(clientAddress(c)));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await app.request('/', { headers })).text();
}

describe('the client’s address', () => {
  it('is the socket’s if no proxy is trusted, whatever the client sends [S86]', async () => {
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

  it('belongs to an IPv4 /24 or an IPv6 /48', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.0/24');
    expect(networkOf('20010db800010002/64')).toBe('20010db80001/48');
    expect(networkOf(toClientKey('::1') ?? '')).toBe('000000000000/48');
    expect(networkOf(UNKNOWN)).toBe(UNKNOWN);
  });

  it('is private on a machine or in a network of its own', () => {
    const isPrivateAddress = (text: string) => {
      const key = toClientKey(text) ?? '';
      expect(isPrivate(networkOf(key))).toBe(isPrivate(key));
      return isPrivate(key);
    };
    for (const text of ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '::1', 'fd00::1', 'fe80::1']) {
      expect(isPrivateAddress(text), text).toBe(true);
    }
    for (const text of ['203.0.113.1', '172.32.0.1', '100.1.1.1', '2001:db8::1', '1::1', 'ff02::1']) {
      expect(isPrivateAddress(text), text).toBe(false);
    }
    expect(isPrivate(UNKNOWN)).toBe(false);
  });

  it('reaches a hook of the operator whole', async () => {
    const whole = async (socket: string | undefined, forwarded = '') => {
      const remoteAddress = createRemoteAddress({ socketAddress: () => socket, trustedProxyHops: 1 });
      const app = new Hono().get('/', (c) => c.text(remoteAddress(c) ?? 'none'));
      return (await app.request('/', { headers: { 'x-forwarded-for': forwarded } })).text();
    };
    expect(await whole('192.0.2.7', ' [2001:db8:1:2::7]:443')).toBe('2001:db8:1:2::7');
    expect(await whole('192.0.2.7', '203.0.113.1:4711')).toBe('203.0.113.1');
    expect(await whole('192.0.2.7', 'nonsense')).toBe('192.0.2.7');
    expect(await whole(undefined)).toBe('none');
  });
});
