/** How an authenticator is reached (W3C WebAuthn Level 3, section 5.8.4), and by what the browser is told to look for it. */

/** As many as the registry keeps. */
const MAX_TRANSPORTS = 8;
/** What the registry takes for a transport or an attachment; a name that is new passes. */
const WORD = /^[a-z\d-]{1,32}$/;
/** By which any passkey may be reachable from another device than the one that made it. */
const ALL = ['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card'];
const OF_SECURITY_KEYS = ['usb', 'nfc', 'ble', 'smart-card'];

/**
 * What an authenticator says of it: each name once, known or not, eight at most. With `hybrid` comes
 * `internal`, since some managers never answer a list without it. Empty where nothing is known.
 */
export function wellFormed(transports: unknown): string[] {
  const names = Array.isArray(transports) ? transports.map(word).filter((name) => name !== undefined) : [];
  const unique = [...new Set(names)];
  if (!unique.includes('hybrid') || unique.includes('internal')) return unique.slice(0, MAX_TRANSPORTS);
  return [...unique.slice(0, MAX_TRANSPORTS - 1), 'internal'];
}

/** As {@link wellFormed}, of a registry's record. Wallets wrote `internal` alone where they knew none: it says nothing. */
export function recorded(transports: readonly string[]): string[] {
  const known = wellFormed(transports);
  return known.length === 1 && known[0] === 'internal' ? [] : known;
}

/** For a passkey that may have been made anywhere: what its record says, and every way that there is. */
export function everyWay(transports: readonly string[]): string[] {
  return [...new Set([...ALL, ...wellFormed(transports)])].slice(0, MAX_TRANSPORTS);
}

/**
 * What the browser's dialog begins with (W3C WebAuthn Level 3, section 5.8.7), where all the passkeys are in one kind of place.
 * A synced passkey is here or on a phone, which the browser knows better. A new passkey gets no hint: for `client-device`
 * Chrome on Windows offers no password manager, only Windows Hello, whose passkeys are lost with the device.
 */
export function hintsFor(passkeys: readonly PublicKeyCredentialDescriptor[] = []): string[] {
  const areOn = (kinds: readonly string[]): boolean =>
    passkeys.length > 0 &&
    passkeys.every(
      ({ transports = [] }) => transports.length > 0 && transports.every((name) => kinds.includes(name)),
    );
  if (areOn(['internal'])) return ['client-device'];
  return areOn(OF_SECURITY_KEYS) ? ['security-key'] : [];
}

/** A name as the standard writes it: `smartCard` and `SMART_CARD` are `smart-card`. Undefined for what is no such name. */
export function word(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value
    .trim()
    .replace(/(?<=[a-z\d])[A-Z]/g, '-$&')
    .replaceAll('_', '-')
    .toLowerCase();
  return WORD.test(name) ? name : undefined;
}
