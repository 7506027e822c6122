/** Where the passkey ceremonies run: in this document, unless replaced (by the wallet's own window). */
import { CANCELLED, LatchkeyError } from '../errors/core.js';
import { type AssertedPasskey, type CreatedPasskey, readAsserted, readCreated } from './read-credential.js';
import { hintsFor } from './transports.js';

/**
 * One ceremony each (W3C WebAuthn Level 3, sections 5.1.3 and 5.1.4), with at most one prompt. Rejects with the
 * browser's error or a LatchkeyError. Aborting the signal closes the prompt.
 */
export interface Credentials {
  /** Set if another place runs ceremonies that this document may not. */
  readonly hasOtherWays?: boolean;
  /** Set if this document runs ceremonies, so that a field of it can offer passkeys. */
  readonly runsHere?: boolean;
  create(publicKey: PublicKeyCredentialCreationOptions, signal: AbortSignal): Promise<CreatedPasskey>;
  get(publicKey: PublicKeyCredentialRequestOptions, signal: AbortSignal): Promise<AssertedPasskey>;
}

/** The ceremonies of this document. */
export const browserCredentials: Credentials = {
  runsHere: true,
  async create(publicKey, signal) {
    return readCreated(answered(await navigator.credentials.create({ publicKey, signal })));
  },
  async get(publicKey, signal) {
    const hinted = { ...publicKey, hints: hintsFor(publicKey.allowCredentials) };
    return readAsserted(answered(await navigator.credentials.get({ publicKey: hinted, signal })));
  },
};

/** Some managers resolve with null where the user cancels. */
export function answered(credential: unknown): unknown {
  if (credential === null || credential === undefined) throw new LatchkeyError(CANCELLED);
  return credential;
}
