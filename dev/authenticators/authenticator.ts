/**
 * A software authenticator behind `navigator.credentials`: discoverable ES256 passkeys with PRF. Its knobs make it behave
 * like one that people have, together with the browser or the extension in front of it.
 */
import { randomBytes } from 'node:crypto';
import { base64urlnopad } from '@scure/base';
import { type Backup, type Cancel, type Knobs, PLAIN } from './knobs.js';
import { createCredential, FLAGS, getAssertion, makePasskey, type Passkey, prfOutput } from './passkey.js';

interface StoredPasskey {
  /** base64url. */
  readonly id: string;
  readonly passkey: Passkey;
  readonly rpId: string;
  readonly userHandle: Uint8Array<ArrayBuffer>;
  /** 32 bytes, the source of the PRF outputs. */
  readonly secret: Buffer;
  readonly madeAt: number;
}

interface CreateOptions {
  readonly publicKey: PublicKeyCredentialCreationOptions;
  readonly signal?: AbortSignal;
}

interface GetOptions {
  readonly publicKey: PublicKeyCredentialRequestOptions;
  readonly signal?: AbortSignal;
}

/** The document that asks. */
export interface Place {
  readonly origin: string;
  /** Whether it is in a frame of another origin. */
  readonly isFramed?: boolean;
}

/** A prompt that the user saw. */
export interface Prompt {
  readonly kind: 'create' | 'get';
  /** Whether the request named passkeys, to find one of them or to make none next to them. */
  readonly isNamed: boolean;
  /** What the user or the authenticator answered. */
  answer: 'given' | 'refused';
}

type Extensions = AuthenticationExtensionsClientInputs | undefined;
type Parts = Readonly<Record<string, unknown>>;
type Bytes = Uint8Array<ArrayBuffer>;

export class SoftwareAuthenticator {
  /** Whether the user agrees to the prompts. */
  agrees = true;
  /** Whether the user answers prompts. If not, a prompt stays open until its signal aborts. */
  isPresent = true;
  /** What its passkeys say of their backup from now on. */
  backup: Backup;
  /** Where the user is: at the device that holds the passkeys, or at another one that reaches it by hybrid. */
  isRemote = false;
  /** A list of passkeys finds none, as in Windows Hello after a new device password. */
  findsOnlyUnnamed = false;
  readonly prompts: Prompt[] = [];
  /** Every passkey that was ever made, by its id. */
  readonly made: string[] = [];
  /** The ids of passkeys of which a page said that no account knows them. */
  readonly signalled: string[] = [];
  /** Whether a `toJSON` ended the page. */
  isPageKilled = false;
  readonly #knobs: Knobs;
  readonly #halved = new Set<string>();
  #passkeys: StoredPasskey[] = [];

  constructor(knobs: Partial<Knobs> = {}) {
    this.#knobs = { ...PLAIN, ...knobs };
    this.backup = this.#knobs.backup;
  }

  /** `navigator.credentials` of a page, and its class PublicKeyCredential. Both are absent where the page has no API. */
  forPage(place: Place) {
    if (!this.#knobs.api) return { credentials: undefined, PublicKeyCredential: undefined };
    const create = async (options: CreateOptions): Promise<unknown> => this.#create(options, place);
    const get = async (options: GetOptions): Promise<unknown> => this.#get(options, place);
    const isNative = this.#knobs.functions === 'native';
    return {
      // A bound function has the source text of a browser's function: `[native code]`.
      credentials: isNative ? { create: create.bind(undefined), get: get.bind(undefined) } : { create, get },
      PublicKeyCredential: {
        isUserVerifyingPlatformAuthenticatorAvailable: async () => true,
        signalUnknownCredential: async ({ credentialId }: { readonly credentialId: string }) => {
          this.signalled.push(credentialId);
        },
      },
    };
  }

  async #create({ publicKey, signal }: CreateOptions, place: Place): Promise<unknown> {
    const { excludeCredentials = [], extensions, user } = publicKey;
    const rpId = this.#begin(publicKey.rp.id, extensions, place, signal);
    const excluded = excludeCredentials.map(({ id }) => textOf(id));
    const prompt = this.#prompt('create', excluded.length > 0);
    const isExcluded = this.#passkeys.some(({ id }) => excluded.includes(id));
    if (isExcluded && this.#knobs.excluded !== 'overwrites')
      return this.#refuse(this.#knobs.excluded, signal);
    if (!this.isPresent) return this.#refuse('waits', signal);
    if (!this.agrees) return cancelled(this.#knobs.cancel);

    const userHandle = ownBytes(user.id);
    const passkey = makePasskey(this.#knobs.algorithm);
    const isVerified = this.#isVerified(publicKey.authenticatorSelection?.userVerification, false);
    const { id, response } = createCredential(
      { ...this.#ceremony(publicKey, rpId, place, isVerified), aaguid: this.#knobs.aaguid },
      passkey,
    );
    const made = { id, passkey, rpId, userHandle, secret: randomBytes(32), madeAt: Date.now() };
    // A new passkey replaces the one with the same handle.
    const isOther = (old: StoredPasskey): boolean =>
      old.rpId !== rpId || textOf(old.userHandle) !== textOf(userHandle);
    this.#passkeys = [...this.#passkeys.filter(isOther), made];
    this.made.push(id);
    prompt.answer = 'given';
    return this.#credential(id, this.#createdPrf(extensions, made, isVerified), {
      clientDataJSON: bytesOf(response.clientDataJSON),
      attestationObject: bytesOf(response.attestationObject),
      getTransports: () => [...this.#knobs.transports],
    });
  }

  async #get({ publicKey, signal }: GetOptions, place: Place): Promise<unknown> {
    const { allowCredentials = [], extensions, userVerification } = publicKey;
    const rpId = this.#begin(publicKey.rpId, extensions, place, signal);
    const isNamed = allowCredentials.length > 0;
    const prompt = this.#prompt('get', isNamed);
    const { answersOnlyIfInternal, unknownPasskey } = this.#knobs;
    if (isNamed && answersOnlyIfInternal && !allowCredentials.some(mayBeInternal))
      return this.#refuse('waits', signal);
    const found = isNamed && this.findsOnlyUnnamed ? undefined : this.#find(rpId, allowCredentials);
    if (!found) return this.#refuse(unknownPasskey, signal);
    if (!this.isPresent) return this.#refuse('waits', signal);
    if (!this.agrees) return cancelled(this.#knobs.cancel);

    const isVerified = this.#isVerified(userVerification, isNamed);
    const { id, response } = getAssertion(this.#ceremony(publicKey, rpId, place, isVerified), found.passkey);
    prompt.answer = 'given';
    return this.#credential(id, this.#assertedPrf(extensions, found, isVerified), {
      clientDataJSON: bytesOf(response.clientDataJSON),
      authenticatorData: bytesOf(response.authenticatorData),
      signature: bytesOf(response.signature),
      userHandle: found.userHandle.slice().buffer,
    });
  }

  /** What the browser refuses before it asks the user. */
  #begin(
    asked: string | undefined,
    extensions: Extensions,
    { origin, isFramed = false }: Place,
    signal?: AbortSignal,
  ): string {
    if (this.#knobs.heedsSignal) signal?.throwIfAborted();
    if (isFramed && this.#knobs.refusesFrames)
      throw new DOMException("Invalid 'sameOriginWithAncestors' value", 'NotAllowedError');
    if (extensions?.prf !== undefined && this.#knobs.askedForPrf === 'UnknownError')
      throw new DOMException('The operation failed for an unknown transient reason', 'UnknownError');
    return checkedRpId(asked, origin);
  }

  #prompt(kind: Prompt['kind'], isNamed: boolean): Prompt {
    const prompt: Prompt = { kind, isNamed, answer: 'refused' };
    this.prompts.push(prompt);
    return prompt;
  }

  #find(rpId: string, allowed: readonly PublicKeyCredentialDescriptor[]): StoredPasskey | undefined {
    const { reachedBy, lateVisibleMs } = this.#knobs;
    const isReached = ({ transports = [] }: PublicKeyCredentialDescriptor): boolean =>
      transports.length === 0 || reachedBy === 'any' || transports.some((name) => reachedBy.includes(name));
    const ids = allowed.filter(isReached).map(({ id }) => textOf(id));
    return this.#passkeys.findLast(
      (one) =>
        one.rpId === rpId &&
        one.madeAt + lateVisibleMs <= Date.now() &&
        (allowed.length === 0 || ids.includes(one.id)),
    );
  }

  #isVerified(wanted: UserVerificationRequirement | undefined, isNamed: boolean): boolean {
    const { uv } = this.#knobs;
    return uv === 'always' || (uv === 'required' && wanted === 'required') || (uv === 'unnamed' && !isNamed);
  }

  #ceremony(
    { challenge }: { readonly challenge: BufferSource },
    rpId: string,
    { origin, isFramed = false }: Place,
    isVerified: boolean,
  ) {
    const { userPresent, userVerified, backupEligible, backedUp } = FLAGS;
    const flags =
      userPresent |
      (isVerified ? userVerified : 0) |
      (this.backup === 'device-bound' ? 0 : backupEligible) |
      (this.backup === 'synced' ? backedUp : 0);
    return { challenge: textOf(challenge), rpId, origin, crossOrigin: isFramed, flags };
  }

  #createdPrf(extensions: Extensions, made: StoredPasskey, isVerified: boolean): object | undefined {
    const { createPrf } = this.#knobs;
    if (!extensions?.prf || createPrf === 'absent') return undefined;
    if (createPrf === 'empty') return {};
    if (createPrf === 'disabled') return { enabled: false };
    const results = createPrf === 'enabled' ? undefined : this.#results(extensions, made.secret, isVerified);
    if (createPrf === 'half') delete results?.second;
    return { enabled: true, ...(results && { results }) };
  }

  #assertedPrf(extensions: Extensions, found: StoredPasskey, isVerified: boolean): object | undefined {
    const { getPrf } = this.#knobs;
    if (!extensions?.prf || getPrf === 'none') return undefined;
    const secrets = {
      same: () => found.secret,
      'half once': () => found.secret,
      differs: () => prfOutput(found.secret, Buffer.from('get')),
      random: () => randomBytes(32),
    };
    const results = this.#results(extensions, secrets[getPrf](), isVerified);
    if (getPrf === 'half once' && !this.#halved.has(found.id)) {
      this.#halved.add(found.id);
      delete results?.second;
    }
    return results && { results };
  }

  #results(extensions: Extensions, secret: Buffer, isVerified: boolean) {
    const inputs = extensions?.prf?.eval;
    if (!inputs) return undefined;
    // CTAP 2.2, section 12.7: a credential has one secret for users who were verified, and another for the others.
    const path = `${isVerified ? 'verified' : 'unverified'}${this.isRemote && this.#knobs.hybridOffset ? ', hybrid' : ''}`;
    const own = prfOutput(secret, Buffer.from(path));
    const { first, second } = inputs;
    const results: { first: unknown; second?: unknown } = { first: this.#output(own, first) };
    if (second) results.second = this.#output(own, second);
    return results;
  }

  #output(secret: Buffer, input: BufferSource): unknown {
    const output = Uint8Array.from(prfOutput(secret, ownBytes(input)));
    switch (this.#knobs.prfForm) {
      case 'ArrayBuffer':
        return output.buffer;
      case 'view':
        return output;
      case 'number[]':
        return [...output];
      case 'base64url':
        return base64urlnopad.encode(output);
    }
  }

  #credential(id: string, prf: object | undefined, response: Parts): object {
    const authenticatorAttachment = this.isRemote ? 'cross-platform' : this.#knobs.attachment;
    const parts = {
      type: 'public-key',
      id,
      rawId: bytesOf(id),
      response,
      ...(authenticatorAttachment && { authenticatorAttachment }),
    };
    const { object } = this.#knobs;
    const extensions = {
      getClientExtensionResults: () =>
        object === 'no extension results' ? undefined : { ...(prf && { prf }) },
    };
    const toJSON = (): object => {
      this.isPageKilled ||= object === 'crashing toJSON';
      if (object !== 'native') throw new TypeError('Illegal invocation');
      return { ...parts, clientExtensionResults: extensions.getClientExtensionResults() };
    };
    // A shim's object has no prototype; a browser's has its methods there.
    if (object === 'plain') return Object.assign(Object.create(null), parts, extensions);
    return Object.assign(Object.create({ ...extensions, toJSON }), parts);
  }

  #refuse(how: 'InvalidStateError' | 'NotAllowedError' | 'waits', signal?: AbortSignal): Promise<never> {
    if (how === 'InvalidStateError')
      throw new DOMException('A passkey of this account is here already.', how);
    if (how === 'NotAllowedError') return cancelled('chrome');
    return new Promise((_, reject) => {
      if (this.#knobs.heedsSignal) signal?.addEventListener('abort', () => reject(signal.reason));
    });
  }
}

/** A descriptor without transports may be of any. */
const mayBeInternal = ({ transports = [] }: PublicKeyCredentialDescriptor): boolean =>
  transports.length === 0 || transports.includes('internal');

/** How the ceremony ends at the user's no. */
async function cancelled(cancel: Cancel): Promise<never> {
  const texts = {
    chrome: 'The operation either timed out or was not allowed.',
    safari:
      'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.',
  };
  switch (cancel) {
    case 'chrome':
    case 'safari':
      throw new DOMException(texts[cancel], 'NotAllowedError');
    case 'firefox':
      throw new DOMException('The operation was aborted.', 'AbortError');
    case 'plain error':
      throw new Error('Promise timed out after 60000ms');
    case 'undefined':
      return Promise.reject(undefined);
    case 'null':
      return null as never;
  }
}

function checkedRpId(rpId: string | undefined, origin: string): string {
  const { hostname } = new URL(origin);
  if (rpId === undefined || hostname === rpId || hostname.endsWith(`.${rpId}`)) return rpId ?? hostname;
  throw new DOMException(`${rpId} is no relying party of ${origin}.`, 'SecurityError');
}

function ownBytes(source: BufferSource): Bytes {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  return Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
}

const textOf = (source: BufferSource): string => base64urlnopad.encode(ownBytes(source));
const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(base64urlnopad.decode(text)).buffer;
