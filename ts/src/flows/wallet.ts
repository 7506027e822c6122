/** The same-origin wallet: every flow, with what it works with. Loaded as one chunk at first use. */
import type { ResolvedConfig } from '../config.js';
import type { Confirmer } from '../confirm/port.js';
import { messageOf } from '../errors.js';
import { type AccessKeyList, createRpcClient } from '../near/index.js';
import { createRelayClient } from '../relay/relay-client.js';
import { WalletStore } from '../storage/store.js';
import type {
  ActionInput,
  ActionOptions,
  ActionResult,
  ConfirmationConfig,
  LoginOptions,
  LoginResult,
  LoginState,
  RecentLogins,
  RegistrationOptions,
  RegistrationResult,
  ResumeResult,
  SignAndSendOptions,
  SignedTransaction,
  SignNep413Options,
  SignNep413Params,
  SignNep413Result,
  SignTransactionResult,
  SignTransactionsOptions,
  TransactionInput,
} from '../types.js';
import { resolveRpId } from '../webauthn/rp-id.js';
import { createSignerPool, createVrfClient } from '../workers/start.js';
import type { FlowContext } from './context.js';
import { loginPasskey } from './login.js';
import { registerPasskey } from './register.js';
import { executeAction, sendTransaction, signAndSendTransactions } from './send.js';
import { getLoginState, getRecentLogins, hasPasskeyCredential, logout } from './session.js';
import { getConfirmationConfig, setConfirmationConfig } from './settings.js';
import { resumeRegistrations } from './settle-registration.js';
import { signTransactionsWithActions } from './sign.js';
import { signNEP413Message } from './sign-nep413.js';
import { TransactionContexts } from './transaction-contexts.js';

export interface Wallet {
  warmUp(): Promise<void>;
  resume(): Promise<ResumeResult>;
  registerPasskey(accountId: string, options: RegistrationOptions): Promise<RegistrationResult>;
  loginPasskey(accountId: string, options: LoginOptions): Promise<LoginResult>;
  logout(): Promise<void>;
  getLoginState(accountId?: string): Promise<LoginState>;
  hasPasskeyCredential(accountId: string): Promise<boolean>;
  getRecentLogins(): Promise<RecentLogins>;
  viewAccessKeyList(accountId: string): Promise<AccessKeyList>;
  executeAction(args: {
    readonly nearAccountId: string;
    readonly receiverId: string;
    readonly actionArgs: ActionInput | readonly ActionInput[];
    readonly options?: ActionOptions;
  }): Promise<ActionResult>;
  signTransactionsWithActions(args: {
    readonly nearAccountId: string;
    readonly transactions: readonly TransactionInput[];
    readonly options?: SignTransactionsOptions;
  }): Promise<readonly SignTransactionResult[]>;
  sendTransaction(args: {
    readonly signedTransaction: SignedTransaction;
    readonly options?: ActionOptions;
  }): Promise<ActionResult>;
  signAndSendTransactions(args: {
    readonly nearAccountId: string;
    readonly transactions: readonly TransactionInput[];
    readonly options?: SignAndSendOptions;
  }): Promise<readonly ActionResult[]>;
  signNEP413Message(args: {
    readonly nearAccountId: string;
    readonly params: SignNep413Params;
    readonly options?: SignNep413Options;
  }): Promise<SignNep413Result>;
  prefetchBlockheight(): Promise<void>;
  getConfirmationConfig(): Promise<ConfirmationConfig>;
  setConfirmationConfig(change: Partial<ConfirmationConfig>): Promise<void>;
  close(): Promise<void>;
}

export function createWallet(config: ResolvedConfig, confirmer: () => Confirmer | null): Wallet {
  const rpc = createRpcClient({ urls: config.rpcUrls });
  const warn = (error: unknown): void => config.logger.warn('A background refresh failed', messageOf(error));
  const context: FlowContext = {
    config,
    rpId: resolveRpId(config, location.hostname),
    rpc,
    relay: createRelayClient(config.relayer.url),
    store: new WalletStore(),
    signers: createSignerPool(),
    vrf: createVrfClient(config.shamir3pass),
    contexts: new TransactionContexts(rpc, warn),
    pageSettings: { confirmation: {} },
    confirmer,
  };
  const { signers, vrf, store, contexts } = context;

  return {
    warmUp: async () => {
      await Promise.all([signers.warmUp(), vrf.warmUp()]);
    },
    resume: () => resumeRegistrations(context),
    registerPasskey: (accountId, options) => registerPasskey(context, accountId, options),
    loginPasskey: (accountId, options) => loginPasskey(context, accountId, options),
    logout: () => logout(context),
    getLoginState: (accountId) => getLoginState(context, accountId),
    hasPasskeyCredential: (accountId) => hasPasskeyCredential(context, accountId),
    getRecentLogins: () => getRecentLogins(context),
    viewAccessKeyList: (accountId) => rpc.viewAccessKeyList(accountId),
    executeAction: ({ nearAccountId, receiverId, actionArgs, options = {} }) =>
      executeAction(
        context,
        nearAccountId,
        receiverId,
        [actionArgs].flat() as readonly ActionInput[],
        options,
      ),
    signTransactionsWithActions: ({ nearAccountId, transactions, options = {} }) =>
      signTransactionsWithActions(context, nearAccountId, transactions, options),
    sendTransaction: ({ signedTransaction, options = {} }) =>
      sendTransaction(context, signedTransaction, options),
    signAndSendTransactions: ({ nearAccountId, transactions, options = {} }) =>
      signAndSendTransactions(context, nearAccountId, transactions, options),
    signNEP413Message: ({ nearAccountId, params, options = {} }) =>
      signNEP413Message(context, nearAccountId, params, options),
    prefetchBlockheight: async () => {
      const [user] = await store.users();
      if (user) await contexts.prefetch(user.nearAccountId, user.clientNearPublicKey);
    },
    getConfirmationConfig: () => getConfirmationConfig(context),
    setConfirmationConfig: (change) => setConfirmationConfig(context, change),
    close: async () => {
      contexts.clear();
      signers.close();
      vrf.close();
      await store.close();
    },
  };
}
