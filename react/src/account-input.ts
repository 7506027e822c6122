import { usernameOf } from 'latchkey';

/** What the account field knows: the spelling typed, the account it means, and whether this device has its passkey. */
export interface AccountInputState {
  /** The user name as typed, in lower case, without the suffix. */
  inputUsername: string;
  /** The account meant: a known local account of that name, else the name under the contract. '' for a blank input. */
  targetAccountId: string;
  /** The suffix shown after the typed text, for example `.w3a-v1.testnet`; '' for a blank input. */
  displayPostfix: string;
  /** True where the name belongs to an account that was used on this device. */
  isUsingExistingAccount: boolean;
  /** True where this device holds a passkey credential for the target. */
  accountExists: boolean;
}

export const emptyAccountInput: AccountInputState = {
  inputUsername: '',
  targetAccountId: '',
  displayPostfix: '',
  isUsingExistingAccount: false,
  accountExists: false,
};

/** Which account a typed user name means, before the passkey is looked up (`accountExists` is false here). */
export function resolveAccountInput(
  typed: string,
  knownAccountIds: readonly string[],
  contractId: string,
): AccountInputState {
  const inputUsername = typed.toLowerCase();
  const name = inputUsername.trim();
  if (name === '') return { ...emptyAccountInput, inputUsername };
  const ours = name.endsWith(`.${contractId}`) ? name : `${name}.${contractId}`;
  const known =
    knownAccountIds.find((id) => id === ours || id === name) ??
    knownAccountIds.find((id) => usernameOf(id) === name);
  const targetAccountId = known ?? ours;
  return {
    inputUsername,
    targetAccountId,
    displayPostfix: targetAccountId.slice(name.length),
    isUsingExistingAccount: known !== undefined,
    accountExists: false,
  };
}
