import { describe, expect, it } from 'vitest';
import { accountIdProblem, assertRegistrableAccountId, isNearAccountId, toAccountId } from './account-id.js';

describe('account ids', () => {
  it.each(['alice.testnet', 'a-b_c9.w3a-v1.testnet', 'bob.near'])('takes %s', (accountId) => {
    expect(accountIdProblem(accountId)).toBeUndefined();
  });

  it.each([
    ['', 'Account ID must be a non-empty string'],
    [7, 'Account ID must be a non-empty string'],
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['.testnet', 'Username part cannot be empty'],
    ['Alice.testnet', 'Username can only contain lowercase letters, numbers, underscores, and hyphens'],
    ['alice .testnet', 'Username can only contain lowercase letters, numbers, underscores, and hyphens'],
    ['alice..testnet', 'Domain part cannot be empty'],
    ['alice.', 'Domain part cannot be empty'],
    ['alice.com', 'Invalid NEAR account ID suffix. Expected account to end with one of: testnet, near'],
    [
      'alice.eviltestnet',
      'Invalid NEAR account ID suffix. Expected account to end with one of: testnet, near',
    ],
    ['alice.B.testnet', 'Domain can only contain lowercase letters, numbers, underscores, and hyphens'],
  ])('refuses %s', (accountId, problem) => {
    expect(accountIdProblem(accountId)).toBe(problem);
  });

  it('asks for exactly two labels where told so', () => {
    expect(accountIdProblem('a.b.testnet', { requireTopLevelDomain: true })).toBe(
      'Account ID must have exactly two parts',
    );
    expect(accountIdProblem('a.testnet', { requireTopLevelDomain: true })).toBeUndefined();
  });

  it('registers ids of 58 bytes and no longer ones', () => {
    const ofLength = (length: number) => `${'a'.repeat(length - '.testnet'.length)}.testnet`;
    expect(() => assertRegistrableAccountId(ofLength(58))).not.toThrow();
    expect(() => assertRegistrableAccountId(ofLength(59))).toThrow(/at most 58 characters/);
  });

  it('makes an id from what a person typed', () => {
    expect(toAccountId('Alice Müller!', 'w3a-v1.testnet')).toBe('alicemller.w3a-v1.testnet');
    expect(toAccountId('x'.repeat(40), 'testnet')).toBe(`${'x'.repeat(32)}.testnet`);
  });
});

describe('an account of the chain', () => {
  it.each([
    'near',
    'aa',
    'a-b_c.d-e.testnet',
    '0'.repeat(64),
    '0x32be343b94f860124dc4fee278fdcbd38c102d88',
    'a'.repeat(64),
  ])('may be called %s', (accountId) => {
    expect(isNearAccountId(accountId)).toBe(true);
  });

  it.each([
    '',
    'a',
    'A.near',
    'a..near',
    '.near',
    'near.',
    'a--b',
    'a_-b',
    '-a',
    'a_',
    'ä.near',
    'a b',
    'a.near\n',
    'a'.repeat(65),
  ])('may not be called %j', (accountId) => {
    expect(isNearAccountId(accountId)).toBe(false);
  });

  it('is judged at once, however its text is made', () => {
    for (const text of ['a'.repeat(64), 'a-'.repeat(32), 'a.'.repeat(32), `${'a_'.repeat(31)}a!`]) {
      expect(typeof isNearAccountId(text)).toBe('boolean');
    }
  });
});
