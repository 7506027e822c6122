import { describe, expect, it } from 'vitest';
import { emptyAccountInput, resolveAccountInput } from './account-input.js';

const contract = 'w3a-v1.testnet';

describe('account input (kit 2)', () => {
  it('puts a new name under the contract', () => {
    expect(resolveAccountInput('Alice', [], contract)).toEqual({
      inputUsername: 'alice',
      targetAccountId: 'alice.w3a-v1.testnet',
      displayPostfix: '.w3a-v1.testnet',
      isUsingExistingAccount: false,
      accountExists: false,
    });
  });

  it('takes a known account of that name with any suffix', () => {
    expect(resolveAccountInput('ALICE', ['bob.w3a-v1.testnet', 'alice.testnet'], contract)).toMatchObject({
      targetAccountId: 'alice.testnet',
      displayPostfix: '.testnet',
      isUsingExistingAccount: true,
    });
  });

  it('prefers the account under the contract when two have the same name', () => {
    expect(
      resolveAccountInput('alice', ['alice.testnet', 'alice.w3a-v1.testnet'], contract).targetAccountId,
    ).toBe('alice.w3a-v1.testnet');
  });

  it.each([
    ['alice.w3a-v1.testnet', [], false],
    ['alice.testnet', ['alice.testnet'], true],
    // Created elsewhere, unknown here.
    ['Alice.testnet', [], false],
    ['alice.testnet', ['alice.w3a-v1.testnet'], false],
    ['phone.alice.testnet', [], false],
  ])('treats %s as a whole account id when %s are known', (typed, known, isUsingExistingAccount) => {
    expect(resolveAccountInput(typed, known, contract)).toMatchObject({
      targetAccountId: typed.toLowerCase(),
      displayPostfix: '',
      isUsingExistingAccount,
    });
  });

  it('clears the target for a blank input', () => {
    expect(resolveAccountInput('', ['alice.testnet'], contract)).toEqual(emptyAccountInput);
    expect(resolveAccountInput('  ', [], contract).targetAccountId).toBe('');
  });
});
