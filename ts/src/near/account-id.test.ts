import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountIdProblem,
  assertAccountId,
  assertRegistrableAccountId,
  isDirectChildOf,
  isNearAccountId,
  toAccountId,
  usernameOf,
} from './account-id.js';

const SEPARATORS = 'Account ID can only have underscores and hyphens between two letters or numbers';

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
    ['alice.near.org', 'Invalid NEAR account ID suffix. Expected account to end with one of: testnet, near'],
    ['alice.B.testnet', 'Domain can only contain lowercase letters, numbers, underscores, and hyphens'],
    [`${'a'.repeat(57)}.testnet`, 'Account ID must be at most 64 characters'],
    ['a--b.testnet', SEPARATORS],
    ['a_-b.testnet', SEPARATORS],
    ['-alice.testnet', SEPARATORS],
    ['alice_.testnet', SEPARATORS],
    ['alice.-b.testnet', SEPARATORS],
  ])('refuses %s', (accountId, problem) => {
    expect(accountIdProblem(accountId)).toBe(problem);
    expect(() => assertAccountId(accountId)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ACCOUNT_ID',
        message: `Invalid NEAR account ID: ${problem}`,
      }),
    );
  });

  it('takes the suffixes it is given in place of the default ones', () => {
    const rules = { suffixes: ['sandbox', 'w3a.test'] };
    expect(accountIdProblem('alice.sandbox', rules)).toBeUndefined();
    expect(accountIdProblem('alice.w3a.test', rules)).toBeUndefined();
    expect(accountIdProblem('alice.testnet', rules)).toBe(
      'Invalid NEAR account ID suffix. Expected account to end with one of: sandbox, w3a.test',
    );
  });

  it('never takes what the chain does not', () => {
    const taken: string[] = [];
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c_.-]{1,10}\.(testnet|near)$/), (accountId) => {
        if (accountIdProblem(accountId) !== undefined) return;
        taken.push(accountId);
        expect(isNearAccountId(accountId)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(taken.length).toBeGreaterThan(20);
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
    expect(toAccountId('A_b-9', 'near')).toBe('a_b-9.near');
  });

  it('makes nothing from any text that only a closer look would refuse', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (typed) => {
        const accountId = toAccountId(typed, 'w3a-v1.testnet');
        expect(accountId).toMatch(/^[a-z0-9_-]{0,32}\.w3a-v1\.testnet$/);
        const problem = accountIdProblem(accountId);
        expect([undefined, 'Username part cannot be empty', SEPARATORS]).toContain(problem);
      }),
    );
    expect(accountIdProblem(toAccountId('!', 'testnet'))).toBe('Username part cannot be empty');
  });

  it('knows an account right under another, and no other', () => {
    expect(isDirectChildOf('alice.w3a-v1.testnet', 'w3a-v1.testnet')).toBe(true);
    for (const other of [
      'w3a-v1.testnet',
      '.w3a-v1.testnet',
      'a.b.w3a-v1.testnet',
      'alice.testnet',
      'evilw3a-v1.testnet',
      'alice',
    ]) {
      expect(isDirectChildOf(other, 'w3a-v1.testnet')).toBe(false);
    }
  });

  it('names the part before the first dot', () => {
    expect(usernameOf('alice.w3a-v1.testnet')).toBe('alice');
    expect(usernameOf('alice')).toBe('alice');
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
