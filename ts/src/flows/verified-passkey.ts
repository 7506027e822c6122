/**
 * Asks for a passkey's PRF outputs, and takes them only where its authenticator verified the user: it keeps another secret
 * for an unverified one (CTAP 2.2, hmac-secret), so those outputs would open nothing.
 */
import {
  ANOTHER_PASSKEY,
  isLatchkeyError,
  LatchkeyError,
  PASSKEY_DIFFERS,
  USER_NOT_VERIFIED,
} from '../errors/wallet.js';
import type { AuthenticatorRecord, UserRecord } from '../storage/records.js';
import { backupIn, isUserVerified } from '../webauthn/flags.js';
import { isWindowsHello } from '../webauthn/known-provider.js';
import { assertPasskey, type KnownCredential, randomChallenge } from '../webauthn/passkeys.js';
import { type PrfOutputs, prfMissing, wipeAnswer } from '../webauthn/prf.js';
import type { WebAuthnAuthentication } from '../workers/signer-api.js';
import type { FlowContext } from './context.js';

/** The prompts of one approval: how the next one asks. */
export interface Asking {
  /** A prompt of it ended without an answer: the next one says nothing of transports. */
  isRetry: boolean;
  /** The next prompt names no passkey. */
  isUnnamed: boolean;
  /** The authenticator has verified no user where its passkey was named: later approvals begin without a name. */
  verifiesUnnamed: boolean;
}

export interface PasskeyRequest<C> {
  readonly accountId: string;
  readonly allow: readonly KnownCredential[];
  /** A challenge that no prompt has had before; `bytes` go to the authenticator. */
  readonly challenge: () => Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly of: C }>;
  readonly signal: AbortSignal;
}

/** The answer of one of the named passkeys. The caller wipes the outputs. */
export interface VerifiedAnswer<C> {
  readonly challenge: C;
  readonly authentication: WebAuthnAuthentication;
  readonly prf: PrfOutputs;
}

/** The error where a worker could not open, with outputs of its passkey, what earlier ones had closed. */
export function orDiffers(error: unknown, account: string): unknown {
  const isOther = isLatchkeyError(error, 'CRYPTO_FAILED') && error.details.workerCode === 'DECRYPTION_FAILED';
  return isOther ? new LatchkeyError(PASSKEY_DIFFERS, { values: { account }, cause: error }) : error;
}

/** A challenge that no contract verifies. */
export const ownChallenge = async () => ({ bytes: randomChallenge(), of: undefined });

/** The passkeys of this device, as its records know them. */
export const passkeysOf = (
  { verifiesUnnamed }: UserRecord,
  authenticators: readonly AuthenticatorRecord[],
): readonly KnownCredential[] => authenticators.map((record) => ({ ...record, verifiesUnnamed }));

/**
 * Whether the passkey is proven and has not moved since. Another manager that took it over may have no PRF secret for it, or
 * another one, and says another backup state or attachment where it differs in these.
 */
export function isStillProven(
  { passkeyProven = false, passkeyBackup, passkeyAttachment }: UserRecord,
  answer: WebAuthnAuthentication,
): boolean {
  const isSame = (before?: string, now?: string) => !before || !now || before === now;
  return (
    passkeyProven &&
    isSame(passkeyBackup, backupIn(answer)) &&
    isSame(passkeyAttachment, answer.authenticatorAttachment)
  );
}

export function newAsking(allow: readonly KnownCredential[]): Asking {
  const verifiesUnnamed = allow.some((passkey) => passkey.verifiesUnnamed);
  return { isRetry: false, isUnnamed: verifiesUnnamed, verifiesUnnamed };
}

/** How the next prompt of an account asks, by the store of its wallet. */
const askings = new WeakMap<FlowContext['store'], Map<string, Asking>>();

/**
 * As {@link newAsking}, for a flow with a single try: where its prompt ends without an answer, the user's next try is another
 * flow, which goes on from there.
 */
export function nextAsking(
  { store }: Pick<FlowContext, 'store'>,
  accountId: string,
  allow: readonly KnownCredential[],
): Asking {
  const known = askings.get(store) ?? new Map<string, Asking>();
  askings.set(store, known);
  const fresh = newAsking(allow);
  const asking = known.get(accountId) ?? fresh;
  asking.verifiesUnnamed ||= fresh.verifiesUnnamed;
  asking.isUnnamed ||= fresh.isUnnamed;
  known.set(accountId, asking);
  return asking;
}

/**
 * One prompt; a second, which names no passkey, only where the first verified no user (Microsoft's password manager in
 * Edge does so). Keeps in `asking` how the approval's next try is to ask. Throws USER_NOT_VERIFIED where the second does
 * neither; with `details.again` where the browser wants another click for it, which is no cancel.
 */
export async function askVerified<C>(
  { rpId, credentials }: Pick<FlowContext, 'rpId' | 'credentials'>,
  { accountId, allow, challenge, signal }: PasskeyRequest<C>,
  asking = newAsking(allow),
): Promise<VerifiedAnswer<C>> {
  const ask = async () => {
    const { bytes, of } = await challenge();
    const request = { rpId, credentials, accountId, challenge: bytes, signal };
    return { challenge: of, ...(await assertPasskey({ ...request, allow: named(allow, asking) })) };
  };
  const first = await ask().catch((error: unknown) => {
    asking.isRetry = true;
    // After a new device password it finds its passkeys only where none is named (SimpleWebAuthn issue 737).
    if (allow.every(({ aaguid }) => isWindowsHello(aaguid))) asking.isUnnamed = true;
    throw error;
  });
  if (isUserVerified(first.authentication)) return accepted(first, allow, asking);
  wipeAnswer(first.prf);
  if (asking.isUnnamed) throw new LatchkeyError(USER_NOT_VERIFIED);

  asking.isUnnamed = true;
  asking.verifiesUnnamed = true;
  const second = await ask().catch((error: unknown) => {
    const isRefused = isLatchkeyError(error, 'CANCELLED') && !signal.aborted;
    throw isRefused
      ? new LatchkeyError(USER_NOT_VERIFIED, { details: { again: true }, cause: error })
      : error;
  });
  if (isUserVerified(second.authentication)) return accepted(second, allow, asking);
  wipeAnswer(second.prf);
  throw new LatchkeyError(USER_NOT_VERIFIED);
}

/** How the request names the passkeys: not at all, without transports, or with those that are known. */
function named(
  allow: readonly KnownCredential[],
  { isRetry, isUnnamed }: Asking,
): readonly KnownCredential[] {
  if (isUnnamed) return [];
  return isRetry ? allow.map(({ credentialId }) => ({ credentialId, transports: [] })) : allow;
}

type Answer<C> = { readonly challenge: C } & Awaited<ReturnType<typeof assertPasskey>>;

/** An unnamed request may be answered by any passkey of the site: another one's outputs are discarded. */
function accepted<C>(
  answer: Answer<C>,
  allow: readonly KnownCredential[],
  asking: Asking,
): VerifiedAnswer<C> {
  const { challenge, authentication, prf } = answer;
  if (!allow.some(({ credentialId }) => credentialId === authentication.id)) {
    wipeAnswer(prf);
    throw new LatchkeyError(ANOTHER_PASSKEY);
  }
  if (prf.kind !== 'outputs') throw prfMissing(prf.reason, prf.kind === 'half');
  asking.isRetry = false;
  asking.isUnnamed = asking.verifiesUnnamed;
  return { challenge, authentication, prf: prf.outputs };
}
