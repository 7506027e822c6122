/**
 * The full-access keys of a linking. The journal has them encrypted under PRF.first. While a linking runs, this page's
 * memory has them too, sealed under a CryptoKey that is never stored: they sign without another prompt until the page
 * is gone. The next visit asks for the passkey once.
 */
import { isLatchkeyError, LatchkeyError, LINK_SEALED } from '../../errors/account.js';
import type { LinkEntry } from '../../storage/records.js';
import type { WalletStore } from '../../storage/store.js';
import { makeWrappingKey } from '../../storage/wrapping-key.js';
import { wipe } from '../../webauthn/prf.js';
import type { OpenableKey } from '../../workers/signer-api.js';
import { askPrfFirst } from '../ask-prf-first.js';
import type { FlowContext } from '../context.js';
import { besideVrfKeypair } from '../registration/new-passkey.js';
import { nextAsking, orDiffers } from '../verified-passkey.js';

interface PageKeys {
  readonly wrappingKey: Promise<CryptoKey>;
  /** By public key. */
  readonly held: Map<string, OpenableKey>;
}

const pages = new WeakMap<WalletStore, PageKeys>();

function ofPage({ store }: Pick<FlowContext, 'store'>): PageKeys {
  const known = pages.get(store);
  if (known) return known;
  const made: PageKeys = { wrappingKey: makeWrappingKey(), held: new Map() };
  pages.set(store, made);
  return made;
}

/** The CryptoKey that this page's memory seals under. */
export function pageWrappingKey(context: Pick<FlowContext, 'store'>): Promise<CryptoKey> {
  return ofPage(context).wrappingKey;
}

/** Keeps keys for as long as this page lives. */
export function hold(context: Pick<FlowContext, 'store'>, ...keys: readonly OpenableKey[]): void {
  for (const key of keys) ofPage(context).held.set(key.sealed.publicKey, key);
}

/** Whether this page made or opened the linking's own key. */
export function holds({ store }: Pick<FlowContext, 'store'>, { key }: LinkEntry): boolean {
  return pages.get(store)?.held.has(key.publicKey) ?? false;
}

/** Forgets every key that no open linking names. The caller keeps other linkings from running meanwhile. */
export async function releaseUnused(context: Pick<FlowContext, 'store'>): Promise<void> {
  const open = await context.store.journal.entriesOnDevice('link');
  const named = new Set(open.flatMap(({ key, replaces }) => [key.publicKey, replaces?.publicKey]));
  const { held } = ofPage(context);
  for (const publicKey of held.keys()) if (!named.has(publicKey)) held.delete(publicKey);
}

/** A key that this page can sign with. Throws LINK_SEALED where only the passkey opens it. */
export async function heldKey(
  context: Pick<FlowContext, 'store'>,
  entry: LinkEntry,
  publicKey: string,
): Promise<OpenableKey> {
  const held = ofPage(context).held.get(publicKey);
  if (held) return held;
  const stored = [entry.key, entry.replaces].find((one) => one?.publicKey === publicKey);
  if (!stored || entry.sealedBy === 'passkey') {
    throw new LatchkeyError(LINK_SEALED, { values: { account: entry.accountId } });
  }
  // An older version stored it: the linking that it left is completed with it.
  return { wrappingKey: await context.store.sealedKeys.wrappingKey(), sealed: stored };
}

/**
 * Runs work that signs with the entry's keys. Where only the passkey opens them, asks for it first: one prompt, which
 * `onPrompt` announces.
 */
export async function withLinkKeys<T>(
  context: FlowContext,
  entry: LinkEntry,
  { signal, onPrompt }: { readonly signal: AbortSignal; readonly onPrompt: () => void },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLatchkeyError(error, 'LINK_SEALED')) throw error;
  }
  onPrompt();
  await openWithPasskey(context, entry, signal);
  return work();
}

/** Opens the keys, and the VRF keypair for the login at the end. */
async function openWithPasskey(context: FlowContext, entry: LinkEntry, signal: AbortSignal): Promise<void> {
  const { accountId, credentialId, key, replaces, records } = entry;
  const wrappingKey = await pageWrappingKey(context);
  const signer = await context.signers.acquire(signal);
  let first: Uint8Array<ArrayBuffer> | undefined;
  try {
    const { transports } = records.authenticator;
    const allow = [{ credentialId, transports }];
    const asking = nextAsking(context, accountId, allow);
    const prfFirst = await askPrfFirst(context, accountId, allow, signal, asking);
    first = prfFirst;
    const keys = replaces ? [key, replaces] : [key];
    const [, opened] = await besideVrfKeypair(context, accountId, { first: prfFirst }, signal, () =>
      signer.call('sealFromPasskey', [wrappingKey, accountId, prfFirst, keys], {
        signal,
        transfer: [prfFirst.buffer],
      }),
    );
    hold(context, ...opened.map((sealed) => ({ wrappingKey, sealed })));
  } catch (error) {
    throw orDiffers(error, accountId);
  } finally {
    wipe(first);
    signer.end();
  }
}
