import { readFileSync } from 'node:fs';
import { inspect, parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { readLockGroup } from '../lock/lock-group.js';
import { encodeNumber, makeLockKeyText } from '../testing/lock-numbers.js';
import { readLockFileConfig, readRelayConfig } from './config.js';
import type { Environment } from './environment.js';

const PRIVATE_KEY =
  'ed25519:3D4YudUahN1nawWogh8pAKSj92sUNMdbZGjn7kERKzYoTy8tnFQuwoGUC51DowKqorvkr2pytJSnwuSbsNVfqygr';
const VOUCHER_KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
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

describe('the environment (core 3, core 9)', () => {
  it('needs three variables, and has the defaults of interop.md for the rest', () => {
    const config = readRelayConfig(GOOD);
    expect(config).toMatchObject({
      relayerAccountId: 'relayer.testnet',
      contractId: 'w3a-v1.testnet',
      rpcUrls: [
        'https://test.rpc.fastnear.com',
        'https://near-testnet.drpc.org',
        'https://testnet-rpc.intea.rs',
      ],
      rpcAgreement: 2,
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

  it('has limits and a spend cap by default', () => {
    expect(readRelayConfig(GOOD)).toMatchObject({
      spendCapYocto: 10n ** 25n,
      dailyShare: { addressPercent: 10, networkPercent: 25 },
      signup: { kind: 'anyone' },
      budgetAlarmUrl: null,
      stateFile: null,
      parallelRegistrations: 64,
      limits: {
        registrations: { perAddress: 20, total: 600 },
        lock: { perAddress: 300, total: 12_000 },
        delegate: { perAddress: 60, total: 600 },
        app_key: { perAddress: 20, total: 600 },
        origins: { perAddress: 300, total: 12_000 },
      },
      trustedProxyHops: 0,
      metricsToken: null,
    });
  });

  it('takes the example of a public wallet for testnet, where the wallet alone calls, under caps', () => {
    const example = parseEnv(
      readFileSync(new URL('../../../deploy/node/testnet.env.example', import.meta.url), 'utf8'),
    );
    const filled = Object.entries(example).filter(([, value]) => value !== '');
    const config = readRelayConfig({ ...Object.fromEntries(filled), RELAYER_PRIVATE_KEY: PRIVATE_KEY });
    expect(new Set(config.allowedOrigins)).toEqual(new Set(['https://wallet.example']));
    expect(config.spendCapYocto).toBe(5n * 10n ** 24n);
    expect(config.dailyShare).not.toBeNull();
    expect(example.ALLOWED_HOSTS).toBe('http://localhost:*');
  });

  it('accepts other limits, or none', () => {
    const config = readRelayConfig({
      ...GOOD,
      RELAY_SPEND_CAP_NEAR: 'none',
      RELAY_LIMIT_REGISTRATIONS: ' 3 , 30 ',
      RELAY_LIMIT_LOCK: 'off',
      TRUSTED_PROXY_HOPS: '2',
      METRICS_TOKEN: 'abcdefghijklmnop',
    });
    expect(config).toMatchObject({
      spendCapYocto: null,
      limits: { registrations: { perAddress: 3, total: 30 }, lock: null },
      trustedProxyHops: 2,
    });
    expect(config.metricsToken?.reveal()).toBe('abcdefghijklmnop');
    expect(inspect(config)).not.toContain('abcdefghijklmnop');
  });

  it.each([
    ['RELAY_SPEND_CAP_NEAR', '-1'],
    ['RELAY_SPEND_CAP_NEAR', 'much'],
    ['RELAY_SPEND_CAP_NEAR', '0.1'],
    ['RELAY_DAILY_SHARE', '10'],
    ['RELAY_DAILY_SHARE', '0,10'],
    ['RELAY_DAILY_SHARE', '20,10'],
    ['RELAY_DAILY_SHARE', '20,101'],
    ['BUDGET_ALARM_URL', 'hooks.example/secret'],
    ['SIGNUP_VOUCHER_KEY', 'ed25519:short'],
    ['TURNSTILE_HOSTNAMES', 'app.example'],
    ['TURNSTILE_URL', 'https://challenges.example'],
    ['RELAY_PARALLEL_REGISTRATIONS', '0'],
    ['RELAY_LIMIT_REGISTRATIONS', '20'],
    ['RELAY_LIMIT_REGISTRATIONS', '0,0'],
    ['RELAY_LIMIT_LOCK', '20,10'],
    ['RELAY_LIMIT_DELEGATE', '1.5,10'],
    ['RELAY_LIMIT_APP_KEYS', '20'],
    ['RELAY_LIMIT_ORIGINS', 'none'],
    ['TRUSTED_PROXY_HOPS', '-1'],
    ['TRUSTED_PROXY_HOPS', '11'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'two words that are long'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ ...GOOD, [name]: value })).toContain(`${name}: `);
  });

  it('pays into app keys only with both caps and with vouchers', () => {
    const caps = { APP_KEY_ACCOUNT_CAP_NEAR: '0.2', APP_KEY_SPEND_CAP_NEAR: '2' };
    const vouchers = { ...GOOD, SIGNUP_VOUCHER_KEY: VOUCHER_KEY, RELAY_STATE_FILE: '/state/relay.json' };
    expect(readRelayConfig(vouchers).appKeys).toBeNull();
    const { appKeys, signup } = readRelayConfig({ ...vouchers, ...caps });
    const voucherKeys = signup.kind === 'voucher' && signup.publicKeys;
    expect(appKeys).toEqual({
      voucherKeys,
      accountCapYocto: 2n * 10n ** 23n,
      spendCapYocto: 2n * 10n ** 24n,
    });
    expect(problemsOf({ ...GOOD, ...caps })).toContain('APP_KEY_SPEND_CAP_NEAR: needs SIGNUP_VOUCHER_KEY');
    const wrong = {
      APP_KEY_ACCOUNT_CAP_NEAR: '',
      APP_KEY_SPEND_CAP_NEAR: '0.1',
      RELAY_SPEND_CAP_NEAR: '0.19',
    };
    for (const [name, value] of Object.entries(wrong))
      expect(problemsOf({ ...vouchers, ...caps, [name]: value })).toContain(`${name}: `);
    expect(problemsOf({ ...vouchers, ...caps, APP_KEY_ACCOUNT_CAP_NEAR: '0.004' })).toContain(
      'the smallest payment',
    );
  });

  it('takes keys of vouchers, with a file that remembers the used ones', () => {
    const signedBy = { ...GOOD, SIGNUP_VOUCHER_KEY: `${VOUCHER_KEY}, ${VOUCHER_KEY}` };
    expect(problemsOf(signedBy)).toContain('RELAY_STATE_FILE: is missing');
    const config = readRelayConfig({ ...signedBy, RELAY_STATE_FILE: '/state/relay.json' });
    expect(config).toMatchObject({ stateFile: '/state/relay.json', signup: { kind: 'voucher' } });
    expect(config.signup.kind === 'voucher' && config.signup.publicKeys).toHaveLength(2);
  });

  it('takes a Redis in place of that file, and does not show its password', () => {
    const shared = {
      ...GOOD,
      SIGNUP_VOUCHER_KEY: VOUCHER_KEY,
      REDIS_URL: 'redis://:the-password@redis.example',
    };
    const config = readRelayConfig(shared);
    expect(config.redisUrl?.reveal()).toBe(shared.REDIS_URL);
    expect(inspect(config, { depth: 9 }) + JSON.stringify(config.redisUrl)).not.toContain('the-password');
    const both = { ...shared, RELAY_STATE_FILE: '/state/relay.json' };
    expect(problemsOf(both)).toContain('RELAY_STATE_FILE: must not be set together with REDIS_URL');
    for (const url of ['the-password', 'http://:the-password@redis.example']) {
      expect(problemsOf({ ...GOOD, REDIS_URL: url })).toContain('REDIS_URL: must be a URL such as redis://');
      expect(problemsOf({ ...GOOD, REDIS_URL: url })).not.toContain('the-password');
    }
  });

  it('takes Turnstile with its hosts, and shows neither its secret nor the alarm’s address', () => {
    const turnstile = { ...GOOD, TURNSTILE_SECRET: '1x0000000000000000000000000000000AA' };
    expect(problemsOf(turnstile)).toContain('TURNSTILE_HOSTNAMES: is missing');
    const hosts = { ...turnstile, TURNSTILE_HOSTNAMES: 'app.example www.app.example' };
    const config = readRelayConfig({ ...hosts, BUDGET_ALARM_URL: 'https://hooks.example/the-secret-part' });
    expect(config.signup).toMatchObject({
      kind: 'turnstile',
      hostnames: ['app.example', 'www.app.example'],
      action: null,
      url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    });
    expect(inspect(config, { depth: 9 })).not.toMatch(/1x0000|the-secret-part/);
    expect(readRelayConfig({ ...hosts, TURNSTILE_ACTION: 'signup' }).signup).toMatchObject({
      action: 'signup',
    });
    const both = problemsOf({ ...hosts, SIGNUP_VOUCHER_KEY: VOUCHER_KEY });
    expect(both).toContain('TURNSTILE_SECRET: must not be set together with SIGNUP_VOUCHER_KEY');
    expect(problemsOf({ ...hosts, TURNSTILE_HOSTNAMES: 'https://app.example' })).toContain(
      'TURNSTILE_HOSTNAMES: ',
    );
    expect(problemsOf({ ...GOOD, TURNSTILE_SECRET: 'two secret words' })).not.toContain('two secret words');
  });

  it('accepts lists where lists are allowed', () => {
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

  it('asks for the agreement of two providers where there are two', () => {
    const agreementOf = (NEAR_RPC_URL: string, env: Environment = {}) =>
      readRelayConfig({ ...GOOD, NEAR_RPC_URL, ...env }).rpcAgreement;
    const two = 'https://a.example https://b.example';
    expect(agreementOf(two)).toBe(2);
    expect(agreementOf(two, { NEAR_RPC_AGREEMENT: '1' })).toBe(1);
    expect(agreementOf('https://a.example/1 https://a.example/2')).toBe(1);
    expect(agreementOf('http://127.0.0.1:3030 http://localhost:3031')).toBe(1);
    expect(agreementOf('http://127.0.0.1:3030 https://a.example')).toBe(2);
    const one = { ...GOOD, NEAR_RPC_URL: 'https://a.example', NEAR_RPC_AGREEMENT: '2' };
    expect(problemsOf(one)).toContain('NEAR_RPC_AGREEMENT: needs nodes of two providers');
    expect(problemsOf({ ...GOOD, NEAR_RPC_AGREEMENT: '3' })).toContain('NEAR_RPC_AGREEMENT: ');
  });

  it("takes the operator's own list of related origins, which may be empty", () => {
    const listOf = (env: Environment) => readRelayConfig({ ...GOOD, ...env }).relatedOrigins;
    expect(listOf({})).toBeNull();
    expect(listOf({ RELATED_ORIGINS: 'none' })).toEqual([]);
    expect(listOf({ RELATED_ORIGINS: 'https://a.example, https://b.example' })).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
    expect(problemsOf({ ...GOOD, RELATED_ORIGINS: 'https://a.example/' })).toContain('RELATED_ORIGINS: ');
  });

  it('takes the nodes of mainnet by its name, and wants the registry there', () => {
    const mainnet = { ...GOOD, NETWORK_ID: 'mainnet' };
    expect(problemsOf(mainnet)).toContain('WEBAUTHN_CONTRACT_ID: is missing');
    expect(readRelayConfig({ ...mainnet, WEBAUTHN_CONTRACT_ID: 'registry.tg' })).toMatchObject({
      contractId: 'registry.tg',
      rpcUrls: ['https://free.rpc.fastnear.com', 'https://near.drpc.org', 'https://rpc.intea.rs'],
      networkId: 'mainnet',
    });
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
    [
      'a key file next to given keys',
      { SHAMIR_KEY_FILE: '/x', SHAMIR_E_S_B64U: 'Aw', SHAMIR_D_S_B64U: 'Aw' },
    ],
    ['exponents that do not match', { SHAMIR_E_S_B64U: 'Aw', SHAMIR_D_S_B64U: 'Aw' }],
    ['a group below 2048 bits', { SHAMIR_P_B64U: encodeNumber((1n << 521n) - 1n), SHAMIR_KEY_FILE: '/x' }],
    ['one key twice', { RELAYER_PRIVATE_KEY: `${PRIVATE_KEY},${PRIVATE_KEY}` }],
  ])('refuses %s', (_, changes) => {
    expect(problemsOf({ ...GOOD, ...changes })).toContain(Object.keys(changes)[0]);
  });

  it('repeats no secret, in its message or when printed', () => {
    const text = makeLockKeyText(readLockGroup(RFC3526_GROUP_14_P).p);
    const apiKey = 'a1b2c3d4e5f6';
    const message = problemsOf({
      NEAR_RPC_URL: `rpc.example/v1/${apiKey}`,
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
    for (const secret of [apiKey, PRIVATE_KEY.slice(8, 30), text.e_s_b64u, text.d_s_b64u.slice(0, 30)]) {
      expect(printed.join()).not.toContain(secret);
    }
  });

  it('rotates a lock key file only by command, with half a year of grace', () => {
    const file = { ...GOOD, SHAMIR_KEY_FILE: '/keys/lock.json' };
    expect(readRelayConfig(file).lock).toMatchObject({
      kind: 'file',
      path: '/keys/lock.json',
      rotationDays: null,
      graceDays: 180,
    });
    const other = { ...file, LOCK_ROTATION_DAYS: '90', LOCK_GRACE_DAYS: '30' };
    expect(readRelayConfig(other).lock).toMatchObject({ rotationDays: 90, graceDays: 30 });
    expect(readLockFileConfig(other)).toMatchObject({ path: '/keys/lock.json', graceDays: 30 });
  });

  it('names an impossible rotation', () => {
    const file = { ...GOOD, SHAMIR_KEY_FILE: '/keys/lock.json' };
    expect(problemsOf({ ...file, LOCK_GRACE_DAYS: '29' })).toContain(
      'LOCK_GRACE_DAYS: must be a whole number from 30',
    );
    expect(problemsOf({ ...file, LOCK_ROTATION_DAYS: '0' })).toContain('LOCK_ROTATION_DAYS: must be');
    const { e_s_b64u, d_s_b64u } = makeLockKeyText(readLockGroup(RFC3526_GROUP_14_P).p);
    const given = { ...GOOD, SHAMIR_E_S_B64U: e_s_b64u, SHAMIR_D_S_B64U: d_s_b64u, LOCK_ROTATION_DAYS: '9' };
    expect(problemsOf(given)).toContain('LOCK_ROTATION_DAYS: needs SHAMIR_KEY_FILE');
    expect(() => readLockFileConfig(given)).toThrow(
      'SHAMIR_KEY_FILE: is missing: a key that the environment gives',
    );
  });

  it('waits thirty seconds on a stop signal, or as long as configured', () => {
    expect(readRelayConfig(GOOD).stopTimeoutSeconds).toBe(30);
    expect(readRelayConfig({ ...GOOD, STOP_TIMEOUT_SECONDS: '5' }).stopTimeoutSeconds).toBe(5);
    expect(problemsOf({ ...GOOD, STOP_TIMEOUT_SECONDS: '0' })).toContain('STOP_TIMEOUT_SECONDS: must be');
  });
});
