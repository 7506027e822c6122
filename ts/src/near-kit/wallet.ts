/** A wallet as near-kit's `Near` takes it, whose key is in a Latchkey wallet. */
import { base58 } from '@scure/base';
import {
  decodeSignedDelegateAction,
  encodeSignedDelegateAction,
  type FinalExecutionOutcome,
  type SignDelegateActionsParams,
  type SignDelegateActionsResult,
  type WalletConnection,
} from 'near-kit';
import { batchError, carriedBytes } from '../client-errors.js';
import { errorOf, LatchkeyError, OTHER_ACCOUNT, OTHER_TRANSACTION } from '../errors/account.js';
import type { SignDelegateResult } from '../types.js';
import type { Wallet } from '../wallet.js';
import { type NearKitAction, toActionInputs } from './actions.js';

/** The calls that near-kit leads to. A PasskeyManager has them, with its wallet in the page or in a frame. */
export type NearKitManager = Pick<
  Wallet,
  'getLoginState' | 'signAndSendTransactions' | 'signNEP413Message' | 'signDelegateActions'
>;

export interface NearKitWalletArgs {
  readonly wallet: NearKitManager;
  /** The account that is logged in there. */
  readonly accountId: string;
}

type Delegate = SignDelegateActionsParams['delegateActions'][number];
type SignedDelegate = SignDelegateActionsResult['signedDelegateActions'][number];

/**
 * Makes the `wallet` of near-kit's `Near`. Each call asks the user once. A request for another account is refused with
 * OTHER_ACCOUNT, and an action that the wallet cannot show with ACTION_NOT_CARRIED, both before the user is asked. Errors are
 * LatchkeyErrors: CANCELLED when the user declines, TRANSACTION_FAILED when the execution failed.
 */
export function createNearKitWallet({ wallet, accountId }: NearKitWalletArgs): Required<WalletConnection> {
  function assertOwn(asked = accountId): void {
    if (asked !== accountId)
      throw new LatchkeyError(OTHER_ACCOUNT, { values: { asked, account: accountId } });
  }

  return {
    async getAccounts() {
      const { publicKey } = await wallet.getLoginState(accountId);
      return [{ accountId, ...(publicKey !== null && { publicKey }) }];
    },
    async signAndSendTransaction({ signerId, receiverId, actions }) {
      assertOwn(signerId);
      const transactions = [{ receiverId, actions: toActionInputs(actions) }];
      const results = await wallet.signAndSendTransactions({ nearAccountId: accountId, transactions });
      const [sent] = results;
      if (!sent?.success) throw batchError(results);
      return sent.result as FinalExecutionOutcome;
    },
    async signMessage({ message, recipient, nonce, callbackUrl, state }) {
      const params = {
        message,
        recipient,
        nonce: carriedBytes('nonce', nonce),
        ...(callbackUrl != null && { callbackUrl }),
        ...(state !== undefined && { state }),
      };
      const signed = await wallet.signNEP413Message({ nearAccountId: accountId, params });
      const { publicKey, signature } = signed;
      if (!signed.success || publicKey === null || signature === null) throw errorOf(signed);
      return { accountId, publicKey, signature, ...(state !== undefined && { state }) };
    },
    async signDelegateActions({ signerId, delegateActions: asked }) {
      assertOwn(signerId);
      const delegateActions = asked.map(({ receiverId, actions }) => ({
        receiverId,
        actions: toActionInputs(actions),
      }));
      const results = await wallet.signDelegateActions({ nearAccountId: accountId, delegateActions });
      return { signedDelegateActions: asked.map((one, index) => delegateAsAsked(one, results[index])) };
    },
  };
}

/** The requested delegate, as the wallet signed it. Throws OTHER_TRANSACTION if its receiver or its actions differ. */
function delegateAsAsked(asked: Delegate, result: SignDelegateResult | undefined): SignedDelegate {
  if (!result?.success || result.hash === null || result.signedDelegate === null) throw errorOf(result);
  const signed = decodeSignedDelegateAction(result.signedDelegate);
  const { delegateAction, signature } = signed.signedDelegate;
  const { receiverId } = asked;
  const actions = asked.actions as readonly NearKitAction[] as typeof delegateAction.actions;
  const expected = {
    signedDelegate: { delegateAction: { ...delegateAction, receiverId, actions }, signature },
  };
  if (encodeSignedDelegateAction(expected) !== result.signedDelegate)
    throw new LatchkeyError(OTHER_TRANSACTION);
  return { delegateHash: base58.decode(result.hash), signedDelegate: signed };
}
