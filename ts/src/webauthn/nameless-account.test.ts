// interop.md, section 14: the salts, handles and label of an account without a name.
import { readFileSync } from 'node:fs';
import { hex } from '@scure/base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { prfSalts } from './prf.js';
import { isOfOwnAccount, newUserHandle, ownerFromUserHandle, passkeyLabel } from './user-handle.js';

const vector = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/passkey-account.json', import.meta.url), 'utf8'),
);
const ACCOUNT: string = vector.accountId;

describe('the salts of an account without a name', () => {
  it('are the pinned ones, before its id is known and after', () => {
    for (const accountId of ['', ACCOUNT, 'ab'.repeat(32)]) {
      const { first, second } = prfSalts(accountId);
      expect(hex.encode(first)).toBe(vector.saltFirst);
      expect(hex.encode(second)).toBe(vector.saltSecond);
    }
  });

  it('are of no account with a name', () => {
    for (const accountId of ['alice.testnet', ACCOUNT.toUpperCase(), `0x${'ab'.repeat(20)}`])
      expect(hex.encode(prfSalts(accountId).first)).not.toBe(vector.saltFirst);
  });
});

describe('the user handle of an account without a name', () => {
  it('is 17 bytes that say so and name nothing', () => {
    const handle = newUserHandle('', 1);
    expect(handle).toHaveLength(17);
    expect(handle[0]).toBe(0x01);
    expect(isOfOwnAccount(handle)).toBe(true);
    expect(ownerFromUserHandle(handle)).toBeUndefined();
    expect(newUserHandle('', 1)).not.toEqual(handle);
  });

  it('names account and device on a further device, in 50 bytes', () => {
    const handle = newUserHandle(ACCOUNT, 3);
    expect(handle).toHaveLength(50);
    expect(handle[0]).toBe(0x02);
    expect(isOfOwnAccount(handle)).toBe(false);
    expect(ownerFromUserHandle(handle)).toEqual({ accountId: ACCOUNT, deviceNumber: 3 });
    expect(newUserHandle(ACCOUNT, 3)).not.toEqual(handle);
  });

  it.each([
    ['a shorter one', newUserHandle('', 1).subarray(0, 16)],
    ['a longer one', Uint8Array.of(...newUserHandle('', 1), 0)],
    ['another first byte', Uint8Array.of(0x03, ...newUserHandle('', 1).subarray(1))],
    ['a shorter one of a further device', newUserHandle(ACCOUNT, 2).subarray(0, 49)],
    ['a further one without a number', newUserHandle(ACCOUNT, 0)],
    ['device 0', newUserHandle(ACCOUNT, 0)],
    ['none', new Uint8Array()],
  ])('is none of ours: %s', (_, handle) => {
    expect(isOfOwnAccount(handle)).toBe(false);
    expect(ownerFromUserHandle(handle)).toBeUndefined();
  });

  it('leaves those of accounts with names as they were', () => {
    const handle = newUserHandle('alice.testnet', 2);
    expect(isOfOwnAccount(handle)).toBe(false);
    expect(ownerFromUserHandle(handle)).toEqual({ accountId: 'alice.testnet', deviceNumber: 2 });
    const older = new TextEncoder().encode('alice.testnet');
    expect(ownerFromUserHandle(older)).toEqual({ accountId: 'alice.testnet', deviceNumber: 1 });
  });
});

describe('the label of an account without a name', () => {
  afterEach(() => void vi.useRealTimers());

  it('is what the user typed, without what is invisible, and not longer than lists show', () => {
    expect(passkeyLabel('  Savings ')).toBe('Savings');
    expect(passkeyLabel('a\u202eb\u0000c')).toBe('abc');
    expect(passkeyLabel('é'.repeat(100))).toBe('é'.repeat(64));
  });

  it('is "Wallet" and the date where nothing is left', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 29, 12) });
    for (const typed of [undefined, '', ' \u200b\u0007 '])
      expect(passkeyLabel(typed)).toBe('Wallet 2026-11-29');
  });
});
