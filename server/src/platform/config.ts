/** The configuration of a relay on Node, read from environment variables (interop.md section 7). */
import { messageOf } from 'latchkey/internal/server';
import { readLockKey } from '../lock/lock.js';
import { readLockGroup } from '../lock/lock-group.js';
import type { LockGroup } from '../lock/lock-number.js';
import { type LockKey, MIN_GRACE_DAYS } from '../lock/server-lock.js';
import { count, type Environment, EnvironmentReader, pattern, redisUrl } from './environment.js';
import { type RelaySettings, readRelaySettings } from './relay-settings.js';
import type { Secret } from './secret.js';

/** The source of the lock's current key. */
export type LockSource =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'given'; readonly group: LockGroup; readonly key: LockKey }
  /** Read from this file, or created and stored there at the first start. */
  | ({ readonly kind: 'file' } & LockFile);

export interface LockFile {
  readonly group: LockGroup;
  readonly path: string;
  /** Age at which the key is replaced. Null: only by command. */
  readonly rotationDays: number | null;
  /** How long a former key still opens. */
  readonly graceDays: number;
}
export interface RelayConfig extends RelaySettings {
  readonly lock: LockSource;
  /** A file with former lock keys, which still open. */
  readonly graceKeysFile: string | null;
  /** The file of the relay's record. Null: in memory, from zero at each start, or in Redis. */
  readonly stateFile: string | null;
  /** The Redis that several relays share. Null: this relay shares nothing. */
  readonly redisUrl: Secret | null;
  readonly host: string;
  readonly port: number;
  /** How long a stopping relay waits for its sent transactions. */
  readonly stopTimeoutSeconds: number;
}

const MAX_DAYS = 3650;

/** Reads and checks the environment. Throws one error that names every bad variable and repeats no secret. */
export function readRelayConfig(env: Environment): RelayConfig {
  const reader = new EnvironmentReader(env);
  const config = {
    ...readRelaySettings(reader),
    lock: readLockSource(reader),
    graceKeysFile: env.SHAMIR_GRACE_KEYS_FILE?.trim() || null,
    stateFile: env.RELAY_STATE_FILE?.trim() || null,
    redisUrl: env.REDIS_URL?.trim() ? reader.read('REDIS_URL', redisUrl) : null,
    host: reader.read('HOST', pattern(/^[\w.:-]+$/, 'must be a host name or address')),
    port: reader.read('PORT', count(0, 65_535, 'port')),
    stopTimeoutSeconds: reader.read('STOP_TIMEOUT_SECONDS', count(1, 3600, 'seconds')),
  };
  if (config.signup?.kind === 'voucher' && !config.stateFile && !config.redisUrl) {
    reader.report(
      'RELAY_STATE_FILE',
      'is missing: without it or REDIS_URL, a voucher could be used again after a restart',
    );
  }
  if (config.stateFile && config.redisUrl) {
    reader.report('RELAY_STATE_FILE', 'must not be set together with REDIS_URL, which keeps the record');
  }
  reader.throwIfBad();
  // Each field is set: `throwIfBad` has thrown for any undefined one.
  return config as RelayConfig;
}

/** The part of the environment that names the lock's key file. Throws like {@link readRelayConfig}. */
export function readLockFileConfig(env: Environment): LockFile {
  const reader = new EnvironmentReader(env);
  const { SHAMIR_KEY_FILE: path, SHAMIR_E_S_B64U: e, SHAMIR_D_S_B64U: d } = env;
  const file = readLockFile(reader);
  if (!path) {
    const given = e || d ? ': a key that the environment gives cannot be changed from here' : '';
    reader.report('SHAMIR_KEY_FILE', `is missing${given}`);
  }
  reader.throwIfBad();
  return file as LockFile;
}

function readLockFile(reader: EnvironmentReader): LockFile | undefined {
  const group = reader.read('SHAMIR_P_B64U', readLockGroup);
  const { SHAMIR_KEY_FILE: path = '', LOCK_ROTATION_DAYS: rotation } = reader.env;
  const rotationDays = rotation?.trim()
    ? reader.read('LOCK_ROTATION_DAYS', count(1, MAX_DAYS, 'days'))
    : null;
  const graceDays = reader.read('LOCK_GRACE_DAYS', count(MIN_GRACE_DAYS, MAX_DAYS, 'days'));
  if (!group || rotationDays === undefined || graceDays === undefined) return undefined;
  return { group, path, rotationDays, graceDays };
}

function readLockSource(reader: EnvironmentReader): LockSource | undefined {
  const { SHAMIR_E_S_B64U: e, SHAMIR_D_S_B64U: d, SHAMIR_KEY_FILE: path } = reader.env;
  if (!e && !d && !path) return { kind: 'disabled' };
  const file = readLockFile(reader);
  if (!e && !d && path) return file && { kind: 'file', ...file };
  if (reader.env.LOCK_ROTATION_DAYS?.trim()) {
    reader.report(
      'LOCK_ROTATION_DAYS',
      'needs SHAMIR_KEY_FILE in place of SHAMIR_E_S_B64U and SHAMIR_D_S_B64U',
    );
  }
  if (path)
    reader.report('SHAMIR_KEY_FILE', 'must not be set together with SHAMIR_E_S_B64U and SHAMIR_D_S_B64U');
  if (!e) reader.report('SHAMIR_E_S_B64U', 'is missing, but SHAMIR_D_S_B64U is set');
  if (!d) reader.report('SHAMIR_D_S_B64U', 'is missing, but SHAMIR_E_S_B64U is set');
  if (!file || !e || !d) return undefined;
  const { group } = file;
  try {
    return { kind: 'given', group, key: readLockKey(group, { e_s_b64u: e, d_s_b64u: d }) };
  } catch (error) {
    reader.report('SHAMIR_E_S_B64U, SHAMIR_D_S_B64U', messageOf(error));
    return undefined;
  }
}
