/** Where the passkey ceremonies run: in this document, unless replaced (by the wallet's own window). */
import { LatchkeyError } from '../errors/index.js';
import type { WebAuthnAuthentication, WebAuthnRegistration } from '../workers/signer-api.js';
import { type PrfAnswer, takePrf } from './prf.js';
import { serializeAuthentication, serializeRegistration } from './serialize.js';

export interface CreatedPasskey {
  readonly registration: WebAuthnRegistration;
  readonly prf: PrfAnswer;
}

export interface AssertedPasskey {
  readonly authentication: WebAuthnAuthentication;
  readonly prf: PrfAnswer;
}

/**
 * One ceremony each (W3C WebAuthn Level 3, sections 5.1.3 and 5.1.4), with at most one prompt. Rejects with the
 * browser's error or a LatchkeyError. Aborting the signal closes the prompt.
 */
export interface Credentials {
  /** Set if another place runs ceremonies that this document may not. */
  readonly hasOtherWays?: boolean;
  create(publicKey: PublicKeyCredentialCreationOptions, signal: AbortSignal): Promise<CreatedPasskey>;
  get(publicKey: PublicKeyCredentialRequestOptions, signal: AbortSignal): Promise<AssertedPasskey>;
}

/** The ceremonies of this document. */
export const browserCredentials: Credentials = {
  async create(publicKey, signal) {
    const credential = checked(await navigator.credentials.create({ publicKey, signal }));
    return { registration: serializeRegistration(credential), prf: takePrf(credential) };
  },
  async get(publicKey, signal) {
    const credential = checked(await navigator.credentials.get({ publicKey, signal }));
    return { authentication: serializeAuthentication(credential), prf: takePrf(credential) };
  },
};

function checked(credential: Credential | null): PublicKeyCredential {
  if (credential instanceof PublicKeyCredential) return credential;
  throw new LatchkeyError('INVALID_CREDENTIAL', { values: { reason: 'no credential came back' } });
}
