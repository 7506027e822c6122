/**
 * Software passkeys with PRF that a page shares with its frames and windows, for browsers whose own authenticator
 * cannot be used there. Skips the browser's checks: user activation, permission policy. Its page script,
 * software-passkeys.page.js, needs `__softwarePasskeys(kind, asked)` to bring the question here.
 */
import { randomBytes } from 'node:crypto';
import { createCredential, getAssertion, makePasskey, type Passkey, prfOutput } from './passkey.js';

/** A ceremony at the authenticator, and the document that requested it. */
export interface Ceremony extends Place {
  readonly kind: 'create' | 'get';
}

interface Place {
  readonly origin: string;
  /** Whether the document is in a frame. */
  readonly isFramed: boolean;
  /** Whether a press of the user was still in effect (`navigator.userActivation`), where the page's script says so. */
  readonly isActivated?: boolean;
}

/** The options that the page's script sends, bytes as base64url. */
export interface Asked {
  readonly challenge: string;
  readonly rpId?: string;
  readonly userId?: string;
  readonly userName?: string;
  readonly allow?: readonly string[];
  readonly salts?: Salts;
}

interface Salts {
  readonly first: string;
  readonly second?: string;
}

/** A passkey that a page may list: its ids are base64url, no padding. */
export interface StoredPasskey {
  readonly id: string;
  readonly rpId: string;
  readonly userId: string;
  /** The name that the page gave it, which the wallet takes from the account. */
  readonly userName: string;
}

interface Stored extends StoredPasskey {
  readonly passkey: Passkey;
  /** The key of its PRF. */
  readonly seed: Buffer;
}

export class SoftwarePasskeys {
  /** Whether the user agrees to the prompts. */
  agrees = true;
  /** Every ceremony that was requested, refused ones too. */
  readonly ceremonies: Ceremony[] = [];
  #stored: Stored[] = [];
  #refusals = 0;

  /** The passkeys, in the order in which they were made. */
  list(): StoredPasskey[] {
    return this.#stored.map(({ id, rpId, userId, userName }) => ({ id, rpId, userId, userName }));
  }

  /** Removes a passkey by its id, as a user does in the settings of the device. */
  remove(id: string): void {
    this.#stored = this.#stored.filter((one) => one.id !== id);
  }

  /** Refuses one more prompt, the next one, as a user who presses Cancel there. */
  refuseNext(): void {
    this.#refusals += 1;
  }

  /** Runs a ceremony for a document. The answer is JSON; `error` in it names a DOMException. */
  answer(kind: Ceremony['kind'], place: Place, asked: Asked): object {
    this.ceremonies.push({ kind, ...place });
    if (!this.#takesConsent()) return { error: 'NotAllowedError' };
    const rpId = asked.rpId ?? new URL(place.origin).hostname;
    const ceremony = {
      challenge: asked.challenge,
      rpId,
      origin: place.origin,
      crossOrigin: place.isFramed,
    };
    if (kind === 'create') {
      const passkey = makePasskey();
      const { id, response } = createCredential(ceremony, passkey);
      const made = {
        id,
        rpId,
        userId: asked.userId ?? '',
        userName: asked.userName ?? '',
        passkey,
        seed: randomBytes(32),
      };
      this.#stored.push(made);
      return { id, ...response, outputs: outputs(made, asked.salts) };
    }
    const found = this.#stored.find(
      (one) => one.rpId === rpId && (!asked.allow?.length || asked.allow.includes(one.id)),
    );
    if (!found) return { error: 'NotAllowedError' };
    const { id, response } = getAssertion(ceremony, found.passkey);
    return { id, ...response, userHandle: found.userId, outputs: outputs(found, asked.salts) };
  }

  #takesConsent(): boolean {
    if (this.#refusals === 0) return this.agrees;
    this.#refusals -= 1;
    return false;
  }
}

function outputs({ seed }: Stored, salts: Salts | undefined): object | undefined {
  const output = (salt: string): string =>
    prfOutput(seed, Buffer.from(salt, 'base64url')).toString('base64url');
  return salts && { first: output(salts.first), ...(salts.second && { second: output(salts.second) }) };
}
