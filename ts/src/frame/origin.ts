/** Origins in the form of the registry's lists. */

const MAX_LENGTH = 255;
// Host labels of RFC 1123, section 2.1: not empty, no underscore, no hyphen at either end.
const FORM =
  /^(https?):\/\/((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?::(\d{1,5}))?$/;
const DEFAULT_PORT: Readonly<Record<string, string>> = { https: '443', http: '80' };

/**
 * Returns `scheme://host[:port]` in lower case without a default port, of at most 255 characters; null for anything
 * but https, or http on localhost, `*.localhost` or 127.0.0.1. Two texts name the same origin exactly when they have
 * the same canonical form: never compare a part of one.
 */
export function canonicalOrigin(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const [, scheme = '', host = '', port] = FORM.exec(text.toLowerCase()) ?? [];
  if (!host || !(isDomain(host) || host === '127.0.0.1')) return null;
  if (scheme === 'http' && !isThisMachine(host)) return null;
  if (port === undefined || Number(port) === Number(DEFAULT_PORT[scheme])) return `${scheme}://${host}`;
  if (port.startsWith('0') || Number(port) > 65_535) return null;
  return `${scheme}://${host}:${port}`;
}

/** Browsers take a host whose last label is a number for an IP address (WHATWG URL, section 3.5). */
function isDomain(host: string): boolean {
  return !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host);
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1';
}
