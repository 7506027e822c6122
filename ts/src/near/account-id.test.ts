import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountIdProblem,
  assertAccountId,
  assertExistingAccountId,
  assertJoinableAccountId,
  assertNearAccountId,
  assertRegistrableAccountId,
  existingAccountIdProblem,
  isDirectChildOf,
  isImplicitAccountId,
  isNearAccountId,
  isNearImplicitAccountId,
  rulesBelow,
  toAccountId,
  usernameOf,
} from './account-id.js';

const ofLength = (length: number) => `${'a'.repeat(length - '.testnet'.length)}.testnet`;
const SEPARATORS = 'Account ID can only have underscores and hyphens between two letters or numbers';

describe('account ids (core 5)', () => {
  it.each(['alice.testnet', 'a-b_c9.w3a-v1.testnet', 'bob.near', ofLength(64)])('accepts %s', (accountId) => {
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

  it.each([
    'alice.tg',
    'a.b.sweat',
    'bob.near',
    '0'.repeat(64),
    `0x${'a'.repeat(40)}`,
    `0s${'1'.repeat(40)}`,
  ])('takes %s for an account that exists', (accountId) => {
    expect(existingAccountIdProblem(accountId)).toBeUndefined();
    expect(() => assertExistingAccountId(accountId)).not.toThrow();
    expect(isNearAccountId(accountId)).toBe(true);
  });

  it.each([
    ['alice', 'Account ID must contain at least one dot (e.g., username.testnet)'],
    [`0x${'a'.repeat(39)}`, 'Account ID must contain at least one dot (e.g., username.testnet)'],
    ['alice.', 'Domain part cannot be empty'],
    ['alice.T', 'Domain can only contain lowercase letters, numbers, underscores, and hyphens'],
    [undefined, 'Account ID must be a non-empty string'],
    [['0'.repeat(64)], 'Account ID must be a non-empty string'],
  ])('refuses %s for an account that exists', (accountId, problem) => {
    expect(existingAccountIdProblem(accountId)).toBe(problem);
    expect(() => assertExistingAccountId(accountId)).toThrow(
      expect.objectContaining({ code: 'INVALID_ACCOUNT_ID', values: { reason: problem } }),
    );
  });

  it('ends a new account as its parent, whatever that ends in', () => {
    expect(accountIdProblem('alice.registry.tg', rulesBelow('registry.tg'))).toBeUndefined();
    expect(accountIdProblem('alice.registry.tg', rulesBelow('registry.near'))).toMatch(/testnet, near$/);
    expect(rulesBelow('registry.tg')).toEqual({ suffixes: ['testnet', 'near', 'tg'] });
  });

  it('uses the given suffixes instead of the defaults', () => {
    const rules = { suffixes: ['sandbox', 'w3a.test'] };
    expect(accountIdProblem('alice.sandbox', rules)).toBeUndefined();
    expect(accountIdProblem('alice.w3a.test', rules)).toBeUndefined();
    expect(accountIdProblem('alice.testnet', rules)).toBe(
      'Invalid NEAR account ID suffix. Expected account to end with one of: sandbox, w3a.test',
    );
  });

  it('never accepts an id that the chain refuses', () => {
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

  it('requires exactly two labels with requireTopLevelDomain', () => {
    expect(accountIdProblem('a.b.testnet', { requireTopLevelDomain: true })).toBe(
      'Account ID must have exactly two parts',
    );
    expect(accountIdProblem('a.testnet', { requireTopLevelDomain: true })).toBeUndefined();
  });

  it('registers ids of up to 51 bytes', () => {
    expect(() => assertRegistrableAccountId(ofLength(51))).not.toThrow();
    expect(() => assertRegistrableAccountId(ofLength(52))).toThrow(
      expect.objectContaining({
        code: 'INVALID_ACCOUNT_ID',
        message: 'Invalid NEAR account ID: Account ID must be at most 51 characters to be registered',
      }),
    );
  });

  it('registers and joins ids by the given rules', () => {
    const rules = { suffixes: ['sandbox'] };
    for (const check of [assertAccountId, assertRegistrableAccountId, assertJoinableAccountId]) {
      expect(() => check('alice.sandbox', rules)).not.toThrow();
      expect(() => check('alice.sandbox')).toThrow('end with one of: testnet, near');
      expect(() => check('alice.testnet', rules)).toThrow(/one of: sandbox$/);
    }
  });

  it('lets another passkey join an account without a name, which is none too long', () => {
    expect(() => assertJoinableAccountId('a1'.repeat(32))).not.toThrow();
    expect(() => assertJoinableAccountId(ofLength(51))).not.toThrow();
    for (const other of [
      ofLength(52),
      `0x${'a'.repeat(40)}`,
      'A1'.repeat(32),
      ['a1'.repeat(32)],
      undefined,
    ]) {
      expect(() => assertJoinableAccountId(other)).toThrow(
        expect.objectContaining({ code: 'INVALID_ACCOUNT_ID' }),
      );
    }
  });

  it('makes an id from what a user typed', () => {
    expect(toAccountId('Alice Müller!', 'w3a-v1.testnet')).toBe('alicemller.w3a-v1.testnet');
    expect(toAccountId('x'.repeat(40), 'testnet')).toBe(`${'x'.repeat(32)}.testnet`);
    expect(toAccountId('A_b-9', 'near')).toBe('a_b-9.near');
  });

  it('turns any text into an id that fails no rule but an empty name or a misplaced separator', () => {
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

  it('recognises a direct child of an account and nothing else', () => {
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

describe('isNearAccountId', () => {
  it.each([
    'near',
    'aa',
    'a-b_c.d-e.testnet',
    '0'.repeat(64),
    '0x32be343b94f860124dc4fee278fdcbd38c102d88',
    'a'.repeat(64),
  ])('accepts %s', (accountId) => {
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
  ])('refuses %j', (accountId) => {
    expect(isNearAccountId(accountId)).toBe(false);
  });

  it('takes no exponential time on repetitive text', () => {
    for (const text of ['a'.repeat(64), 'a-'.repeat(32), 'a.'.repeat(32), `${'a_'.repeat(31)}a!`]) {
      expect(typeof isNearAccountId(text)).toBe('boolean');
    }
  });
});

describe('an account id that is no name', () => {
  const key = 'a1'.repeat(32);

  it.each<[string, boolean, boolean]>([
    [key, true, true],
    [`0x${'a'.repeat(40)}`, true, false],
    [`0s${'1'.repeat(40)}`, true, false],
    [`0u${'1'.repeat(40)}`, false, false],
    [`0x${'a'.repeat(39)}`, false, false],
    [`0x${'a'.repeat(41)}`, false, false],
    [`x${'a'.repeat(40)}`, false, false],
    [`0x${'g'.repeat(40)}`, false, false],
    [`10x${'a'.repeat(40)}`, false, false],
    [key.slice(1), false, false],
    [`${key}a`, false, false],
    [`a${key}`, false, false],
    [key.toUpperCase(), false, false],
    ['g1'.repeat(32), false, false],
    [`${key}.near`, false, false],
    [`near.${key}`, false, false],
    ['alice.near', false, false],
  ])('follows from a key, an address or a first state: %s', (accountId, isImplicit, isKey) => {
    expect(isImplicitAccountId(accountId)).toBe(isImplicit);
    expect(isNearImplicitAccountId(accountId)).toBe(isKey);
  });
});

describe('assertNearAccountId', () => {
  it.each(['near', 'alice.near', 'a1'.repeat(32)])('takes %s', (accountId) => {
    expect(() => assertNearAccountId('receiverId', accountId)).not.toThrow();
  });

  it.each(['', 'Alice.near', 'a', 7, undefined, ['alice.near']])(
    'names the field that holds %j',
    (accountId) => {
      expect(() => assertNearAccountId('receiverId', accountId)).toThrow(
        expect.objectContaining({
          code: 'INVALID_ACCOUNT_ID',
          message: expect.stringContaining(
            'receiverId must be an account id in lower case, such as alice.near',
          ),
        }),
      );
    },
  );
});
