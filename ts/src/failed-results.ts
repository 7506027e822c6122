/**
 * What a call resolves with when it fails: the result of its type, with `success: false`, for whatever went wrong. A call
 * without such a result rejects. The facade applies the table to each call; the flows take their results from here, too.
 */
import {
  filled,
  isCancellation,
  type LatchkeyError,
  NEP413_FAILED_TEXT,
  toLatchkeyError,
} from './errors/latchkey-error.js';
import type {
  ActionResult,
  FlowOptions,
  LinkDeviceOptions,
  LinkedAccount,
  LoginResult,
  Outcome,
  PreparedAdoption,
  RegistrationResult,
  SignDelegateResult,
  SignNep413Result,
  TransactionFate,
} from './types.js';
import type { CallArgs, CallName, CallResult } from './wallet.js';

/** The part of a result that says what went wrong. */
export function failure(error: LatchkeyError): Outcome & { readonly error: string } {
  return { success: false, error: error.message, errorCode: error.code };
}

/** The result of a transaction that did not succeed. */
export function failedAction(error: LatchkeyError): ActionResult {
  const { transactionId, outcome, fate } = error.details;
  return {
    ...failure(error),
    fate: (fate as TransactionFate | undefined) ?? 'not-sent',
    transactionId: typeof transactionId === 'string' ? transactionId : null,
    result: outcome ?? null,
  };
}

export function failedRegistration(error: LatchkeyError, nearAccountId: string): RegistrationResult {
  return {
    ...failure(error),
    nearAccountId,
    clientNearPublicKey: null,
    transactionId: null,
    ...(isInDoubt(error) && { pending: true }),
    vrfRegistration: {
      success: false,
      vrfPublicKey: null,
      encryptedVrfKeypair: null,
      contractVerified: false,
    },
  };
}

/** Whether what was sent may still be executed. */
function isInDoubt(error: LatchkeyError): boolean {
  return error.details.fate === 'unknown';
}

export function failedLogin(error: LatchkeyError): LoginResult {
  return {
    ...failure(error),
    nearAccountId: null,
    loggedInNearAccountId: null,
    clientNearPublicKey: null,
  };
}

/** The result of a device that has not joined. `Id` is null where the account may be unknown. */
export function failedLinking<Id extends string | null>(
  error: LatchkeyError,
  nearAccountId: Id,
): Omit<LinkedAccount, 'nearAccountId'> & { readonly nearAccountId: Id } {
  return {
    ...failure(error),
    nearAccountId,
    deviceNumber: null,
    publicKey: null,
    transactionIds: [],
    isLoggedIn: false,
  };
}

export function failedAdoption(error: LatchkeyError, nearAccountId: string): PreparedAdoption {
  return { ...failure(error), nearAccountId, publicKey: null, isAdded: false };
}

export function failedDelegate(error: LatchkeyError): SignDelegateResult {
  return {
    ...failure(error),
    hash: null,
    signedDelegate: null,
    publicKey: null,
    nonce: null,
    maxBlockHeight: null,
  };
}

export function failedMessage(error: LatchkeyError, accountId: string, state?: string): SignNep413Result {
  return {
    ...failure(error),
    ...(!isCancellation(error) && { error: filled(NEP413_FAILED_TEXT, { reason: error.message }) }),
    accountId,
    publicKey: null,
    signature: null,
    nonce: null,
    ...(state !== undefined && { state }),
  };
}

/** The amount that a linking echoes where the caller names none, in NEAR. */
export const DEFAULT_FUNDING_AMOUNT = '0.05';

type Failed<C extends CallName> = (error: LatchkeyError, args: CallArgs<C>) => CallResult<C>;

/** A result for each call that has one; null for a call that rejects. The type tells which is which. */
type FailedResults = {
  readonly [C in CallName]: CallResult<C> extends Outcome | readonly Outcome[] ? Failed<C> : null;
};

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
  connect: (error) => ({ ...failure(error), accountId: null, publicKey: null }),
  loginPasskey: failedLogin,
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

  resume: null,
  discoverRecoverableAccounts: null,
  logoutAndClearVrfSession: null,
  getLoginState: null,
  hasPasskeyCredential: null,
  getRecentLogins: null,
  viewAccessKeyList: null,
  signTransactionsWithActions: null,
  startDevice2LinkingFlow: null,
  stopDevice2LinkingFlow: null,
  abandonAdoption: null,
  getAppKeys: null,
  prefetchBlockheight: null,
  getConfirmationConfig: null,
  setConfirmationConfig: null,
  setConfirmBehavior: null,
  getUserPreferences: null,
  setUserPreferences: null,
  setUserTheme: null,
  getLinkedDevices: null,
};

/** Whether a call resolves with a result when it fails. */
export function hasResult(call: CallName): boolean {
  return FAILED[call] !== null;
}

type Callbacks = Pick<FlowOptions<'action', unknown>, 'onError' | 'afterCall'>;

/** Errors of which a call's callbacks know. */
const told = new WeakSet<LatchkeyError>();

/** Tells the callbacks of a call that it failed, once. */
export async function tellFailure(
  error: LatchkeyError,
  options: Pick<Callbacks, 'onError'> | undefined,
): Promise<void> {
  if (told.has(error)) return;
  told.add(error);
  await reported(() => options?.onError?.(error));
}

/** A callback's error does not change the outcome; it is reported like an event listener's. */
export async function reported(callback: () => void | Promise<void>): Promise<void> {
  try {
    await callback();
  } catch (error) {
    reportError(error);
  }
}

/** The result of a call that failed. Throws the error of a call that has no such result. */
export async function failedCall(
  call: CallName,
  args: CallArgs<CallName>,
  thrown: unknown,
): Promise<unknown> {
  const error = toLatchkeyError(thrown);
  // What fails before its flow begins, such as code that does not load.
  if (!told.has(error)) {
    const last = args.at(-1) as { readonly options?: Callbacks } | undefined;
    const options = last?.options ?? (last as Callbacks | undefined);
    await tellFailure(error, options);
    await reported(() => options?.afterCall?.(false));
  }
  const failed = FAILED[call] as Failed<CallName> | null;
  if (!failed) throw error;
  return failed(error, args);
}
