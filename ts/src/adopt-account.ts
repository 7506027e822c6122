/** The host's part of an adoption: it carries one AddKey from this wallet to the user's other one. */
import {
  ADOPTION_REFUSED,
  CANCELLED,
  isCancellation,
  LatchkeyError,
  messageOf,
  type RECOVERY_PHRASE_NOT_USED,
  toLatchkeyError,
} from './errors/account.js';
import { failedLinking } from './failed-results.js';
import { orAborted } from './sleep.js';
import type { AdoptAccountArgs, KeyToAdd, LinkedAccount } from './types.js';
import type { Wallet } from './wallet.js';

type Refusal = typeof ADOPTION_REFUSED | typeof RECOVERY_PHRASE_NOT_USED;

/** See {@link PasskeyManager.adoptAccount}. */
export async function adoptAccount(
  wallet: Pick<Wallet, 'prepareAdoption' | 'abandonAdoption' | 'finishAdoption'>,
  { accountId, addKey, options = {} }: AdoptAccountArgs,
  refused: Refusal = ADOPTION_REFUSED,
): Promise<LinkedAccount> {
  const prepared = await wallet.prepareAdoption(accountId, options);
  const { publicKey, isAdded, ...outcome } = prepared;
  if (!prepared.success || publicKey === null) {
    return {
      ...outcome,
      success: false,
      deviceNumber: null,
      publicKey: null,
      transactionIds: [],
      isLoggedIn: false,
    };
  }
  if (!isAdded) {
    try {
      await orAborted(addKey(keyToAdd(accountId, publicKey)), options.signal);
    } catch (error) {
      // A wallet may fail after it has sent: the chain decides.
      try {
        const abandoned = await wallet.abandonAdoption(accountId);
        if (!abandoned.isAdded) return failedLinking(refusal(error, accountId, refused), accountId);
      } catch (unasked) {
        return failedLinking(toLatchkeyError(unasked), accountId);
      }
    }
  }
  return wallet.finishAdoption(accountId, options);
}

function keyToAdd(accountId: string, publicKey: string): KeyToAdd {
  const accessKey = { permission: 'FullAccess' } as const;
  return {
    accountId,
    receiverId: accountId,
    publicKey,
    action: { type: 'AddKey', params: { publicKey, accessKey } },
  };
}

function refusal(error: unknown, account: string, text: Refusal): LatchkeyError {
  return isCancellation(error)
    ? new LatchkeyError(CANCELLED, { cause: error })
    : new LatchkeyError(text, { values: { account, reason: messageOf(error) }, cause: error });
}
