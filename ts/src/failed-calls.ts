/** What each call resolves with when it fails outside of its flow. Loaded with the first such failure. */
import type { LatchkeyError } from './errors/latchkey-error.js';
import {
  DEFAULT_FUNDING_AMOUNT,
  failedAction,
  failedAdoption,
  failedAuthorization,
  failedCreation,
  failedDelegate,
  failedLinking,
  failedLogin,
  failedMessage,
  failedRecord,
  failedRegistration,
  failure,
  isInDoubt,
} from './failed-results.js';
import type { LinkDeviceOptions, Outcome } from './types.js';
import type { CallArgs, CallName, CallResult, ResolvingCall } from './wallet.js';

type Failed<C extends ResolvingCall> = (error: LatchkeyError, args: CallArgs<C>) => CallResult<C>;

/** Every call that resolves when it fails has a result here. */
type FailedResults = { readonly [C in ResolvingCall]: Failed<C> };

const keyless = (error: LatchkeyError) => ({ ...failedAction(error), publicKey: null });
const unlinked = (error: LatchkeyError, options: LinkDeviceOptions | undefined) => ({
  ...failure(error),
  device2PublicKey: '',
  fundingAmount: options?.fundingAmount ?? DEFAULT_FUNDING_AMOUNT,
});
/** One for each that was asked for; one in all where there is none, so that no failure looks like a success. */
const forEach = <T>(list: unknown, one: T): readonly T[] =>
  Array.isArray(list) && list.length > 0 ? list.map(() => one) : [one];

const FAILED: FailedResults = {
  registerPasskey: (error, [id]) => failedRegistration(error, id),
  createAccount: failedCreation,
  registerDevice: failedRecord,
  connect: (error) => ({ ...failure(error), accountId: null, publicKey: null }),
  loginPasskey: failedLogin,
  checkPasskey: (error, [nearAccountId]) => ({ ...failure(error), nearAccountId, passkeyProven: false }),
  recoverAccountFlow: (error, [asked]) => ({
    ...failure(error),
    accountId: asked?.accountId ?? null,
    publicKey: null,
    message: error.message,
  }),
  executeAction: failedAction,
  sendTransaction: failedAction,
  signAndSendTransactions: (error, [asked]) => {
    const ids = error.details.transactionIds as readonly string[] | undefined;
    const failed = forEach(asked?.transactions, failedAction(error));
    return ids ? failed.map((one, index) => ({ ...one, transactionId: ids[index] ?? null })) : failed;
  },
  signNEP641Authorization: (error, [asked]) => failedAuthorization(error, asked?.nearAccountId),
  signNEP413Message: (error, [asked]) => failedMessage(error, asked?.nearAccountId, asked?.params?.state),
  finishDeviceLinking: (error, [id]) => failedLinking(error, id),
  prepareAdoption: (error, [id]) => failedAdoption(error, id),
  finishAdoption: (error, [id]) => failedLinking(error, id),
  exportNearKeypairWithUI: (error, [nearAccountId]) => ({
    ...failure(error),
    nearAccountId,
    publicKey: null,
  }),
  addRecoveryKey: keyless,
  recoverWithPhrase: (error, [asked]) => failedLinking(error, asked?.nearAccountId ?? null),
  addAppKey: (error) => ({ ...keyless(error), ...(isInDoubt(error) && { pending: true }) }),
  callWithAppKey: failedAction,
  revokeAppKey: failedAction,
  signDelegateAction: failedDelegate,
  signDelegateActions: (error, [asked]) => forEach(asked?.delegateActions, failedDelegate(error)),
  executeDelegateAction: failedAction,
  linkDeviceWithScannedQRData: (error, [, options]) => unlinked(error, options),
  scanAndLinkDevice: (error, [options]) => unlinked(error, options),
  deleteDeviceKey: failedAction,
};

/** The result of a call that failed with the error. */
export function failedResult(
  call: ResolvingCall,
  args: CallArgs<CallName>,
  error: LatchkeyError,
): Outcome | readonly Outcome[] {
  const failed = FAILED[call] as (
    error: LatchkeyError,
    args: CallArgs<CallName>,
  ) => Outcome | readonly Outcome[];
  return failed(error, args);
}
