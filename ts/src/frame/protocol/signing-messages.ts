/** The messages that sign, send, or ask the chain about keys. */
import * as v from 'valibot';
import type { AccessKeyList } from '../../near/index.js';
import type {
  ActionResult,
  AddAppKeyArgs,
  AppKey,
  AppKeyResult,
  AppKeyToAdd,
  CallWithAppKeyArgs,
  ConnectArgs,
  ConnectResult,
  DelegateActionInput,
  ExecuteActionArgs,
  ExecuteDelegateArgs,
  RecoveryKeyResult,
  RegisteredDevice,
  RevokeAppKeyArgs,
  SendTransactionArgs,
  SignAndSendTransactionsArgs,
  SignDelegateArgs,
  SignDelegateResult,
  SignDelegatesArgs,
  SignNep413Args,
  SignNep413Params,
  SignNep413Result,
  SignNep641Args,
  SignNep641Params,
  SignNep641Result,
  SignTransactionResult,
  SignTransactionsArgs,
} from '../../types.js';
import { type Crossing, inObject, inOrder, inOwnShape, type Wish, wishOf } from './call-message.js';
import { chainOutcome } from './chain.js';
import { message } from './message.js';
import * as payloads from './payloads.js';
import { quiet, sending, signing } from './policies.js';
import { nothing, outcome } from './results.js';
import {
  accountId,
  amount,
  bytes,
  exact,
  flag,
  LONG,
  list,
  MAX_TRANSACTIONS,
  name,
  only,
  optional,
  orAbsent,
  orNull,
  type Schema,
  sentence,
  text,
  wholeNumber,
} from './schemas.js';
import { transactionsByButton } from './transaction-button.js';
import {
  actionInputs,
  args,
  executionWait,
  fate,
  signedTransaction,
  transactionInputs,
  waitUntil,
} from './transactions.js';
import { fromWireTransaction, toWireTransaction, type WireSignedTransaction } from './wire-transaction.js';

// ---------------------------------------------------------------- results

const actionEntries = {
  ...outcome,
  fate: optional(fate),
  transactionId: orNull(name),
  result: orNull(chainOutcome),
};
export const action = only<ActionResult>(actionEntries);
export const actions: Schema<readonly ActionResult[]> = list(action);
export const recordedDevice = only<RegisteredDevice>({ ...actionEntries, deviceNumber: orNull(wholeNumber) });
export const recoveryKey = only<RecoveryKeyResult>({ ...actionEntries, publicKey: orNull(name) });

export const appKey = only<AppKeyResult>({
  ...actionEntries,
  publicKey: orNull(name),
  pending: optional(flag),
});

export interface WireSignTransactionResult extends Omit<SignTransactionResult, 'signedTransaction'> {
  readonly signedTransaction: WireSignedTransaction;
}
export const signedTransactions: Schema<readonly WireSignTransactionResult[]> = list(
  only<WireSignTransactionResult>({ signedTransaction, nearAccountId: accountId, logs: list(sentence) }),
);

export const nep413 = only<SignNep413Result>({
  ...outcome,
  accountId,
  publicKey: orNull(name),
  signature: orNull(name),
  nonce: orNull(name),
  state: optional(text(LONG)),
});

/** Room for the payload, also where JSON escapes it, and for what an authorization has besides. */
const MAX_AUTHORIZATION = 8 * LONG;

export const nep641 = only<SignNep641Result>({
  ...outcome,
  accountId,
  publicKey: orNull(name),
  authorization: orNull(text(MAX_AUTHORIZATION)),
});

export const delegate = only<SignDelegateResult>({
  ...outcome,
  hash: orNull(name),
  signedDelegate: orNull(text(16 * 1024 * 1024)),
  publicKey: orNull(name),
  nonce: orNull(amount),
  maxBlockHeight: orNull(amount),
});

export const accessKeys: Schema<AccessKeyList> = v.object({
  keys: list(
    v.object({
      public_key: name,
      access_key: v.object({
        nonce: wholeNumber,
        permission: v.union([
          v.literal('FullAccess'),
          v.object({
            FunctionCall: v.object({
              allowance: orNull(amount),
              receiver_id: accountId,
              method_names: list(name),
            }),
          }),
          // Of a permission newer than this client, only the name crosses.
          v.pipe(
            v.record(v.string(), v.unknown()),
            v.transform((newer) =>
              Object.fromEntries(
                Object.keys(newer)
                  .slice(0, 1)
                  .map((kind) => [kind, {}]),
              ),
            ),
          ),
        ]),
      }),
    }),
    10_000,
  ),
  block_height: wholeNumber,
  block_hash: name,
});

export const appKeys: Schema<readonly AppKey[]> = list(
  only<AppKey>({
    publicKey: name,
    receiverId: accountId,
    methodNames: list(name),
    allowance: orNull(amount),
    lanes: optional(wholeNumber),
    isHere: flag,
    expiresAt: orNull(wholeNumber),
    isExpired: flag,
    isOnChain: flag,
  }),
);

export const connected = only<ConnectResult>({
  ...outcome,
  accountId: orNull(accountId),
  publicKey: orNull(name),
  signedMessage: optional(nep413),
  addedKey: optional(action),
});

// ---------------------------------------------------------------- payloads

const messageToSign = exact<SignNep413Params>({
  message: text(LONG),
  recipient: name,
  nonce: orAbsent(bytes(32)),
  state: orAbsent(text(LONG)),
  callbackUrl: orAbsent(payloads.url),
});

const keyBounds = {
  methodNames: orAbsent(list(name) as Schema<readonly string[]>),
  allowance: optional(orNull(amount)),
};

const delegatePayload = {
  ...payloads.receiver,
  actions: actionInputs,
  validForBlocks: optional(wholeNumber),
  ...payloads.wish,
};
const delegateLimits = { nonce: optional(amount), maxBlockHeight: optional(amount) };

const delegateActions: Schema<readonly DelegateActionInput[]> = list(
  exact<DelegateActionInput>({ receiverId: accountId, actions: actionInputs, ...delegateLimits }),
);

/** A batch's options cross under `options`, apart from the confirmation wish. */
type Batch = Omit<SignAndSendTransactionsArgs, 'options'> & {
  readonly options?: Omit<BatchWish, 'confirmationConfig'>;
} & Pick<BatchWish, 'confirmationConfig'>;
type BatchWish = Wish<SignAndSendTransactionsArgs['options']>;

const batch = exact<Batch>({
  ...payloads.account,
  transactions: transactionInputs,
  options: optional(
    exact<Omit<BatchWish, 'confirmationConfig'>>({
      waitUntil: optional(waitUntil),
      executionWait: optional(executionWait),
    }),
  ),
  ...payloads.wish,
});

type SendWish = Omit<Wish<SendTransactionArgs['options']>, 'confirmationConfig'>;
export interface SentTransaction {
  readonly signedTransaction: WireSignedTransaction;
  readonly options?: SendWish;
}

export const SIGNING_MESSAGES = {
  PM_PREFETCH_BLOCKHEIGHT: inOrder('prefetchBlockheight', [], {
    ...quiet,
    payload: payloads.none,
    result: nothing,
  }),
  PM_SIGN_TXS_WITH_ACTIONS: inObject('signTransactionsWithActions', ['nearAccountId', 'transactions'], {
    ...signing,
    payload: exact<Crossing<SignTransactionsArgs>>({
      ...payloads.account,
      transactions: transactionInputs,
      ...payloads.wish,
    }),
    result: signedTransactions,
    wire: {
      to: (signed) =>
        signed.map(({ signedTransaction, ...rest }) => ({
          ...rest,
          signedTransaction: toWireTransaction(signedTransaction),
        })),
      from: (signed) =>
        signed.map(({ signedTransaction, ...rest }) => ({
          ...rest,
          signedTransaction: fromWireTransaction(signedTransaction),
        })),
    },
  }),
  PM_SIGN_AND_SEND_TXS: inObject('signAndSendTransactions', ['nearAccountId', 'transactions'], {
    ...sending,
    payload: batch,
    result: actions,
    pack: ([{ options = {}, ...batch }]) => {
      const { confirmationConfig, ...rest } = wishOf(options);
      return { ...batch, options: rest, ...(confirmationConfig && { confirmationConfig }) };
    },
  }),
  /**
   * A transaction button in the wallet, which shows what it signs. TX_BUTTON_SUBMIT and TX_BUTTON_RESULT report each click
   * and its outcome; the end is the results of the click after which every transaction succeeded.
   */
  PM_MOUNT_TX_BUTTON: message({
    overlay: 'by-phase',
    click: 'by-content',
    flow: 'action',
    sends: true,
    sticky: true,
    payload: batch,
    result: nothing,
    end: actions,
    run: async (wallet, { nearAccountId, transactions, options, confirmationConfig }, call) => {
      const wish = { ...options, ...(confirmationConfig && { confirmationConfig }) };
      call.until(transactionsByButton(wallet, { nearAccountId, transactions, options: wish }, call, actions));
    },
  }),
  PM_EXECUTE_ACTION: inObject('executeAction', ['nearAccountId', 'receiverId', 'actionArgs'], {
    ...sending,
    payload: exact<Crossing<ExecuteActionArgs>>({
      ...payloads.receiver,
      actionArgs: actionInputs,
      ...payloads.sending,
    }),
    result: action,
  }),
  PM_SEND_TRANSACTION: inOwnShape('sendTransaction', {
    ...sending,
    click: 'never',
    payload: exact<SentTransaction>({
      signedTransaction,
      options: optional(exact<SendWish>({ waitUntil: optional(waitUntil) })),
    }),
    result: action,
    pack: ([{ signedTransaction, options = {} }]) => {
      const { confirmationConfig: _, ...rest } = wishOf(options);
      return { signedTransaction: toWireTransaction(signedTransaction), options: rest };
    },
    optionsOf: ([{ options = {} }]) => options,
    run: (wallet, { signedTransaction, options: of }, { options }) =>
      wallet.sendTransaction({
        signedTransaction: fromWireTransaction(signedTransaction),
        options: { ...of, ...options },
      }),
  }),
  PM_CONNECT: inObject('connect', ['signMessage', 'addKey'], {
    ...sending,
    click: 'always',
    payload: exact<Crossing<ConnectArgs>>({
      signMessage: optional(messageToSign),
      addKey: optional(exact<AppKeyToAdd>({ publicKey: name, receiverId: accountId, ...keyBounds })),
      ...payloads.sending,
      ...payloads.signupPayment,
    }),
    result: connected,
  }),
  PM_SIGN_NEP413: inObject('signNEP413Message', ['nearAccountId', 'params'], {
    ...signing,
    payload: exact<Crossing<SignNep413Args>>({
      ...payloads.account,
      params: messageToSign,
      ...payloads.wish,
    }),
    result: nep413,
  }),
  PM_SIGN_NEP641: inObject('signNEP641Authorization', ['nearAccountId', 'params'], {
    ...signing,
    payload: exact<Crossing<SignNep641Args>>({
      ...payloads.account,
      params: exact<SignNep641Params>({
        payload: text(LONG),
        path: orAbsent(list(accountId) as Schema<readonly string[]>),
        chainId: orAbsent(name),
      }),
      ...payloads.wish,
    }),
    result: nep641,
  }),
  PM_SIGN_DELEGATE_ACTION: inObject(
    'signDelegateAction',
    ['nearAccountId', 'receiverId', 'actions', 'nonce', 'maxBlockHeight'],
    {
      ...signing,
      payload: exact<Crossing<SignDelegateArgs>>({ ...delegatePayload, ...delegateLimits }),
      result: delegate,
    },
  ),
  PM_SIGN_DELEGATE_ACTIONS: inObject('signDelegateActions', ['nearAccountId', 'delegateActions'], {
    ...signing,
    payload: exact<Crossing<SignDelegatesArgs>>({
      ...payloads.account,
      delegateActions,
      validForBlocks: optional(wholeNumber),
      ...payloads.wish,
    }),
    result: list(delegate, MAX_TRANSACTIONS),
  }),
  PM_EXECUTE_DELEGATE_ACTION: inObject('executeDelegateAction', ['nearAccountId', 'receiverId', 'actions'], {
    ...sending,
    payload: exact<Crossing<ExecuteDelegateArgs>>(delegatePayload),
    result: action,
  }),

  // ---------------------------------------------------------------- keys
  PM_VIEW_ACCESS_KEYS: inOrder('viewAccessKeyList', ['accountId'], {
    ...quiet,
    payload: payloads.ofAccountId,
    result: accessKeys,
  }),
  PM_ADD_APP_KEY: inObject(
    'addAppKey',
    ['nearAccountId', 'receiverId', 'methodNames', 'allowance', 'prepaid', 'lanes', 'expiresAt'],
    {
      ...sending,
      payload: exact<Crossing<AddAppKeyArgs>>({
        ...payloads.receiver,
        ...keyBounds,
        prepaid: optional(name),
        lanes: optional(wholeNumber),
        expiresAt: optional(wholeNumber),
        ...payloads.sending,
      }),
      result: appKey,
    },
  ),
  PM_CALL_WITH_APP_KEY: inObject(
    'callWithAppKey',
    ['nearAccountId', 'receiverId', 'methodName', 'args', 'gas'],
    {
      ...quiet,
      flow: 'action',
      sends: true,
      payload: exact<Crossing<CallWithAppKeyArgs>>({
        ...payloads.receiver,
        methodName: name,
        args,
        gas: optional(amount),
        ...payloads.sending,
      }),
      result: action,
    },
  ),
  PM_REVOKE_APP_KEY: inObject('revokeAppKey', ['nearAccountId', 'publicKey'], {
    ...sending,
    payload: exact<Crossing<RevokeAppKeyArgs>>({
      ...payloads.account,
      publicKey: name,
      ...payloads.sending,
    }),
    result: action,
  }),
  PM_GET_APP_KEYS: inOrder('getAppKeys', ['nearAccountId'], {
    ...quiet,
    payload: payloads.ofAccount,
    result: appKeys,
  }),
};
