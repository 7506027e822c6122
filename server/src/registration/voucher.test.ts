import { base64urlnopad } from '@scure/base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '../platform/secret.js';
import {
  issueSignupVoucher,
  judgeFundVoucher,
  makeVoucherKeyPair,
  readVoucherKey,
  verifyVouchers,
} from './voucher.js';

const ALICE = 'alice.w3a-v1.testnet';
const NOW_MS = Date.UTC(2026, 10, 23);
const keys = await makeVoucherKeyPair();

const verdictOn = async (voucher: string | undefined, accountId = ALICE, trusted = [keys.publicKey]) =>
  verifyVouchers(trusted.map(readVoucherKey))(
    {
      accountId,
      publicKey: 'ed25519:x',
      address: undefined,
      voucher: voucher === undefined ? undefined : new Secret(voucher),
    },
    new AbortController().signal,
  );
const issue = (validForSeconds?: number, accountId: string | null = ALICE) =>
  issueSignupVoucher({
    privateKey: keys.privateKey,
    accountId,
    ...(validForSeconds !== undefined && { validForSeconds }),
  });
const at = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms });

afterEach(() => {
  vi.useRealTimers();
});

describe('a voucher', () => {
  it('is accepted for its account until it expires, and tells until when it must be remembered', async () => {
    at(NOW_MS);
    const voucher = await issue(60);
    expect(await verdictOn(voucher)).toEqual({
      ok: true,
      once: { id: expect.stringMatching(/^[\w-]{22}$/), expiresAtMs: NOW_MS + 60_000 },
    });
    vi.setSystemTime(NOW_MS + 60_000);
    expect(await verdictOn(voucher)).toMatchObject({ ok: true });
    vi.setSystemTime(NOW_MS + 61_000);
    expect(await verdictOn(voucher)).toMatchObject({ ok: false, reason: /has expired/ });
  });

  it('for any account is accepted for each name, and remembered as one', async () => {
    const voucher = await issue(60, null);
    const verdicts = [await verdictOn(voucher), await verdictOn(voucher, 'bob.w3a-v1.testnet')];
    expect(verdicts).toMatchObject([{ ok: true }, { ok: true }]);
    expect(verdicts[0]).toEqual(verdicts[1]);
  });

  it('has an id that no other one has', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => verdictOn(await issue())));
    expect(new Set(ids.map((verdict) => verdict.ok && verdict.once?.id)).size).toBe(20);
  });

  it('does not pay for another account', async () => {
    expect(await verdictOn(await issue(), 'mallory.w3a-v1.testnet')).toMatchObject({
      ok: false,
      reason: /another account/,
    });
  });

  it('is accepted from each of several keys, and from no other', async () => {
    const other = await makeVoucherKeyPair();
    expect(await verdictOn(await issue(), ALICE, [other.publicKey, keys.publicKey])).toMatchObject({
      ok: true,
    });
    expect(await verdictOn(await issue(), ALICE, [other.publicKey])).toMatchObject({ ok: false });
  });

  it('is refused when any part of it was changed', async () => {
    const voucher = await issue();
    const [version, payload = '', signature = ''] = voucher.split('.');
    const fields = JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload)));
    const later = JSON.stringify({ ...fields, expires: fields.expires + 60 });
    const changed = [
      undefined,
      '',
      'v1',
      `${version}.${payload}`,
      `v2.${payload}.${signature}`,
      `${voucher}.`,
      `${version}.${base64urlnopad.encode(new TextEncoder().encode(later))}.${signature}`,
      `${version}.${payload}.${base64urlnopad.encode(new Uint8Array(64))}`,
      `${version}.${payload}.${signature.slice(0, -2)}`,
      `${version}.${payload}.€`,
    ];
    for (const text of changed) expect(await verdictOn(text)).toMatchObject({ ok: false });
  });

  it('cannot be issued for longer than a day, and a longer one is refused', async () => {
    await expect(issue(86_401)).rejects.toThrow(RangeError);
    await expect(issue(0)).rejects.toThrow(RangeError);
    at(NOW_MS);
    const early = await issue(86_400);
    vi.setSystemTime(NOW_MS - 120_000);
    expect(await verdictOn(early)).toMatchObject({ ok: false, reason: /more than a day/ });
  });

  it.each(['', 'ed25519:', 'ed25519:abc', 'secp256k1:abc', 'ed25519:11111111111111111111111111111111'])(
    'is verified by no key of the form %j',
    (text) => {
      expect(() => readVoucherKey(text)).toThrow('must be ed25519:');
    },
  );

  it('for an app key names its account and an amount above 0', async () => {
    const { privateKey } = keys;
    await expect(issueSignupVoucher({ privateKey, accountId: null, prepaid: '0.1' })).rejects.toThrow(
      TypeError,
    );
    for (const prepaid of ['0', '-1', '1e3', ''])
      await expect(issueSignupVoucher({ privateKey, accountId: ALICE, prepaid })).rejects.toThrow(RangeError);
  });

  it('for an app key pays up to its amount, until it expires, and then only for what was sent before', async () => {
    at(NOW_MS);
    const voucher = new Secret(
      await issueSignupVoucher({
        privateKey: keys.privateKey,
        accountId: ALICE,
        prepaid: '0.1',
        validForSeconds: 60,
      }),
    );
    const judge = (amountYocto: bigint, late = false) =>
      judgeFundVoucher([readVoucherKey(keys.publicKey)], { accountId: ALICE, amountYocto, voucher }, late);
    expect(await judge(10n ** 23n)).toMatchObject({ ok: true, once: { expiresAtMs: NOW_MS + 60_000 } });
    expect(await judge(10n ** 23n + 1n)).toMatchObject({ ok: false, reason: /pays 0.1 NEAR/ });
    expect(await verdictOn(voucher.reveal())).toMatchObject({ ok: false, reason: /registers no account/ });
    vi.setSystemTime(NOW_MS + 61_000);
    expect(await judge(1n)).toMatchObject({ ok: false, reason: /has expired/ });
    expect(await judge(1n, true)).toMatchObject({ ok: true });
    vi.setSystemTime(NOW_MS + 661_000);
    expect(await judge(1n, true)).toMatchObject({ ok: false, reason: /has expired/ });
  });

  it('is issued only with a whole private key', async () => {
    await expect(issueSignupVoucher({ privateKey: keys.publicKey, accountId: ALICE })).rejects.toThrow(
      TypeError,
    );
  });
});
