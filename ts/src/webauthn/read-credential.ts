/**
 * Reads what `navigator.credentials` gives: a browser's object, or one that an extension or a shim made. Strict about what a
 * part means and tolerant of its form. Serialises field by field, so that PRF outputs cannot get in.
 */
import { base64urlnopad } from '@scure/base';
import { LatchkeyError } from '../errors/index.js';
import type { WebAuthnAuthentication, WebAuthnRegistration } from '../workers/signer-api.js';
import { bytes, part, result } from './forms.js';
import { type PrfAnswer, takePrf } from './prf.js';

export interface CreatedPasskey {
  readonly registration: WebAuthnRegistration;
  readonly prf: PrfAnswer;
}

export interface AssertedPasskey {
  readonly authentication: WebAuthnAuthentication;
  readonly prf: PrfAnswer;
}

/** As many transports as the registry keeps. */
const MAX_TRANSPORTS = 8;
/** What the registry takes for a transport or an attachment; a name that is new passes. */
const WORD = /^[a-z\d-]{1,32}$/;

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
  return { registration, prf: takePrf(extensionResults(credential)) };
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

/**
 * How an authenticator says that it is reached: each name once, known or not, eight at most. With `hybrid` comes
 * `internal`, since some managers never answer a list without it. Empty where nothing is known.
 */
export function wellFormed(transports: unknown): string[] {
  const names = Array.isArray(transports) ? transports.map(word).filter((name) => name !== undefined) : [];
  const unique = [...new Set(names)];
  if (!unique.includes('hybrid') || unique.includes('internal')) return unique.slice(0, MAX_TRANSPORTS);
  return [...unique.slice(0, MAX_TRANSPORTS - 1), 'internal'];
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

/** A name as the standard writes it: `smartCard` and `SMART_CARD` are `smart-card`. Undefined for what is no such name. */
function word(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value
    .trim()
    .replace(/(?<=[a-z\d])[A-Z]/g, '-$&')
    .replaceAll('_', '-')
    .toLowerCase();
  return WORD.test(name) ? name : undefined;
}

function encoded(response: unknown, name: string): string {
  const read = bytes(part(response, name));
  if (!read?.length) throw incomplete(`no ${name}`);
  return base64urlnopad.encode(read);
}

function incomplete(reason: string): LatchkeyError {
  return new LatchkeyError('INVALID_CREDENTIAL', { values: { reason } });
}
