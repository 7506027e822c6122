/** In what authenticators and their browsers differ, as far as a wallet can see it. */
import type { Algorithm } from './passkey.js';

/** The outputs that a create() returns: both, one, or none with one of four words for none. */
export type CreatePrf = 'results' | 'half' | 'enabled' | 'disabled' | 'empty' | 'absent';

/**
 * The outputs that a get() returns: as at create, the same but one alone at the first get(), others than at create, others
 * each time, or none.
 */
export type GetPrf = 'same' | 'half once' | 'differs' | 'random' | 'none';

export type Transport = 'internal' | 'hybrid' | 'usb' | 'nfc' | 'ble' | 'smart-card' | 'cable' | '';

/** Whether passkeys may be backed up, and are: both, the first alone, or neither. */
export type Backup = 'synced' | 'not-backed-up' | 'device-bound';

/** How a promise ends when the user says no: rejected with an error, or resolved with null. */
export type Cancel = 'chrome' | 'safari' | 'firefox' | 'null' | 'undefined' | 'plain error';

export interface Knobs {
  /** Where false, the page has no `navigator.credentials`. */
  readonly api: boolean;
  /** By what new passkeys sign. */
  readonly algorithm: Algorithm;
  readonly createPrf: CreatePrf;
  readonly getPrf: GetPrf;
  /** A list of numbers is `number[]`, as JSON carries it. */
  readonly prfForm: 'ArrayBuffer' | 'view' | 'number[]' | 'base64url';
  /** What a request for PRF meets before any prompt. */
  readonly askedForPrf: 'tolerated' | 'UnknownError';
  /** The UV flag of an answer: always set, set where it is required, set where no passkey is named, or never. */
  readonly uv: 'always' | 'required' | 'unnamed' | 'never';
  /** The outputs that cross by hybrid are others than those on the device. */
  readonly hybridOffset: boolean;
  /** What `getTransports()` gives. */
  readonly transports: readonly Transport[];
  /** By which of them the browser reaches it. A list of passkeys that names only others does not find it. */
  readonly reachedBy: readonly Transport[] | 'any';
  /** A list of passkeys whose transports leave out `internal` gets no answer. */
  readonly answersOnlyIfInternal: boolean;
  readonly attachment: 'platform' | 'cross-platform' | undefined;
  /** 8-4-4-4-12; '' is zeros. */
  readonly aaguid: string;
  readonly backup: Backup;
  /** The credential: as a browser makes it, or as an extension or a shim does. */
  readonly object: 'native' | 'plain' | 'throwing toJSON' | 'crashing toJSON' | 'no extension results';
  /** Whether `navigator.credentials` has the browser's own functions, or an extension's. */
  readonly functions: 'native' | 'patched';
  /** What an excluded passkey, held here, does to a create(). */
  readonly excluded: 'InvalidStateError' | 'NotAllowedError' | 'waits' | 'overwrites';
  /** What a get() meets where no passkey fits. */
  readonly unknownPasskey: 'NotAllowedError' | 'waits';
  readonly cancel: Cancel;
  /** Whether an AbortSignal ends a prompt. */
  readonly heedsSignal: boolean;
  /** Refuses a document in a frame of another origin. */
  readonly refusesFrames: boolean;
  /** A new passkey is found this long after its create(), in milliseconds. */
  readonly lateVisibleMs: number;
}

/** Nothing special: what the specification leads one to expect of a platform authenticator with PRF. */
export const PLAIN: Knobs = {
  api: true,
  algorithm: 'ES256',
  createPrf: 'results',
  getPrf: 'same',
  prfForm: 'ArrayBuffer',
  askedForPrf: 'tolerated',
  uv: 'always',
  hybridOffset: false,
  transports: ['internal', 'hybrid'],
  reachedBy: 'any',
  answersOnlyIfInternal: false,
  attachment: 'platform',
  aaguid: '',
  backup: 'synced',
  object: 'native',
  functions: 'native',
  excluded: 'InvalidStateError',
  unknownPasskey: 'NotAllowedError',
  cancel: 'chrome',
  heedsSignal: true,
  refusesFrames: false,
  lateVisibleMs: 0,
};
