/** Writes and reads Device2's QR code. A scanned code may come from anyone, so every field is checked. */
import { base58 } from '@scure/base';
import {
  INVALID_QR_DATA,
  LatchkeyError,
  messageOf,
  QR_TEXTS,
  SESSION_EXPIRED,
} from '../../errors/account.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import type { LinkDeviceQrData } from '../../types.js';
import { isOnCurve, isSoundPoint, PUBLIC_KEY_LENGTH } from '../../verify/ed25519.js';

export const QR_VERSION = '1.0';
/** How long a code may be scanned. */
export const QR_CODE_MAX_AGE_MS = 15 * 60_000;
/** How far the clocks of two devices may differ. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** Far above the length of our codes, far below what would slow parsing. */
const MAX_LENGTH = 2_048;
const KEY_PREFIX = 'ed25519:';
/** The longest base58 of 32 bytes. */
const MAX_KEY_LENGTH = KEY_PREFIX.length + 44;

/**
 * Reads the data of a scanned text (or of an object that a host passes on). Throws INVALID_QR_DATA or
 * SESSION_EXPIRED.
 */
export function parseLinkQr(scanned: string | LinkDeviceQrData, now: number = Date.now()): LinkDeviceQrData {
  const data = typeof scanned === 'string' ? fromJson(scanned) : (scanned as unknown);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw invalid(QR_TEXTS.notJson);
  const { device2PublicKey, timestamp, version, accountId } = data as Readonly<Record<string, unknown>>;

  if (isMissing(device2PublicKey)) throw invalid(QR_TEXTS.noKey);
  if (!isEd25519Key(device2PublicKey)) throw invalid(QR_TEXTS.badKey);
  if (isMissing(timestamp)) throw invalid(QR_TEXTS.noTimestamp);
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp) || timestamp <= 0) {
    throw invalid(QR_TEXTS.badTimestamp);
  }
  if (now - timestamp > QR_CODE_MAX_AGE_MS) {
    throw new LatchkeyError(SESSION_EXPIRED, { message: QR_TEXTS.expired });
  }
  if (timestamp - now > MAX_CLOCK_DIFFERENCE_MS) throw invalid(QR_TEXTS.future);
  if (version !== undefined && version !== QR_VERSION) throw invalid(QR_TEXTS.badVersion);
  const parsed = { device2PublicKey, timestamp, version: QR_VERSION } as const;
  return isMissing(accountId) ? parsed : { ...parsed, accountId: validAccountId(accountId) };
}

/** Returns the text that the QR code holds. */
export function linkQrText({ device2PublicKey, accountId, timestamp, version }: LinkDeviceQrData): string {
  return JSON.stringify({ device2PublicKey, ...(accountId && { accountId }), timestamp, version });
}

/** Whether a value is the text of an ed25519 key that someone can sign with. */
function isEd25519Key(value: unknown): value is string {
  if (typeof value !== 'string' || !value.startsWith(KEY_PREFIX) || value.length > MAX_KEY_LENGTH)
    return false;
  let bytes: Uint8Array;
  try {
    bytes = base58.decode(value.slice(KEY_PREFIX.length));
  } catch {
    return false;
  }
  return bytes.length === PUBLIC_KEY_LENGTH && isSoundPoint(bytes) && isOnCurve(bytes);
}

function fromJson(text: string): unknown {
  if (text.length > MAX_LENGTH) throw invalid(QR_TEXTS.notJson);
  try {
    return JSON.parse(text);
  } catch {
    // A user scans what is at hand: NEAR key codes and links get texts of their own.
    const said = text.trim();
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(said)) throw invalid(QR_TEXTS.url);
    throw invalid(said.includes(KEY_PREFIX) ? QR_TEXTS.nearKey : QR_TEXTS.notJson);
  }
}

function validAccountId(accountId: unknown): string {
  try {
    assertExistingAccountId(accountId);
    return accountId;
  } catch (error) {
    throw new LatchkeyError(INVALID_QR_DATA, { values: { reason: messageOf(error) }, cause: error });
  }
}

function isMissing(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_QR_DATA, { values: { reason } });
}
