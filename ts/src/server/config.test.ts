import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../config.js';
import { type Environment, readRelayConfig } from './config.js';
import { readLockGroup } from './lock-group.js';
import { encodeNumber, makeLockKeyText } from './testing/lock-numbers.js';

const PRIVATE_KEY =
  'ed25519:3D4YudUahN1nawWogh8pAKSj92sUNMdbZGjn7kERKzYoTy8tnFQuwoGUC51DowKqorvkr2pytJSnwuSbsNVfqygr';
const GOOD: Environment = {
  RELAYER_ACCOUNT_ID: 'relayer.testnet',
  RELAYER_PRIVATE_KEY: PRIVATE_KEY,
  EXPECTED_ORIGIN: 'http://localhost:5173',
};

function problemsOf(env: Environment): string {
  try {
    readRelayConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

describe('the environment', () => {
  it('needs three variables, and has the defaults of interop.md for the rest', () => {
    const config = readRelayConfig(GOOD);
    expect(config).toMatchObject({
      relayerAccountId: 'relayer.testnet',
      contractId: 'w3a-v1.testnet',
      rpcUrls: ['https://test.rpc.fastnear.com'],
      networkId: 'testnet',
      initialBalanceYocto: 30_000_000_000_000_000_000_000n,
      registrationGas: 85_000_000_000_000n,
      lock: { kind: 'disabled' },
      allowedOrigins: ['http://localhost:5173'],
      host: '127.0.0.1',
      port: 3000,
    });
    expect(config.relayerPrivateKeys.map((key) => key.reveal())).toEqual([PRIVATE_KEY]);
  });

  it('takes lists where lists are allowed', () => {
    const config = readRelayConfig({
      ...GOOD,
      NEAR_RPC_URL: 'https://a.example https://b.example',
      EXPECTED_ORIGIN: 'https://app.example, https://www.app.example',
      EXPECTED_WALLET_ORIGIN: 'https://wallet.example',
    });
    expect(config.rpcUrls).toEqual(['https://a.example', 'https://b.example']);
    expect(config.allowedOrigins).toEqual([
      'https://app.example',
      'https://www.app.example',
      'https://wallet.example',
    ]);
  });

  it('names every bad variable in one message', () => {
    const message = problemsOf({
      RELAYER_PRIVATE_KEY: 'ed25519:short',
      WEBAUTHN_CONTRACT_ID: 'Nope',
      NEAR_RPC_URL: 'ws://x',
      NETWORK_ID: 'test net',
      ACCOUNT_INITIAL_BALANCE: '0.03',
      CREATE_ACCOUNT_AND_REGISTER_GAS: '85 Tgas',
      SHAMIR_P_B64U: 'Aw',
      SHAMIR_E_S_B64U: 'Aw',
      EXPECTED_WALLET_ORIGIN: 'https://wallet.example/',
      PORT: '99999',
      HOST: 'a b',
      LOG_LEVEL: 'loud',
    });
    for (const name of [
      'RELAYER_ACCOUNT_ID',
      'RELAYER_PRIVATE_KEY',
      'WEBAUTHN_CONTRACT_ID',
      'NEAR_RPC_URL',
      'NETWORK_ID',
      'ACCOUNT_INITIAL_BALANCE',
      'CREATE_ACCOUNT_AND_REGISTER_GAS',
      'SHAMIR_P_B64U',
      'SHAMIR_D_S_B64U',
      'EXPECTED_ORIGIN',
      'EXPECTED_WALLET_ORIGIN',
      'PORT',
      'HOST',
      'LOG_LEVEL',
    ]) {
      expect(message).toMatch(new RegExp(`\\n {2}${name}: `));
    }
  });

  it.each<[string, Environment]>([
    ['a key file beside given keys', { SHAMIR_KEY_FILE: '/x', SHAMIR_E_S_B64U: 'Aw', SHAMIR_D_S_B64U: 'Aw' }],
    ['exponents that do not match', { SHAMIR_E_S_B64U: 'Aw', SHAMIR_D_S_B64U: 'Aw' }],
    ['a group below 2048 bits', { SHAMIR_P_B64U: encodeNumber((1n << 521n) - 1n), SHAMIR_KEY_FILE: '/x' }],
    ['one key twice', { RELAYER_PRIVATE_KEY: `${PRIVATE_KEY},${PRIVATE_KEY}` }],
  ])('refuses %s', (_, changes) => {
    expect(problemsOf({ ...GOOD, ...changes })).toContain(Object.keys(changes)[0]);
  });

  it('repeats no secret, in its message or when printed', () => {
    const text = makeLockKeyText(readLockGroup(RFC3526_GROUP_14_P).p);
    const message = problemsOf({
      RELAYER_PRIVATE_KEY: `${PRIVATE_KEY}x`,
      SHAMIR_E_S_B64U: text.e_s_b64u,
      SHAMIR_D_S_B64U: `${text.d_s_b64u}A`,
    });
    const config = readRelayConfig({
      ...GOOD,
      SHAMIR_E_S_B64U: text.e_s_b64u,
      SHAMIR_D_S_B64U: text.d_s_b64u,
    });
    const printed = [
      message,
      inspect(config, { depth: 9 }),
      JSON.stringify(config.relayerPrivateKeys),
      `${config.relayerPrivateKeys}`,
    ];
    for (const secret of [PRIVATE_KEY.slice(8, 30), text.e_s_b64u, text.d_s_b64u.slice(0, 30)]) {
      expect(printed.join()).not.toContain(secret);
    }
  });
});
