// Software passkeys that a page shares with the windows it opens: Chromium's own virtual authenticator belongs to
// one page, and its PRF outputs stay there. Skips the browser's checks: user activation, permission policy.
import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Frame } from '@playwright/test';

/** A ceremony at an authenticator, and the document that requested it. */
export interface Ceremony {
  readonly kind: 'create' | 'get';
  readonly origin: string;
  readonly isFramed: boolean;
}

/** The options that the page's script sends, bytes as base64url. */
interface Asked {
  challenge: string;
  rpId?: string;
  userId?: string;
  allow?: string[];
  salts?: Salts;
}
interface Salts {
  first: string;
  second?: string;
}
interface Passkey {
  id: string;
  rpId: string;
  userId: string;
  key: KeyObject;
  /** The key of its PRF. */
  seed: Buffer;
}

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const decode = (text: string): Buffer => Buffer.from(text, 'base64url');
const encode = (bytes: Buffer): string => bytes.toString('base64url');

// CBOR (RFC 8949): the head of an item, a number that is not negative, one that is, bytes, a text.
const head = (major: number, n: number): Buffer =>
  Buffer.from(
    n < 24 ? [(major << 5) | n] : n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n],
  );
const number = (n: number): Buffer => (n < 0 ? head(1, -1 - n) : head(0, n));
const bytes = (of: Buffer): Buffer => Buffer.concat([head(2, of.length), of]);
const text = (of: string): Buffer => Buffer.concat([head(3, of.length), Buffer.from(of)]);

/** User present and verified; backed up, so synced; with the credential's data. */
const FLAGS = { get: 0x1d, create: 0x5d } as const;

/** Replaces the browser's passkeys in every document of the context. Returns the ceremonies that they received. */
export async function useSoftwarePasskeys(context: BrowserContext): Promise<Ceremony[]> {
  const ceremonies: Ceremony[] = [];
  const passkeys: Passkey[] = [];

  const collected = (kind: Ceremony['kind'], frame: Frame, { challenge }: Asked) => {
    const { origin } = new URL(frame.url());
    const isFramed = frame.parentFrame() !== null;
    ceremonies.push({ kind, origin, isFramed });
    const clientData = { type: `webauthn.${kind}`, challenge, origin, crossOrigin: isFramed };
    return Buffer.from(JSON.stringify(clientData));
  };
  const authenticatorData = (kind: Ceremony['kind'], rpId: string, credential = Buffer.alloc(0)): Buffer =>
    Buffer.concat([sha256(rpId), Buffer.from([FLAGS[kind]]), Buffer.alloc(4), credential]);
  const outputs = ({ seed }: Passkey, salts: Salts | undefined) => {
    const output = (salt: string): string =>
      encode(
        createHmac('sha256', seed)
          .update(sha256('WebAuthn PRF\0', decode(salt)))
          .digest(),
      );
    return salts && { first: output(salts.first), ...(salts.second && { second: output(salts.second) }) };
  };

  const create = (frame: Frame, asked: Asked) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const id = randomBytes(32);
    const rpId = asked.rpId ?? new URL(frame.url()).hostname;
    const made = { id: encode(id), rpId, userId: asked.userId ?? '', key: privateKey, seed: randomBytes(32) };
    passkeys.push(made);
    // A COSE key (RFC 9053, section 7.1): EC2, ES256, P-256.
    const fields = [number(1), number(2), number(3), number(-7), number(-1), number(1)];
    const cose = [head(5, 5), ...fields, number(-2), bytes(decode(x)), number(-3), bytes(decode(y))];
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, ...cose]);
    const attestation = [text('fmt'), text('none'), text('attStmt'), head(5, 0), text('authData')];
    return {
      id: made.id,
      clientDataJSON: encode(collected('create', frame, asked)),
      attestationObject: encode(
        Buffer.concat([head(5, 3), ...attestation, bytes(authenticatorData('create', rpId, credential))]),
      ),
      outputs: outputs(made, asked.salts),
    };
  };

  const get = (frame: Frame, asked: Asked) => {
    const clientData = collected('get', frame, asked);
    const rpId = asked.rpId ?? new URL(frame.url()).hostname;
    const found = passkeys.find(
      (passkey) => passkey.rpId === rpId && (!asked.allow?.length || asked.allow.includes(passkey.id)),
    );
    if (!found) return { error: 'NotAllowedError' };
    const data = authenticatorData('get', rpId);
    return {
      id: found.id,
      clientDataJSON: encode(clientData),
      authenticatorData: encode(data),
      signature: encode(sign('sha256', Buffer.concat([data, sha256(clientData)]), found.key)),
      userHandle: found.userId,
      outputs: outputs(found, asked.salts),
    };
  };

  await context.exposeBinding('__softwarePasskeys', ({ frame }, kind: Ceremony['kind'], asked: Asked) =>
    kind === 'create' ? create(frame, asked) : get(frame, asked),
  );
  await context.addInitScript({
    path: fileURLToPath(new URL('software-passkeys.page.js', import.meta.url)),
  });
  return ceremonies;
}
