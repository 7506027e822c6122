import { describe, expect, it } from 'vitest';
import { blockedBy, joinedBy } from './modes.js';

const ONE_SITE = { isSecure: true, isFramed: false, registrar: 'w3a-v1.testnet' };
const input = (inputUsername: string, accountExists: boolean) => ({
  inputUsername,
  targetAccountId: `${inputUsername.trim()}.w3a-v1.testnet`,
  accountExists,
});
const whole = (accountId: string) => ({
  inputUsername: accountId,
  targetAccountId: accountId,
  accountExists: false,
});
const SILENT = { hint: null, advice: null };

describe('the login menu (kit 4)', () => {
  it('registers a free, non-empty name in a secure context', () => {
    expect(blockedBy('register', input('alice', false), ONE_SITE)).toBeUndefined();
    expect(blockedBy('register', input(' ', false), ONE_SITE)).toEqual(SILENT);
    expect(blockedBy('register', input('alice', true), ONE_SITE)).toEqual({
      hint: 'name taken',
      advice: 'This device has alice.w3a-v1.testnet already.',
      instead: { mode: 'login', label: 'Log in with it' },
    });
    expect(blockedBy('register', input('alice', false), { ...ONE_SITE, isSecure: false })).toMatchObject({
      hint: 'HTTPS required',
      advice: expect.stringContaining('https://'),
    });
  });

  it('registers a whole account id only directly under the registry', () => {
    const elsewhere = whole('alice.testnet');
    expect(blockedBy('register', elsewhere, ONE_SITE)).toMatchObject({
      hint: 'new names end in .w3a-v1.testnet',
      advice: expect.stringContaining('Type only the part before .w3a-v1.testnet.'),
    });
    expect(blockedBy('register', whole('alice.w3a-v1.testnet'), ONE_SITE)).toBeUndefined();
    expect(blockedBy('register', whole('a.lice.w3a-v1.testnet'), ONE_SITE)).toEqual({
      hint: null,
      advice: 'A new name has no dot before .w3a-v1.testnet.',
    });
    expect(blockedBy('recover', elsewhere, ONE_SITE)).toBeUndefined();
    expect(blockedBy('login', elsewhere, { ...ONE_SITE, isFramed: true })).toBeUndefined();
  });

  it.each(['register', 'login', 'recover'] as const)(
    'says in %s mode what is wrong with a name that no account can have',
    (mode) => {
      expect(blockedBy(mode, input('al ice', false), ONE_SITE)).toEqual({
        hint: null,
        advice: 'A name has no spaces.',
      });
    },
  );

  it('always allows recovery: by name, by an unknown name, or by the passkey alone', () => {
    for (const name of ['alice', 'nobody', '', ' '])
      expect(blockedBy('recover', input(name, false), ONE_SITE)).toBeUndefined();
    expect(blockedBy('recover', input('', false), { ...ONE_SITE, isSecure: false })).toBeUndefined();
  });

  it('logs an existing account in', () => {
    expect(blockedBy('login', input('alice', true), ONE_SITE)).toBeUndefined();
    expect(blockedBy('login', input('alice', false), ONE_SITE)).toEqual({
      hint: 'Account not found',
      advice: 'This browser does not know alice.w3a-v1.testnet.',
      instead: { mode: 'recover', label: 'Restore it with its passkey' },
    });
    expect(blockedBy('login', input('', false), ONE_SITE)).toEqual(SILENT);
  });

  it("leaves an unknown account to a framed wallet, since it may be another site's", () => {
    const framed = { ...ONE_SITE, isFramed: true };
    expect(blockedBy('login', input('alice', false), framed)).toBeUndefined();
    expect(blockedBy('login', input('', false), framed)).toEqual(SILENT);
  });

  it('links this device to a typed account that it does not know, but not while registering', () => {
    const alice = { targetAccountId: 'alice.testnet', isUsingExistingAccount: false, accountExists: false };
    expect(joinedBy('login', alice)).toBe('alice.testnet');
    expect(joinedBy('recover', alice)).toBe('alice.testnet');
    expect(joinedBy('login', { ...alice, targetAccountId: 'alice.tg' })).toBe('alice.tg');
    expect(joinedBy('register', alice)).toBeUndefined();
    expect(joinedBy('login', { ...alice, targetAccountId: '' })).toBeUndefined();
    // Still being typed.
    for (const targetAccountId of ['alice.', 'alice.test-', 'al ice.testnet'])
      expect(joinedBy('login', { ...alice, targetAccountId })).toBeUndefined();
    expect(joinedBy('login', { ...alice, isUsingExistingAccount: true })).toBeUndefined();
    expect(joinedBy('login', { ...alice, accountExists: true })).toBeUndefined();
  });
});
