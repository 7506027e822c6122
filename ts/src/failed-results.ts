/** The results of what failed, as the flows and `failed-calls.ts` return them. */
import { filled, isCancellation, type LatchkeyError, NEP413_FAILED_TEXT } from './errors/core.js';
import type {
  ActionResult,
  CreatedAccount,
  LinkedAccount,
  LoginResult,
  Outcome,
  PreparedAdoption,
  RegisteredDevice,
  RegistrationResult,
  SignDelegateResult,
  SignNep413Result,
  SignNep641Result,
  TransactionFate,
} from './types.js';

/** The part of a result that says what went wrong. */
export function failure(error: LatchkeyError): Outcome & { readonly error: string } {
  const { message, code, values } = error;
  return { success: false, error: message, errorCode: code, ...(values && { errorValues: values }) };
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

export function failedRecord(error: LatchkeyError): RegisteredDevice {
  return { ...failedAction(error), deviceNumber: null };
}

/** Whether any of the transactions was sent. */
export function hasLeft(results: readonly ActionResult[]): boolean {
  return results.some(({ fate = 'not-sent' }) => fate !== 'not-sent');
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
export function isInDoubt(error: LatchkeyError): boolean {
  return error.details.fate === 'unknown';
}

export function failedCreation(error: LatchkeyError): CreatedAccount {
  return { ...failure(error), nearAccountId: null, publicKey: null, passkeyProven: false };
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

export function failedMessage(
  error: LatchkeyError,
  accountId: string,
  state?: string | null,
): SignNep413Result {
  return {
    ...failure(error),
    ...(!isCancellation(error) && { error: filled(NEP413_FAILED_TEXT, { reason: error.message }) }),
    accountId,
    publicKey: null,
    signature: null,
    nonce: null,
    ...(state != null && { state }),
  };
}

export function failedAuthorization(error: LatchkeyError, accountId: string): SignNep641Result {
  return { ...failure(error), accountId, publicKey: null, authorization: null };
}

/** The amount that a linking echoes where the caller names none, in NEAR. */
export const DEFAULT_FUNDING_AMOUNT = '0.05';
