/** A software authenticator behind `navigator.credentials`: ES256 passkeys that are discoverable and have PRF. */
import { randomBytes } from 'node:crypto';
import { base64urlnopad } from '@scure/base';
import {
  createCredential,
  getAssertion,
  makePasskey,
  type Passkey,
  prfOutput,
} from '../../../ts/src/server/testing/authenticator.js';

interface StoredPasskey {
  /** base64url. */
  readonly id: string;
  readonly passkey: Passkey;
  readonly rpId: string;
  readonly userHandle: Uint8Array<ArrayBuffer>;
  /** 32 bytes, the source of the PRF outputs. */
  readonly secret: Buffer;
}

interface CreateOptions {
  readonly publicKey: PublicKeyCredentialCreationOptions;
  readonly signal?: AbortSignal;
}

interface GetOptions {
  readonly publicKey: PublicKeyCredentialRequestOptions;
  readonly signal?: AbortSignal;
}

type Extensions = AuthenticationExtensionsClientInputs | undefined;
type Responses = Readonly<Record<string, unknown>>;

/** The result of a ceremony for the page. */
export class SoftwareCredential {
  readonly type = 'public-key';
  readonly authenticatorAttachment = 'platform';
  readonly rawId: ArrayBuffer;

  constructor(
    readonly id: string,
    readonly response: Responses,
    private readonly prf: object | undefined,
  ) {
    this.rawId = bytesOf(id);
  }

  static async isUserVerifyingPlatformAuthenticatorAvailable(): Promise<boolean> {
    return true;
  }

  getClientExtensionResults(): object {
    return { ...(this.prf && { prf: this.prf }) };
  }
}

export class SoftwareAuthenticator {
  #passkeys: StoredPasskey[] = [];

  /** `navigator.credentials` of a page. The user agrees to every prompt. */
  forPage(origin: string) {
    return {
      create: async (options: CreateOptions) => this.#create(options, origin),
      get: async (options: GetOptions) => this.#get(options, origin),
    };
  }

  #create({ publicKey, signal }: CreateOptions, origin: string): SoftwareCredential {
    signal?.throwIfAborted();
    const rpId = checkedRpId(publicKey.rp.id, origin);
    const excluded = (publicKey.excludeCredentials ?? []).map(({ id }) => textOf(id));
    if (this.#passkeys.some(({ id }) => excluded.includes(id)))
      throw new DOMException('A passkey of this account is here already.', 'InvalidStateError');
    const userHandle = ownBytes(publicKey.user.id);
    const ceremony = { challenge: textOf(publicKey.challenge), rpId, origin };
    const passkey = makePasskey();
    const { id, response } = createCredential(ceremony, passkey);
    const made: StoredPasskey = { id, passkey, rpId, userHandle, secret: randomBytes(32) };
    // A new passkey replaces the one with the same handle.
    const isOther = (old: StoredPasskey): boolean =>
      old.rpId !== rpId || textOf(old.userHandle) !== textOf(userHandle);
    this.#passkeys = [...this.#passkeys.filter(isOther), made];
    const { clientDataJSON, attestationObject, transports } = response;
    return new SoftwareCredential(
      id,
      {
        clientDataJSON: bytesOf(clientDataJSON),
        attestationObject: bytesOf(attestationObject),
        getTransports: () => transports,
      },
      prf(publicKey.extensions, made, { enabled: true }),
    );
  }

  #get({ publicKey, signal }: GetOptions, origin: string): SoftwareCredential {
    signal?.throwIfAborted();
    const rpId = checkedRpId(publicKey.rpId, origin);
    const allowed = (publicKey.allowCredentials ?? []).map(({ id }) => textOf(id));
    const found = this.#passkeys.findLast(
      (one) => one.rpId === rpId && (allowed.length === 0 || allowed.includes(one.id)),
    );
    if (!found) throw new DOMException('No passkey fits.', 'NotAllowedError');
    const ceremony = { challenge: textOf(publicKey.challenge), rpId, origin };
    const { id, response } = getAssertion(ceremony, found.passkey);
    return new SoftwareCredential(
      id,
      {
        clientDataJSON: bytesOf(response.clientDataJSON),
        authenticatorData: bytesOf(response.authenticatorData),
        signature: bytesOf(response.signature),
        userHandle: found.userHandle.slice().buffer,
      },
      prf(publicKey.extensions, found),
    );
  }
}

function checkedRpId(rpId: string | undefined, origin: string): string {
  const { hostname } = new URL(origin);
  if (rpId === undefined || hostname === rpId || hostname.endsWith(`.${rpId}`)) return rpId ?? hostname;
  throw new DOMException(`${rpId} is no relying party of ${origin}.`, 'SecurityError');
}

function prf(extensions: Extensions, { secret }: StoredPasskey, more: object = {}): object | undefined {
  const inputs = extensions?.prf?.eval;
  if (!inputs) return undefined;
  const output = (input: BufferSource): ArrayBuffer =>
    Uint8Array.from(prfOutput(secret, ownBytes(input))).buffer;
  const { first, second } = inputs;
  return { ...more, results: { first: output(first), ...(second && { second: output(second) }) } };
}

function ownBytes(source: BufferSource): Uint8Array<ArrayBuffer> {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  return Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
}

const textOf = (source: BufferSource): string => base64urlnopad.encode(ownBytes(source));
const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(base64urlnopad.decode(text)).buffer;
