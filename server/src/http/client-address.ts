/** The address that limits count: one key for all addresses that a client can choose freely. */
import type { Context } from 'hono';
import { convertIPv6ToBinary, distinctRemoteAddr } from 'hono/utils/ipaddr';

/** An IPv4 address, the /64 network of an IPv6 address, or `unknown`. */
export type ClientAddress = (c: Context) => string;

export interface ClientAddressOptions {
  /** The address at the other end of the connection. */
  readonly socketAddress: (c: Context) => string | undefined;
  /**
   * Number of proxies in front, each of which appends its caller's address to `X-Forwarded-For`. With 0 the header is
   * ignored: anyone may send it.
   */
  readonly trustedProxyHops: number;
}

/** The key of clients whose address nothing shows. */
export const UNKNOWN = 'unknown';

export function createClientAddress(options: ClientAddressOptions): ClientAddress {
  const remoteAddress = createRemoteAddress(options);
  return (c) => toClientKey(remoteAddress(c) ?? '') ?? UNKNOWN;
}

/** The client's whole address, without a port; undefined if nothing shows one. */
export type RemoteAddress = (c: Context) => string | undefined;

export function createRemoteAddress({
  socketAddress,
  trustedProxyHops,
}: ClientAddressOptions): RemoteAddress {
  return (c) => {
    const socket = toAddress(socketAddress(c) ?? '');
    if (trustedProxyHops === 0) return socket;
    // The client controls the entries further left. A shorter list passed fewer proxies: its first entry counts.
    const forwarded = c.req.header('x-forwarded-for')?.split(',').slice(-trustedProxyHops) ?? [];
    return toAddress(forwarded[0] ?? '') ?? socket;
  };
}

/** The network of a client: the IPv4 /24 or the IPv6 /48 around its address. */
export function networkOf(address: string): string {
  const [prefix = ''] = address.split('/');
  if (address.endsWith('/64')) return `${prefix.slice(0, -4)}/48`;
  return address === UNKNOWN ? UNKNOWN : `${prefix.slice(0, prefix.lastIndexOf('.'))}.0/24`;
}

/** Whether an address or a network is one of no client on the internet: loopback, private (RFC 1918, RFC 4193), link-local. */
export function isPrivate(key: string): boolean {
  return /^(10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\.|^(f[cd]|fe[89ab])[\da-f]+\/|^0+\//.test(key);
}

function toAddress(text: string): string | undefined {
  return toClientKey(text) === null ? undefined : withoutPort(text.trim());
}

/**
 * The key of an address, which may include a port; null if it is not one. A household or server has at least an IPv6
 * /64 network, and may use any address in it.
 */
export function toClientKey(text: string): string | null {
  const address = withoutPort(text.trim());
  const kind = distinctRemoteAddr(address);
  if (kind === 'IPv4') return address;
  if (kind !== 'IPv6') return null;
  try {
    return keyOfIPv6(convertIPv6ToBinary(address));
  } catch {
    return null;
  }
}

function keyOfIPv6(bits: bigint): string {
  // ::ffff:a.b.c.d is how a dual-stack socket shows IPv4.
  if (bits >> 32n === 0xffffn) {
    return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
  }
  return `${(bits >> 64n).toString(16).padStart(16, '0')}/64`;
}

/** Some proxies write `192.0.2.1:443` or `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}
