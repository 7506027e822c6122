// The name by which a phone in the same network finds this machine.
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A DNS label (RFC 1123): letters, digits and inner hyphens, 1 to 63 characters. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A certificate's subject holds a common name of at most 64 characters (RFC 5280, ub-common-name). */
const MAX_NAME = 64;

/** The mDNS name of a machine (RFC 6762): the first label of its host name, below `.local`. Throws if that leaves no name. */
export function machineName(hostname: string): string {
  const label = (hostname.split('.')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (label === '' || label === 'localhost') {
    throw new Error(
      `The host name '${hostname}' names no machine. Say another: --phone --name my-mac.local.`,
    );
  }
  return phoneName(`${label}.local`);
}

/** A name for `--name`: a DNS name in lower case with at least two labels. Throws for an IP address and for localhost. */
export function phoneName(text: string): string {
  const labels = text.split('.');
  const isName = text.length <= MAX_NAME && labels.length > 1 && labels.every((label) => LABEL.test(label));
  if (isName && isIP(text) === 0 && labels.at(-1) !== 'localhost') return text;
  throw new Error(
    `--name takes a name that your phone can find, such as my-mac.local: lower case, at most ${MAX_NAME} characters. It got '${text}'. An IP address has no passkeys.`,
  );
}

/** Where a name leads, as this machine's resolver says. */
export type Whereabouts =
  | { readonly kind: 'here' }
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'elsewhere'; readonly addresses: readonly string[] };

/** Resolves the name and compares the addresses with those of this machine. */
export async function whereIs(name: string): Promise<Whereabouts> {
  const found = await lookup(name, { all: true }).catch(() => []);
  if (found.length === 0) return { kind: 'nowhere' };
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const addresses = found.map(({ address }) => address.replace(/%.*$/, ''));
  const isHere = addresses.some((address) => own.some((entry) => entry.address === address));
  return isHere ? { kind: 'here' } : { kind: 'elsewhere', addresses };
}

/** What the developer should do about a name that does not lead here; null if it does. */
export function nameAdvice(name: string, where: Whereabouts): string | null {
  if (where.kind === 'here') return null;
  if (where.kind === 'elsewhere') {
    return `${name} is another machine (${where.addresses.join(', ')}). Give this one another name: --phone --name NAME.`;
  }
  return name.endsWith('.local')
    ? `${name} is unknown to this machine. macOS and Windows answer to their name by themselves; on Linux, install avahi-daemon and libnss-mdns. Or give a name of your own DNS: --phone --name NAME.`
    : `${name} is unknown to this machine. Add it to your DNS, or leave out --name to use the machine's own .local name.`;
}
