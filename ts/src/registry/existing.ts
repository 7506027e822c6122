/** The record of a passkey that an account has already: `register_existing_passkey`, which the account itself calls. */
import { base64urlnopad } from '@scure/base';
import type { ResolvedConfig } from '../config.js';
import { lacks } from '../errors/account.js';
import type { Action } from '../types.js';
import type { VrfChallenge, WebAuthnAuthentication } from '../workers/signer-api.js';
import { registrationCost } from './linking.js';
import { readCapabilities, vrfData } from './registry.js';
import type { RegistryAt } from './registry-at.js';

/** Gas of `register_existing_passkey`. A passkey of ES256 or EdDSA needs 7.1 Tgas, one of RS256 20. */
export const EXISTING_REGISTRATION_GAS = 30_000_000_000_000n;

/** What the registry gets of an existing passkey. */
export interface ExistingPasskey {
  /** The challenge, whose intent is `existingRegistrationDigest` of the account and its next device number. */
  readonly challenge: VrfChallenge;
  /** The passkey's answer to it. */
  readonly assertion: WebAuthnAuthentication;
  /** Its public key, COSE: an assertion does not carry it, and the signature must be this key's. */
  readonly publicKeyCose: Uint8Array;
  /** How it can be reached, as `getTransports()` gave it; at most 8. */
  readonly transports: readonly string[];
  /** The VRF key derived from it, 32 bytes, base64url. */
  readonly vrfPublicKey: string;
}

/** Throws REGISTRY_LACKS where the registry has no such method. Ask before a prompt. */
export async function assertRegistersExisting(at: RegistryAt): Promise<void> {
  const { registersExisting } = await readCapabilities(at);
  if (!registersExisting) throw lacks(at.config, 'existingPasskeys');
}

/**
 * The call that records the passkey. It attaches the cost of the largest record; the registry returns what this one does
 * not need, and all of it when it refuses. Throws REGISTRY_LACKS where the registry has no such method.
 */
export async function existingRegistration(
  at: RegistryAt,
  { challenge, assertion, publicKeyCose, transports, vrfPublicKey }: ExistingPasskey,
  { userVerification, originPolicy }: ResolvedConfig['authenticatorOptions'],
  signal?: AbortSignal,
): Promise<Action> {
  await assertRegistersExisting(at);
  const args = {
    vrf_data: vrfData(challenge),
    webauthn_authentication: assertionFields(assertion),
    credential_public_key: base64urlnopad.encode(publicKeyCose),
    transports,
    deterministic_vrf_public_key: vrfPublicKey,
    authenticator_options: { user_verification: userVerification, origin_policy: originPolicy },
  };
  return {
    type: 'FunctionCall',
    methodName: 'register_existing_passkey',
    args: JSON.stringify(args),
    gas: String(EXISTING_REGISTRATION_GAS),
    deposit: await registrationCost(at, signal),
  };
}

/** The assertion's fields by name, so that no other field of the object (a PRF output) is ever sent. */
function assertionFields({
  id,
  rawId,
  type,
  authenticatorAttachment,
  response: { clientDataJSON, authenticatorData, signature, userHandle },
}: WebAuthnAuthentication): WebAuthnAuthentication {
  return {
    id,
    rawId,
    type,
    ...(authenticatorAttachment !== undefined && { authenticatorAttachment }),
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle !== undefined && { userHandle }),
    },
  };
}
