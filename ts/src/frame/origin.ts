/** Origins in the form of the registry's lists; `crates/webauthn/src/origin.rs` reads them the same way. */

const MAX_LENGTH = 255;
const MAX_HOST_LENGTH = 253;
const MAX_PORT = 65_535;
const FORM = /^(https?):\/\/((?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63})(?::(\d+))?$/i;
const DEFAULT_PORT: Readonly<Record<string, number>> = { https: 443, http: 80 };

/**
 * Returns `scheme://host[:port]` as a browser serialises it (WHATWG URL): in lower case, without a default port. Null
 * for anything but https, or http on localhost, `*.localhost` or 127.0.0.1; for any text of more than 255 characters;
 * for a host that is not a DNS name of ASCII letters, digits, hyphens and underscores. Two texts name the same origin
 * exactly when they have the same canonical form: never compare a part of one.
 */
export function canonicalOrigin(text: string): string | null {
  if (text.length > MAX_LENGTH || !FORM.test(text)) return null;
  const [, scheme = '', host = '', portText] = FORM.exec(text.toLowerCase()) ?? [];
  if (host.length > MAX_HOST_LENGTH || (endsInNumber(host) && host !== '127.0.0.1')) return null;
  if (scheme === 'http' && !isThisMachine(host)) return null;
  const port = Number(portText ?? DEFAULT_PORT[scheme]);
  // No page has port 0 (Fetch, section 2.9).
  if (port === 0 || port > MAX_PORT) return null;
  return port === DEFAULT_PORT[scheme] ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
}

/** Browsers take a host whose last label is a number for an IP address (WHATWG URL, section 3.5). */
function endsInNumber(host: string): boolean {
  return /(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1';
}
