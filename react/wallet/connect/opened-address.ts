import type { OpenedAddress } from 'latchkey/internal/wallet';

/** The address of this document, if it is one that other pages open. */
export function openedAddress(): OpenedAddress | undefined {
  const addresses: readonly OpenedAddress[] = ['connect', 'sign'];
  return addresses.find((address) => location.pathname.replace(/\/$/, '') === `/${address}`);
}
