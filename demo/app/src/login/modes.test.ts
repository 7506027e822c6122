import { describe, expect, it } from 'vitest';
import { blockedBy, joinedBy } from './modes.js';

const ONE_SITE = { isSecure: true, isFramed: false, registrar: 'w3a-v1.testnet' };
const input = (inputUsername: string, accountExists: boolean) => ({
  inputUsername,
  targetAccountId: `${inputUsername}.w3a-v1.testnet`,
  accountExists,
});

describe('the login menu', () => {
  it('registers a free, non-empty name in a secure context', () => {
    expect(blockedBy('register', input('alice', false), ONE_SITE)).toBeUndefined();
    expect(blockedBy('register', input(' ', false), ONE_SITE)).toEqual({ hint: null });
    expect(blockedBy('register', input('alice', true), ONE_SITE)).toEqual({ hint: 'name taken' });
    expect(blockedBy('register', input('alice', false), { ...ONE_SITE, isSecure: false })).toEqual({
      hint: 'HTTPS required',
    });
  });

  it('registers a whole account id only under the registry', () => {
    const elsewhere = {
      inputUsername: 'alice.testnet',
      targetAccountId: 'alice.testnet',
      accountExists: false,
    };
    expect(blockedBy('register', elsewhere, ONE_SITE)).toEqual({ hint: 'new names end in .w3a-v1.testnet' });
    const whole = { ...elsewhere, targetAccountId: 'alice.w3a-v1.testnet' };
    expect(blockedBy('register', whole, ONE_SITE)).toBeUndefined();
    expect(blockedBy('recover', elsewhere, ONE_SITE)).toBeUndefined();
    expect(blockedBy('login', elsewhere, { ...ONE_SITE, isFramed: true })).toBeUndefined();
  });

  it('always allows recovery: by name, by an unknown name, or by the passkey alone', () => {
    for (const name of ['alice', 'nobody', '', ' '])
      expect(blockedBy('recover', input(name, false), ONE_SITE)).toBeUndefined();
    expect(blockedBy('recover', input('', false), { ...ONE_SITE, isSecure: false })).toBeUndefined();
  });

  it('logs an existing account in', () => {
    expect(blockedBy('login', input('alice', true), ONE_SITE)).toBeUndefined();
    expect(blockedBy('login', input('alice', false), ONE_SITE)).toEqual({ hint: 'Account not found' });
    expect(blockedBy('login', input('', false), ONE_SITE)).toEqual({ hint: null });
  });

  it("leaves an unknown account to a framed wallet, since it may be another site's", () => {
    const framed = { ...ONE_SITE, isFramed: true };
    expect(blockedBy('login', input('alice', false), framed)).toBeUndefined();
    expect(blockedBy('login', input('', false), framed)).toEqual({ hint: null });
  });

  it('links this device to a typed account that it does not know, but not while registering', () => {
    const alice = { targetAccountId: 'alice.testnet', isUsingExistingAccount: false, accountExists: false };
    expect(joinedBy('login', alice)).toBe('alice.testnet');
    expect(joinedBy('recover', alice)).toBe('alice.testnet');
    expect(joinedBy('register', alice)).toBeUndefined();
    expect(joinedBy('login', { ...alice, targetAccountId: '' })).toBeUndefined();
    // Still being typed.
    for (const targetAccountId of ['alice.', 'alice.test', 'al ice.testnet'])
      expect(joinedBy('login', { ...alice, targetAccountId })).toBeUndefined();
    expect(joinedBy('login', { ...alice, isUsingExistingAccount: true })).toBeUndefined();
    expect(joinedBy('login', { ...alice, accountExists: true })).toBeUndefined();
  });
});
