/**
 * A ceremony as the report has it: how long it took, in what form its credential came, or which error. Nothing of it is secret:
 * no output, id, challenge or user handle.
 */
import { base64nopad, base64urlnopad } from '@scure/base';
import { bytesOf } from '../bytes.js';
import type { ErrorValues, LatchkeyErrorCode } from '../errors/latchkey-error.js';
import { answered, type Credentials } from '../webauthn/credentials.js';
import type { Flags } from '../webauthn/flags.js';
import { part, result, said } from '../webauthn/forms.js';
import { readAsserted, readCreated } from '../webauthn/read-credential.js';
import { hintsFor } from '../webauthn/transports.js';

/** The steps, in their order: a new passkey, asked twice by its id, and once without. */
export const STEPS = ['create', 'get', 'get again', 'get unnamed'] as const;
export type Step = (typeof STEPS)[number];

/** Outputs against those of an earlier step. `none`: one of the two gave none. */
export type Compared = 'same' | 'different' | 'none';

export interface Ceremony {
  readonly step: Step;
  readonly ms: number;
  /** Absent where the credential never came. */
  readonly form?: Form;
  /** What the wallet read in the credential; absent where it refused it, or none came. */
  readonly read?: Read;
  readonly failure?: Failure;
}

/** The credential's form, as it came. */
export interface Form {
  /** `native`, or what an extension or a shim made instead. */
  readonly object: string;
  /** Its toJSON, which is never called: with PRF outputs it ends the page in Safari before 26.5.1. */
  readonly toJSON: 'the browser’s own' | 'its own' | 'inherited, throws' | 'none';
  readonly attachment: string;
  readonly prf: PrfForm;
  /** The class of the first output, such as ArrayBuffer. */
  readonly outputs?: string;
  /** As given, at create. */
  readonly transports?: string;
}

/** What the extension results have under `prf`. */
export type PrfForm = 'results' | 'half' | 'enabled only' | 'enabled: false' | 'empty' | 'none';

export interface Read {
  readonly flags: Flags | undefined;
  /** Both outputs, as the wallet takes them: each of 32 bytes, not all zero, and not equal. */
  readonly hasOutputs: boolean;
  /** Why it takes none, where there are none that it takes. */
  readonly reason?: string;
  /** At create. */
  readonly aaguid?: string;
  readonly isDiscoverable?: boolean;
  /** Whether it counts as one of this device and of a known provider, whose outputs need no proof. */
  readonly isOfPlatform?: boolean;
  /** At get: whether it is the passkey that was made. Outputs of another one are discarded. */
  readonly isOther?: boolean;
  readonly hasUserHandle?: boolean;
  readonly compared?: readonly Comparison[];
}

export interface Comparison {
  readonly with: Step;
  readonly first: Compared;
  readonly second: Compared;
}

export interface Failure {
  /** The browser's or the extension's own error, or how else it ended. Absent where only the wallet's timer ended it. */
  readonly thrown?: string;
  /** What the wallet makes of it. */
  readonly code: LatchkeyErrorCode;
  readonly message: string;
  readonly values?: ErrorValues;
}

/** The facts of a ceremony, written down while it runs. */
export interface Notes {
  form?: Form;
  thrown?: string;
}

/**
 * The ceremonies of this document. Writes down how each came, before its outputs are taken out. `hidden` gathers the values of
 * every request, which an error may repeat.
 */
export function observedCredentials(notes: Notes, hidden: Set<string>): Credentials {
  async function observed(ask: () => Promise<unknown>, values: readonly unknown[]): Promise<unknown> {
    for (const value of values) for (const text of textsOf(value)) hidden.add(text);
    // The browser may refuse and then be asked again, without a prompt so far.
    delete notes.thrown;
    let credential: unknown;
    try {
      credential = await ask();
    } catch (error) {
      const { name, message } = said(error);
      notes.thrown = shortened(`${name || `rejected with ${typeof error}`}: ${message}`, hidden);
      throw error;
    }
    if (credential === null || credential === undefined) notes.thrown = `resolved with ${credential}`;
    else notes.form = formOf(credential);
    return answered(credential);
  }
  return {
    async create(publicKey, signal) {
      const ask = () => navigator.credentials.create({ publicKey, signal });
      return readCreated(await observed(ask, [publicKey.challenge, publicKey.user.id]));
    },
    async get(publicKey, signal) {
      const ids = (publicKey.allowCredentials ?? []).map(({ id }) => id);
      const hinted = { ...publicKey, hints: hintsFor(publicKey.allowCredentials) };
      const ask = () => navigator.credentials.get({ publicKey: hinted, signal });
      return readAsserted(await observed(ask, [publicKey.challenge, ...ids]));
    },
  };
}

function formOf(credential: unknown): Form {
  const extensions =
    result(credential, 'getClientExtensionResults') ?? part(credential, 'clientExtensionResults');
  const prf = part(extensions, 'prf');
  const [first, second] = ['first', 'second'].map((name) => part(part(prf, 'results'), name));
  const transports = result(part(credential, 'response'), 'getTransports');
  const attachment = part(credential, 'authenticatorAttachment');
  return {
    ...objectOf(credential),
    attachment: attachment === undefined || attachment === null ? 'not said' : asGiven(attachment),
    prf: prfOf(prf, first, second),
    ...(first !== undefined && { outputs: Object.prototype.toString.call(first).slice(8, -1) }),
    ...(Array.isArray(transports) && { transports: `[${transports.map(asGiven).join(', ')}]` }),
  };
}

/** A getter of the browser reads its own objects alone, and throws for one that only has their prototype. */
function objectOf(credential: unknown): Pick<Form, 'object' | 'toJSON'> {
  const prototype = part(part(globalThis, 'PublicKeyCredential'), 'prototype');
  const own = part(credential, 'toJSON');
  const isInherited = own !== undefined && own === part(prototype, 'toJSON');
  const read = prototype ? Object.getOwnPropertyDescriptor(prototype, 'rawId')?.get : undefined;
  try {
    if (read?.call(credential))
      return { object: 'native', toJSON: isInherited ? 'the browser’s own' : own ? 'its own' : 'none' };
  } catch {
    // Made by a script.
  }
  const hasPrototype =
    typeof prototype === 'object' && prototype !== null && isPrototype(prototype, credential);
  return {
    object: hasPrototype ? 'an object with the prototype of PublicKeyCredential' : 'a plain object',
    toJSON: isInherited ? 'inherited, throws' : own ? 'its own' : 'none',
  };
}

const isPrototype = (prototype: object, value: unknown): boolean =>
  Object.prototype.isPrototypeOf.call(prototype, value as object);

function prfOf(prf: unknown, first: unknown, second: unknown): PrfForm {
  if (prf === undefined) return 'none';
  if (first !== undefined && second !== undefined) return 'results';
  if (first !== undefined || second !== undefined) return 'half';
  const enabled = part(prf, 'enabled');
  return enabled === true ? 'enabled only' : enabled === false ? 'enabled: false' : 'empty';
}

/** A word as it was given. What no standard has is not repeated: it could be anything. */
const asGiven = (word: unknown): string =>
  typeof word === 'string' && /^[\w -]{0,20}$/.test(word) ? JSON.stringify(word) : 'no word';

function textsOf(value: unknown): string[] {
  const bytes = bytesOf(value);
  if (!bytes?.length) return [];
  // Not by the codec's own coder for it, which the start of every page would then carry.
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [base64urlnopad.encode(bytes), base64nopad.encode(bytes), hex, new TextDecoder().decode(bytes)];
}

const LONGEST_TEXT = 500;

/** On one line, without the hidden texts. */
export function shortened(text: string, hidden: ReadonlySet<string>): string {
  const shown = [...hidden].reduce((rest, each) => rest.replaceAll(each, '…'), text);
  return shown.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
}
