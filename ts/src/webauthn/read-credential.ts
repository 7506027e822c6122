/**
 * Reads what `navigator.credentials` gives: a browser's object, or one that an extension or a shim made. Strict about what a
 * part means and tolerant of its form. Serialises field by field, so that PRF outputs cannot get in.
 */
import { base64urlnopad } from '@scure/base';
import { INVALID_CREDENTIAL, LatchkeyError } from '../errors/wallet.js';
import type { WebAuthnAuthentication, WebAuthnRegistration } from '../workers/signer-api.js';
import { bytes, part, result } from './forms.js';
import { type PrfAnswer, takePrf } from './prf.js';
import { wellFormed, word } from './transports.js';

export interface CreatedPasskey {
  readonly registration: WebAuthnRegistration;
  readonly prf: PrfAnswer;
  /** False where a request that names no passkey does not find it (`credProps.rk`); absent where the browser does not say it. */
  readonly isDiscoverable?: boolean;
}

export interface AssertedPasskey {
  readonly authentication: WebAuthnAuthentication;
  readonly prf: PrfAnswer;
}

/** The result of a create(). Throws INVALID_CREDENTIAL, which names the part that is missing. */
export function readCreated(credential: unknown): CreatedPasskey {
  const response = part(credential, 'response');
  const registration = {
    ...identity(credential),
    response: {
      clientDataJSON: encoded(response, 'clientDataJSON'),
      attestationObject: encoded(response, 'attestationObject'),
      transports: wellFormed(result(response, 'getTransports') ?? part(response, 'transports')),
    },
  };
  const extensions = extensionResults(credential);
  const isDiscoverable = part(part(extensions, 'credProps'), 'rk');
  return {
    registration,
    prf: takePrf(extensions),
    ...(typeof isDiscoverable === 'boolean' && { isDiscoverable }),
  };
}

/** The result of a get(). Throws INVALID_CREDENTIAL, which names the part that is missing. */
export function readAsserted(credential: unknown): AssertedPasskey {
  const response = part(credential, 'response');
  const userHandle = bytes(part(response, 'userHandle'));
  const authentication = {
    ...identity(credential),
    response: {
      clientDataJSON: encoded(response, 'clientDataJSON'),
      authenticatorData: encoded(response, 'authenticatorData'),
      signature: encoded(response, 'signature'),
      ...(userHandle?.length && { userHandle: base64urlnopad.encode(userHandle) }),
    },
  };
  return { authentication, prf: takePrf(extensionResults(credential)) };
}

/** As the browser's object has them, or as JSON does. */
const extensionResults = (credential: unknown): unknown =>
  result(credential, 'getClientExtensionResults') ?? part(credential, 'clientExtensionResults');

function identity(credential: unknown) {
  const [type, id] = [part(credential, 'type'), part(credential, 'id')];
  if (type !== undefined && type !== 'public-key') throw incomplete(`type ${String(type).slice(0, 32)}`);
  const named = bytes(id);
  const raw = bytes(part(credential, 'rawId')) ?? named;
  if (!raw?.length) throw incomplete('no id');
  const rawId = base64urlnopad.encode(raw);
  if (id !== undefined && (!named || base64urlnopad.encode(named) !== rawId))
    throw incomplete('an id that is not its rawId');
  const authenticatorAttachment = word(part(credential, 'authenticatorAttachment'));
  return {
    id: rawId,
    rawId,
    type: 'public-key' as const,
    ...(authenticatorAttachment && { authenticatorAttachment }),
  };
}

function encoded(response: unknown, name: string): string {
  const read = bytes(part(response, name));
  if (!read?.length) throw incomplete(`no ${name}`);
  return base64urlnopad.encode(read);
}

function incomplete(reason: string): LatchkeyError {
  return new LatchkeyError(INVALID_CREDENTIAL, { values: { reason } });
}
