/** Whom a limit counts: the address that a request came from, as one key for all that a client can choose freely. */
import type { Context } from 'hono';
import { convertIPv6ToBinary, distinctRemoteAddr } from 'hono/utils/ipaddr';

/** An IPv4 address, the /64 network of an IPv6 address, or `unknown`. */
export type ClientAddress = (c: Context) => string;

export interface ClientAddressOptions {
  /** The address at the other end of the connection. */
  readonly socketAddress: (c: Context) => string | undefined;
  /**
   * How many proxies stand in front, each of which appends the address it was called from to `X-Forwarded-For`. With 0
   * the header is not read: anyone may send it.
   */
  readonly trustedProxyHops: number;
}

const UNKNOWN = 'unknown';

export function createClientAddress({
  socketAddress,
  trustedProxyHops,
}: ClientAddressOptions): ClientAddress {
  return (c) => {
    const socket = toClientKey(socketAddress(c) ?? '') ?? UNKNOWN;
    if (trustedProxyHops === 0) return socket;
    // What stands further left was written by the client. A shorter list comes from fewer proxies: its first entry counts.
    const forwarded = c.req.header('x-forwarded-for')?.split(',').slice(-trustedProxyHops) ?? [];
    return toClientKey(forwarded[0] ?? '') ?? socket;
  };
}

/**
 * The key of an address, which may carry a port; null for what is none. A household or a server has a /64 network of
 * IPv6 at least, and any address in it at will.
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
  // ::ffff:a.b.c.d is how a socket for both families shows IPv4.
  if (bits >> 32n === 0xffffn) {
    return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
  }
  return `${(bits >> 64n).toString(16)}/64`;
}

/** Some proxies write `192.0.2.1:443` or `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return /^\[(.*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}
