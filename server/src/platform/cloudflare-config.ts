/** The relay's configuration on Workers: the variables of Node's relay, from bindings, without files. */

import { messageOf } from 'latchkey/internal/server';
import * as v from 'valibot';
import type { LockGroup } from '../lock/lock-number.js';
import { readKnownGroup } from '../lock/lock-wasm.js';
import { type LockKeyText, readExponents } from '../lock/server-lock.js';
import { EnvironmentReader } from './environment.js';
import { type RelaySettings, readRelaySettings } from './relay-settings.js';

/** Variables that a Worker does not support, with their replacements. */
const NOT_HERE: Readonly<Record<string, string>> = {
  SHAMIR_KEY_FILE: 'a Worker has no files: set SHAMIR_E_S_B64U and SHAMIR_D_S_B64U',
  SHAMIR_GRACE_KEYS_FILE: 'a Worker has no files: set SHAMIR_GRACE_KEYS to the JSON array itself',
  LOCK_ROTATION_DAYS: 'a Worker cannot change its key: see its documentation for how to rotate it',
  RELAY_STATE_FILE: 'a Worker has no files: the Durable Object keeps the record',
  REDIS_URL: 'the Durable Object keeps what the instances of a Worker share',
};

const GraceKeysSchema = v.array(v.object({ e_s_b64u: v.string(), d_s_b64u: v.string() }));

export interface GivenLock {
  readonly group: LockGroup;
  /** The checked keys, the current one first. A function, so that printing the configuration shows none. */
  readonly keys: () => readonly [LockKeyText, ...LockKeyText[]];
}

export interface WorkerConfig extends RelaySettings {
  readonly lock: GivenLock | null;
}

/**
 * Reads a Worker's variables and secrets; ignores other bindings. Throws one error that names every bad variable and
 * repeats no secret.
 */
export function readWorkerConfig(bindings: Readonly<Record<string, unknown>>): WorkerConfig {
  const texts = Object.entries(bindings).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const reader = new EnvironmentReader(Object.fromEntries(texts));
  const config = { ...readRelaySettings(reader), lock: readGivenLock(reader) };
  for (const [name, instead] of Object.entries(NOT_HERE)) {
    if (reader.env[name]?.trim()) reader.report(name, instead);
  }
  if (!bindings.RELAY) reader.report('RELAY', 'is missing: bind the Durable Object class Relay to this name');
  reader.throwIfBad();
  // Each field is set: `throwIfBad` has thrown for any undefined one.
  return config as WorkerConfig;
}

function readGivenLock(reader: EnvironmentReader): GivenLock | null | undefined {
  const { SHAMIR_E_S_B64U: e, SHAMIR_D_S_B64U: d, SHAMIR_GRACE_KEYS: grace } = reader.env;
  if (!e && !d && !grace) return null;
  const group = reader.read('SHAMIR_P_B64U', readKnownGroup);
  if (!group) return undefined;
  const e_s_b64u = reader.read('SHAMIR_E_S_B64U', String);
  const d_s_b64u = reader.read('SHAMIR_D_S_B64U', String);
  if (e_s_b64u === undefined || d_s_b64u === undefined) return undefined;
  const current = { e_s_b64u, d_s_b64u };
  try {
    readExponents(group, current);
  } catch (error) {
    reader.report('SHAMIR_E_S_B64U, SHAMIR_D_S_B64U', messageOf(error));
  }
  const former = grace ? reader.read('SHAMIR_GRACE_KEYS', (text) => readGraceKeys(group, text)) : [];
  return former && { group, keys: () => [current, ...former] };
}

function readGraceKeys(group: LockGroup, text: string): LockKeyText[] {
  let keys: LockKeyText[];
  try {
    keys = v.parse(GraceKeysSchema, JSON.parse(text));
  } catch {
    // A parser's error may quote the text.
    throw new Error('must be a JSON array of {"e_s_b64u", "d_s_b64u"}');
  }
  for (const key of keys) readExponents(group, key);
  return keys;
}
