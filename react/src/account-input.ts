import { usernameOf } from 'latchkey';

/** The state of the account field: the typed text, the account it means, and whether this device has its passkey. */
export interface AccountInputState {
  /** The typed text in lower case: a user name, or a whole account id. */
  inputUsername: string;
  /**
   * The account meant: text with a dot is a whole account id, such as `alice.testnet`; a name alone means a known local
   * account, else a name under the contract. '' for blank input.
   */
  targetAccountId: string;
  /** The suffix shown after the typed text, for example `.w3a-v1.testnet`; '' for blank input and for a whole id. */
  displayPostfix: string;
  /** True when the name belongs to an account that was used on this device. */
  isUsingExistingAccount: boolean;
  /** True when this device holds a passkey credential for the target. */
  accountExists: boolean;
}

export const emptyAccountInput: AccountInputState = {
  inputUsername: '',
  targetAccountId: '',
  displayPostfix: '',
  isUsingExistingAccount: false,
  accountExists: false,
};

/** Resolves a typed user name to an account, before the passkey lookup (`accountExists` is false here). */
export function resolveAccountInput(
  typed: string,
  knownAccountIds: readonly string[],
  contractId: string,
): AccountInputState {
  const inputUsername = typed.toLowerCase();
  const name = inputUsername.trim();
  if (name === '') return { ...emptyAccountInput, inputUsername };
  const whole = name.includes('.') ? name : `${name}.${contractId}`;
  const known =
    knownAccountIds.find((id) => id === whole) ?? knownAccountIds.find((id) => usernameOf(id) === name);
  const targetAccountId = known ?? whole;
  return {
    inputUsername,
    targetAccountId,
    displayPostfix: targetAccountId.slice(name.length),
    isUsingExistingAccount: known !== undefined,
    accountExists: false,
  };
}
