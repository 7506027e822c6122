/**
 * The two passkey ceremonies (W3C WebAuthn Level 3, sections 5.1.3 and 5.1.4). A call shows at most one prompt; after
 * a user's refusal it never asks again.
 */

import { base64urlnopad } from '@scure/base';
import {
  CANCELLED,
  cancelledBy,
  insecureContext,
  LatchkeyError,
  PASSKEYS_UNSUPPORTED,
  REQUEST_PENDING,
} from '../errors/wallet.js';
import { pause } from '../sleep.js';
import { asPrompt } from './conditional.js';
import { browserCredentials, type Credentials } from './credentials.js';
import { type PrfAnswer, prfSalts, wipeAnswer } from './prf.js';
import type { AssertedPasskey, CreatedPasskey } from './read-credential.js';
import { signalUnknown } from './signal.js';
import { displayName, newUserHandle, userName } from './user-handle.js';
import { classifyWebAuthnError, wasNeverShown } from './webauthn-error.js';

const RP_NAME = 'WebAuthn VRF Passkey';
export const PROMPT_TIMEOUT_MS = 60_000;
/** Apple's sheet closes by itself after about 55 s, and the error is that of a user's no. */
const SHEET_CLOSED_MS = 54_000;
const ES256 = -7;
const RS256 = -257;
/** Waits before retries when the browser refused to show the prompt at all. */
const RETRY_WAITS_MS = [50, 120];

export interface KnownCredential {
  /** base64url. */
  readonly credentialId: string;
  readonly transports: readonly string[];
  /** 8-4-4-4-12, the model of its authenticator, where it is known. */
  readonly aaguid?: string | undefined;
  /** Its authenticator verified the user only where the request named no passkey. */
  readonly verifiesUnnamed?: boolean | undefined;
}

export interface CeremonyRequest {
  readonly rpId: string;
  /** Runs the ceremony; default: this document. */
  readonly credentials?: Credentials;
  readonly signal: AbortSignal;
}

export interface CreateRequest extends CeremonyRequest {
  /** Empty for the account that the passkey itself is going to make. */
  readonly accountId: string;
  /** What lists of passkeys show, where the account has no name. */
  readonly label?: string | undefined;
  readonly deviceNumber: number;
  readonly challenge: Uint8Array<ArrayBuffer>;
  /** Passkeys of this account: an authenticator that holds one makes no second. */
  readonly exclude: readonly KnownCredential[];
}

export interface GetRequest extends CeremonyRequest {
  readonly accountId: string;
  readonly challenge: Uint8Array<ArrayBuffer>;
  readonly allow: readonly KnownCredential[];
}

/** Creates a passkey and asks for its PRF outputs, which some authenticators give only at the next get(). */
export async function createPasskey(request: CreateRequest): Promise<CreatedPasskey> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    rp: { name: RP_NAME, id: request.rpId },
    user: {
      id: newUserHandle(request.accountId, request.deviceNumber),
      name: request.label ?? userName(request.accountId, request.deviceNumber),
      displayName: request.label ?? displayName(request.accountId, request.deviceNumber),
    },
    challenge: request.challenge,
    pubKeyCredParams: [
      { type: 'public-key', alg: ES256 },
      { type: 'public-key', alg: RS256 },
    ],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: request.exclude.map(descriptor),
    attestation: 'none',
    timeout: PROMPT_TIMEOUT_MS,
    extensions: { prf: { eval: prfSalts(request.accountId) }, credProps: true },
  };
  const { credentials = browserCredentials } = request;
  return prompt(request, async (signal) => {
    const made = await credentials.create(publicKey, signal);
    if (signal.aborted) void signalUnknown(request.rpId, made.registration.id);
    return made;
  });
}

/** Asks for an assertion and the PRF outputs of one of the account's passkeys. */
export async function assertPasskey(request: GetRequest): Promise<AssertedPasskey> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    rpId: request.rpId,
    challenge: request.challenge,
    allowCredentials: request.allow.map(descriptor),
    userVerification: 'required',
    timeout: PROMPT_TIMEOUT_MS,
    extensions: { prf: { eval: prfSalts(request.accountId) } },
  };
  const { credentials = browserCredentials } = request;
  return prompt(request, (signal) => credentials.get(publicKey, signal));
}

/** A challenge for a ceremony that no contract verifies: 32 random bytes. */
export function randomChallenge(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32));
}

function descriptor({ credentialId, transports }: KnownCredential): PublicKeyCredentialDescriptor {
  return {
    type: 'public-key',
    id: base64urlnopad.decode(credentialId) as Uint8Array<ArrayBuffer>,
    // An empty list could be read as one that no authenticator is on.
    ...(transports.length > 0 && { transports: [...transports] as AuthenticatorTransport[] }),
  };
}

interface Answer {
  readonly prf: PrfAnswer;
}
type Ask<T extends Answer> = (signal: AbortSignal) => Promise<T>;

/** Runs a ceremony under our own timer. Tries again only where the browser showed no prompt. */
export async function prompt<T extends Answer>(
  request: { readonly accountId: string; readonly rpId: string; readonly signal: AbortSignal },
  ask: Ask<T>,
): Promise<T> {
  assertSecureContext();
  for (const waitMs of [...RETRY_WAITS_MS, undefined]) {
    const askedAt = performance.now();
    try {
      return await asPrompt(() => askOnce(request.signal, ask));
    } catch (error) {
      const known = classifyWebAuthnError(error, request.accountId, request.rpId);
      const isLate = performance.now() - askedAt >= SHEET_CLOSED_MS;
      if (isLate && known.code === 'CANCELLED' && !request.signal.aborted) throw timedOut(known);
      if (waitMs === undefined || !wasNeverShown(known) || request.signal.aborted) throw known;
      await pause(waitMs, request.signal);
    }
  }
  throw new LatchkeyError(REQUEST_PENDING);
}

function timedOut(cause?: LatchkeyError): LatchkeyError {
  return new LatchkeyError(CANCELLED, { details: { timedOut: true }, cause });
}

/**
 * One request under our own timer: a browser without an authenticator may ignore its timeout, and an extension its signal.
 * The outputs of an answer that comes after the end are wiped.
 */
async function askOnce<T extends Answer>(signal: AbortSignal, ask: Ask<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(timedOut()), PROMPT_TIMEOUT_MS);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const aborted = new Promise<never>((_, reject) => {
      const fail = (): void => reject(cancelledBy(controller.signal));
      if (controller.signal.aborted) fail();
      else controller.signal.addEventListener('abort', fail, { once: true });
    });
    const asked = controller.signal.aborted ? aborted : ask(controller.signal);
    asked.then(
      ({ prf }) => controller.signal.aborted && wipeAnswer(prf),
      () => undefined,
    );
    return await Promise.race([asked, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Throws INSECURE_CONTEXT or PASSKEYS_UNSUPPORTED if this page cannot use passkeys. */
export function assertSecureContext(): void {
  if (!globalThis.isSecureContext) throw insecureContext();
  if (!globalThis.navigator?.credentials || !globalThis.PublicKeyCredential) {
    throw new LatchkeyError(PASSKEYS_UNSUPPORTED);
  }
}
