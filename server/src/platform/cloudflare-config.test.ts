import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { readLockGroup } from '../lock/lock-group.js';
import { makeLockKeyText } from '../testing/lock-numbers.js';
import { readWorkerConfig } from './cloudflare-config.js';

const group = readLockGroup(RFC3526_GROUP_14_P);
const [current, former] = [makeLockKeyText(group.p), makeLockKeyText(group.p)];
const PRIVATE_KEY =
  'ed25519:3D4YudUahN1nawWogh8pAKSj92sUNMdbZGjn7kERKzYoTy8tnFQuwoGUC51DowKqorvkr2pytJSnwuSbsNVfqygr';
const GOOD = {
  RELAYER_ACCOUNT_ID: 'relayer.testnet',
  RELAYER_PRIVATE_KEY: PRIVATE_KEY,
  EXPECTED_ORIGIN: 'https://app.example',
  RELAY: { get: () => undefined },
};
const LOCK = { SHAMIR_E_S_B64U: current.e_s_b64u, SHAMIR_D_S_B64U: current.d_s_b64u };

function problemsOf(bindings: Readonly<Record<string, unknown>>): string {
  try {
    readWorkerConfig(bindings);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

describe('the bindings of a Worker', () => {
  it('are the variables of the relay on Node, with the same defaults', () => {
    expect(readWorkerConfig(GOOD)).toMatchObject({
      relayerAccountId: 'relayer.testnet',
      contractId: 'w3a-v1.testnet',
      spendCapYocto: 10n ** 25n,
      delegates: null,
      lock: null,
    });
  });

  it('contain the lock’s key and any former ones', () => {
    expect(readWorkerConfig({ ...GOOD, ...LOCK }).lock?.keys()).toEqual([current]);
    const grace = { SHAMIR_GRACE_KEYS: JSON.stringify([former]) };
    expect(readWorkerConfig({ ...GOOD, ...LOCK, ...grace }).lock?.keys()).toEqual([current, former]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['RELAY', { RELAY: undefined }],
    ['RELAYER_PRIVATE_KEY', { RELAYER_PRIVATE_KEY: 'ed25519:x' }],
    ['SHAMIR_KEY_FILE', { SHAMIR_KEY_FILE: '/keys/lock.json' }],
    ['SHAMIR_GRACE_KEYS_FILE', { SHAMIR_GRACE_KEYS_FILE: '/keys/grace.json' }],
    ['LOCK_ROTATION_DAYS', { ...LOCK, LOCK_ROTATION_DAYS: '90' }],
    ['RELAY_STATE_FILE', { RELAY_STATE_FILE: '/state/relay.json' }],
    ['SHAMIR_D_S_B64U', { SHAMIR_E_S_B64U: current.e_s_b64u }],
    ['SHAMIR_E_S_B64U, SHAMIR_D_S_B64U', { ...LOCK, SHAMIR_D_S_B64U: former.d_s_b64u }],
    ['SHAMIR_E_S_B64U', { SHAMIR_GRACE_KEYS: JSON.stringify([former]) }],
    ['SHAMIR_GRACE_KEYS', { ...LOCK, SHAMIR_GRACE_KEYS: '{' }],
    ['SHAMIR_GRACE_KEYS', { ...LOCK, SHAMIR_GRACE_KEYS: JSON.stringify([{ ...former, e_s_b64u: 'Aw' }]) }],
    ['SHAMIR_P_B64U', { ...LOCK, SHAMIR_P_B64U: `A${RFC3526_GROUP_14_P.slice(1)}` }],
  ])('are refused for %s', (name, changes) => {
    expect(problemsOf({ ...GOOD, ...changes })).toContain(`\n  ${name}: `);
  });

  it('are reported together, without repeating or printing a secret', () => {
    const grace = JSON.stringify([{ ...former, d_s_b64u: current.d_s_b64u }]);
    const message = problemsOf({ ...GOOD, ...LOCK, RELAY: undefined, SHAMIR_GRACE_KEYS: grace });
    expect(message).toContain('RELAY: ');
    expect(message).toContain('SHAMIR_GRACE_KEYS: ');
    const printed = message + inspect(readWorkerConfig({ ...GOOD, ...LOCK }), { depth: 9 });
    for (const secret of [PRIVATE_KEY.slice(8, 30), current.e_s_b64u, current.d_s_b64u.slice(0, 30)]) {
      expect(printed).not.toContain(secret);
    }
  });
});
