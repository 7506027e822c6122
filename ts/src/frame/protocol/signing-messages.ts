/** The messages that sign, send, or ask the chain about keys. */
import { message } from './message.js';
import * as payloads from './payloads.js';
import { nothing } from './results.js';
import * as results from './signing-results.js';
import { fromWireTransaction, toWireTransaction } from './wire-transaction.js';

export const SIGNING_MESSAGES = {
  PM_PREFETCH_BLOCKHEIGHT: message({
    payload: payloads.none,
    result: nothing,
    run: (wallet) => wallet.prefetchBlockheight(),
  }),
  PM_SIGN_TXS_WITH_ACTIONS: message({
    payload: payloads.transactions,
    result: results.signedTransactions,
    run: async (wallet, { nearAccountId, transactions, ...wish }, { options }) => {
      const signed = await wallet.signTransactionsWithActions({
        nearAccountId,
        transactions,
        options: { ...wish, ...options },
      });
      return signed.map(({ signedTransaction, ...rest }) => ({
        ...rest,
        signedTransaction: toWireTransaction(signedTransaction),
      }));
    },
  }),
  PM_SIGN_AND_SEND_TXS: message({
    payload: payloads.batch,
    result: results.actions,
    run: (wallet, { nearAccountId, transactions, options: of, ...wish }, { options }) =>
      wallet.signAndSendTransactions({
        nearAccountId,
        transactions,
        options: { ...of, ...wish, ...options },
      }),
  }),
  PM_EXECUTE_ACTION: message({
    payload: payloads.action,
    result: results.action,
    run: (wallet, { nearAccountId, receiverId, actionArgs, ...rest }, { options }) =>
      wallet.executeAction({ nearAccountId, receiverId, actionArgs, options: { ...rest, ...options } }),
  }),
  PM_SEND_TRANSACTION: message({
    payload: payloads.send,
    result: results.action,
    run: (wallet, { signedTransaction, options: of }, { options }) =>
      wallet.sendTransaction({
        signedTransaction: fromWireTransaction(signedTransaction),
        options: { ...of, ...options },
      }),
  }),
  PM_SIGN_NEP413: message({
    payload: payloads.nep413,
    result: results.nep413,
    run: (wallet, { nearAccountId, params, ...wish }, { options }) =>
      wallet.signNEP413Message({ nearAccountId, params, options: { ...wish, ...options } }),
  }),
  PM_SIGN_DELEGATE_ACTION: message({
    payload: payloads.delegate,
    result: results.delegate,
    run: (wallet, { nearAccountId, receiverId, actions, ...rest }, { options }) =>
      wallet.signDelegateAction({ nearAccountId, receiverId, actions, options: { ...rest, ...options } }),
  }),
  PM_EXECUTE_DELEGATE_ACTION: message({
    payload: payloads.delegate,
    result: results.action,
    run: (wallet, { nearAccountId, receiverId, actions, ...rest }, { options }) =>
      wallet.executeDelegateAction({ nearAccountId, receiverId, actions, options: { ...rest, ...options } }),
  }),

  // ---------------------------------------------------------------- keys
  PM_VIEW_ACCESS_KEYS: message({
    payload: payloads.ofAccountId,
    result: results.accessKeys,
    run: (wallet, { accountId }) => wallet.viewAccessKeyList(accountId),
  }),
  PM_ADD_APP_KEY: message({
    payload: payloads.appKeyToMake,
    result: results.appKey,
    run: (wallet, { waitUntil, confirmationConfig, ...toMake }, { options }) =>
      wallet.addAppKey({
        ...toMake,
        options: {
          ...(waitUntil && { waitUntil }),
          ...(confirmationConfig && { confirmationConfig }),
          ...options,
        },
      }),
  }),
  PM_CALL_WITH_APP_KEY: message({
    payload: payloads.appKeyCall,
    result: results.action,
    run: (wallet, { waitUntil, confirmationConfig: _, ...call }, { options }) =>
      wallet.callWithAppKey({ ...call, options: { ...(waitUntil && { waitUntil }), ...options } }),
  }),
  PM_REVOKE_APP_KEY: message({
    payload: payloads.appKeyToRevoke,
    result: results.action,
    run: (wallet, { nearAccountId, publicKey, ...rest }, { options }) =>
      wallet.revokeAppKey({ nearAccountId, publicKey, options: { ...rest, ...options } }),
  }),
  PM_GET_APP_KEYS: message({
    payload: payloads.ofAccount,
    result: results.appKeys,
    run: (wallet, { nearAccountId }) => wallet.getAppKeys(nearAccountId),
  }),
};
