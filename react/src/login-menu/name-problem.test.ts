import { accountIdProblem, MAX_REGISTRABLE_LENGTH } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { nameProblem } from './name-problem.js';

const SUFFIX = '.w3a-v1.testnet';
const judge = (name: string, isNew = true) =>
  nameProblem({ name, accountId: name.includes('.') ? name : `${name}${SUFFIX}`, isNew });

describe('the judgement of a typed name', () => {
  it.each(['alice', 'a1', 'al-ice_2', 'x'.repeat(MAX_REGISTRABLE_LENGTH - SUFFIX.length), 'alice.testnet'])(
    'takes %s',
    (name) => expect(judge(name)).toBeUndefined(),
  );

  it.each([
    ['al ice', 'A name has no spaces.'],
    ['élise', 'A name has no “é”. Use a to z, 0 to 9, - and _.'],
    ['a\u200bb', 'A name has no “[U+200B]”. Use a to z, 0 to 9, - and _.'],
    ['alice@near', 'A name has no “@”. Use a to z, 0 to 9, - and _.'],
    ['-alice', 'A name begins and ends with a letter or a digit, and has one between two separators.'],
    ['alice_', 'A name begins and ends with a letter or a digit, and has one between two separators.'],
    ['al--ice', 'A name begins and ends with a letter or a digit, and has one between two separators.'],
    ['alice.', 'A name begins and ends with a letter or a digit, and has one between two separators.'],
    ['alice.org', 'A whole account id ends in .testnet or .near.'],
  ])('says what is wrong with %j', (name, said) => expect(judge(name)).toBe(said));

  it('takes any id of an account that exists, and a new name below a registry of any suffix', () => {
    for (const name of ['alice.tg', 'bob.sweat']) expect(judge(name, false)).toBeUndefined();
    expect(nameProblem({ name: 'alice', accountId: 'alice.registry.tg', isNew: true })).toBeUndefined();
  });

  it('counts how many characters a name is too long, with its suffix', () => {
    const longest = MAX_REGISTRABLE_LENGTH - SUFFIX.length;
    expect(judge('x'.repeat(longest + 1))).toBe(
      'This name is 1 character too long. It can have 36 characters at most.',
    );
    expect(judge('x'.repeat(64))).toBe(
      'This name is 28 characters too long. It can have 36 characters at most.',
    );
    // An account from elsewhere may have as many as the chain allows.
    expect(judge('x'.repeat(49), false)).toBeUndefined();
    expect(judge('x'.repeat(50), false)).toMatch(/1 character too long. It can have 49/);
  });

  it('takes exactly the ids that the rules of the kit take', () => {
    for (const name of ['a', 'a-b', 'a--b', '-', '_a', 'a.', 'a.b', 'A', 'a b', 'a.testnet', 'a.b.near']) {
      const accountId = name.includes('.') ? name : `${name}${SUFFIX}`;
      expect([name, judge(name) === undefined]).toEqual([name, accountIdProblem(accountId) === undefined]);
    }
  });
});
