/** A passkey that the user chooses among all of this site. */
import { isLatchkeyError, LatchkeyError, NO_PASSKEY_HERE } from '../errors/account.js';
import { getConditionally } from './conditional.js';
import { answered, browserCredentials } from './credentials.js';
import { type CeremonyRequest, PROMPT_TIMEOUT_MS, prompt } from './passkeys.js';
import { prfSalts } from './prf.js';
import { type AssertedPasskey, readAsserted } from './read-credential.js';

/** Longer than a browser looks for passkeys, and shorter than a user takes to read its dialog and close it. */
const DIALOG_CLOSED_AFTER_MS = 1_000;

export interface PickRequest extends CeremonyRequest {
  readonly challenge: Uint8Array<ArrayBuffer>;
  /** Offers only what the browser has at hand, where it can; throws NO_PASSKEY_HERE where that is nothing. */
  readonly immediate?: boolean | undefined;
  /** Offers the passkeys in a field of this document, for as long as the user chooses none. */
  readonly conditional?: boolean | undefined;
}

/**
 * Lets the user choose among all passkeys of this site. The account is unknown before, so the salts are those of accounts
 * without a name: the outputs open nothing of another one, and the caller wipes them.
 */
export async function pickPasskey(request: PickRequest): Promise<AssertedPasskey> {
  const {
    rpId,
    challenge,
    credentials = browserCredentials,
    immediate = false,
    conditional,
    signal,
  } = request;
  const publicKey: PublicKeyCredentialRequestOptions = {
    rpId,
    challenge,
    userVerification: 'required',
    timeout: PROMPT_TIMEOUT_MS,
    extensions: { prf: { eval: prfSalts('') } },
  };
  if (conditional) {
    const { timeout: _, ...untilChosen } = publicKey;
    return getConditionally({ ...untilChosen, rpId }, signal);
  }
  const asking = { accountId: '', rpId, signal };
  if (!immediate || credentials.hasOtherWays || !(await canAskImmediately())) {
    return prompt(asking, (stop) => credentials.get(publicKey, stop));
  }
  const askedAt = performance.now();
  try {
    return await prompt(asking, () => getImmediately(publicKey));
  } catch (error) {
    // One error for a closed dialog and for no passkey, for privacy: only the time tells.
    const isUnasked = performance.now() - askedAt < DIALOG_CLOSED_AFTER_MS;
    if (!isUnasked || !isLatchkeyError(error, 'CANCELLED') || signal.aborted) throw error;
    throw new LatchkeyError(NO_PASSKEY_HERE, { cause: error });
  }
}

/** Chromium's immediate UI mode (w3c/webauthn pull request 2291) allows neither a list of passkeys nor a signal. */
async function getImmediately(publicKey: PublicKeyCredentialRequestOptions) {
  const options: CredentialRequestOptions & { readonly uiMode: 'immediate' } = {
    publicKey,
    uiMode: 'immediate',
  };
  return readAsserted(answered(await navigator.credentials.get(options)));
}

/** Whether this browser has the mode, and the user has just clicked: without, it finds nothing. */
async function canAskImmediately(): Promise<boolean> {
  const { PublicKeyCredential: credential } = globalThis as {
    PublicKeyCredential?: { getClientCapabilities?: () => Promise<Readonly<Record<string, boolean>>> };
  };
  const capabilities = await credential?.getClientCapabilities?.().catch(() => undefined);
  return capabilities?.immediateGet === true && navigator.userActivation?.isActive === true;
}
