/** Serialises credentials field by field, so that PRF outputs cannot get in. */
import { base64urlnopad } from '@scure/base';
import { bytesOf } from '../bytes.js';
import { LatchkeyError } from '../errors/index.js';
import type { WebAuthnAuthentication, WebAuthnRegistration } from '../workers/signer-api.js';

const DEFAULT_TRANSPORT = 'internal';

export function serializeRegistration(credential: PublicKeyCredential): WebAuthnRegistration {
  const { response } = credential;
  if (!('attestationObject' in response)) throw incomplete('no attestationObject');
  const attestation = response as AuthenticatorAttestationResponse;
  const transports = attestation.getTransports?.() ?? [];
  return {
    ...identity(credential),
    response: {
      clientDataJSON: encode(attestation.clientDataJSON),
      attestationObject: encode(attestation.attestationObject),
      transports: transports.length > 0 ? transports : [DEFAULT_TRANSPORT],
    },
  };
}

export function serializeAuthentication(credential: PublicKeyCredential): WebAuthnAuthentication {
  const { response } = credential;
  if (!('signature' in response)) throw incomplete('no signature');
  const assertion = response as AuthenticatorAssertionResponse;
  return {
    ...identity(credential),
    response: {
      clientDataJSON: encode(assertion.clientDataJSON),
      authenticatorData: encode(assertion.authenticatorData),
      signature: encode(assertion.signature),
      ...(assertion.userHandle && { userHandle: encode(assertion.userHandle) }),
    },
  };
}

function identity(credential: PublicKeyCredential) {
  if (!credential.id) throw incomplete('no id');
  if (credential.type !== 'public-key') throw incomplete(`type ${credential.type}`);
  return {
    id: credential.id,
    rawId: encode(credential.rawId),
    type: 'public-key' as const,
    ...(credential.authenticatorAttachment && {
      authenticatorAttachment: credential.authenticatorAttachment,
    }),
  };
}

function encode(buffer: ArrayBuffer): string {
  const bytes = bytesOf(buffer);
  if (!bytes) throw incomplete('a part that is not bytes');
  return base64urlnopad.encode(bytes);
}

function incomplete(reason: string): LatchkeyError {
  return new LatchkeyError('INVALID_CREDENTIAL', { values: { reason } });
}
