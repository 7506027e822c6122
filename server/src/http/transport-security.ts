/** Strict-Transport-Security (RFC 6797), for the relay and the wallet origin. */

/**
 * A year, for this name alone: without `includeSubDomains`, because the names below it belong to other services of the
 * operator. Browsers ignore the header over plain http, so an answer behind a proxy that ends TLS can always carry it.
 */
export const TRANSPORT_SECURITY = 'max-age=31536000';

/**
 * The header's value; null for a name of this machine or of this network (`*.local`, RFC 6762), where it would shut out
 * the http servers on other ports.
 */
export function transportSecurityFor(url: string): string | null {
  const isLocal = /^[a-z]+:\/\/(?:(?:[^/]+\.)?localhost|[^/]+\.local)\.?(?::\d+)?(?:[/?#]|$)/i.test(url);
  return isLocal ? null : TRANSPORT_SECURITY;
}
