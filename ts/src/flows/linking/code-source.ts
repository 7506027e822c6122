/** The source of another device's code: this wallet's own scan, or the page that frames it. */
import { LatchkeyError, LINK_CODE_REFUSED, linkText } from '../../errors/account.js';
import type { FlowContext } from '../context.js';
import { QR_CODE_MAX_AGE_MS } from './qr.js';

type Source = Pick<FlowContext, 'store' | 'page' | 'isLinkCodeHost'>;

/**
 * Checks that the wallet takes a code which its caller scanned. In same-origin mode the caller is the wallet's own page. A host
 * needs a place in `linkCodeHosts`, and must wait for the end of the code that the wallet itself scanned last: its own
 * could pass for that one. Returns the host that scanned the code. Throws LINK_CODE_REFUSED.
 */
export async function assertTakesCode({ store, page, isLinkCodeHost }: Source): Promise<string | undefined> {
  if (store.host === undefined) return undefined;
  const values = { page };
  if (!isLinkCodeHost) throw new LatchkeyError(LINK_CODE_REFUSED, { values });
  const scanned = await store.scannedKey();
  if (scanned && Math.abs(Date.now() - scanned.scannedAt) < QR_CODE_MAX_AGE_MS) {
    throw new LatchkeyError(LINK_CODE_REFUSED, { message: linkText('scannedHere', values) });
  }
  return page;
}

/** Remembers the key of a code that this wallet scanned, in place of the last one. */
export async function rememberScanned({ store }: Source, publicKey: string): Promise<void> {
  if (store.host !== undefined) await store.keepScannedKey({ publicKey, scannedAt: Date.now() });
}
