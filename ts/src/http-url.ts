/** Addresses in the configuration, and how an error's text shows them. */

export function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}

/** For an error's text: an address without its user, password, query and fragment. */
export function withoutSecrets(value: string): string {
  if (isHttpUrl(value)) {
    const { origin, pathname } = new URL(value);
    return origin + pathname;
  }
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1').replace(/[?#].*/s, '');
}
