/** The same-origin wallet: every flow, with its surroundings. Loaded as one chunk at first use. */
import type { ResolvedConfig } from '../config.js';
import type { Confirmer } from '../confirm/port.js';
import { assertNearAccountId } from '../near/account-id.js';
import { createRpcClient } from '../near/index.js';
import { createRelayClient } from '../relay/relay-client.js';
import { WalletStore } from '../storage/store.js';
import type { ActionInput, LoginState, TransactionRequest } from '../types.js';
import { callOn, forwardingWallet, type RunningWallet, type Wallet } from '../wallet.js';
import { browserCredentials, type Credentials } from '../webauthn/credentials.js';
import { resolveRpId } from '../webauthn/rp-id.js';
import { createSignerPool, createVrfClient } from '../workers/start.js';
import type { FlowContext, ShowKey } from './context.js';
import { hiddenAddresses } from './hidden-address.js';
import { joiningDeletions } from './linking/deletion-joining.js';
import { loadingAhead } from './load-ahead.js';
import { loginPasskey } from './session/login.js';
import { LoginStateWatch } from './session/login-state-watch.js';
import { LogoutSignal } from './session/logout-signal.js';
import {
  getLoginState,
  getRecentLogins,
  hasPasskeyCredential,
  logout,
  logoutIfForgotten,
} from './session/session.js';
import { getConfirmationConfig } from './session/settings.js';
import { Tabs } from './session/tabs.js';
import type { Preview } from './signing/preview.js';
import { createActivityLog } from './signing/send.js';
import { TransactionContexts } from './signing/transaction-contexts.js';
import { warn } from './warn.js';

/** What the page provides to the wallet in it. */
export interface WalletSurroundings {
  readonly confirmer: () => Confirmer | null;
  /** The origin of the page that uses the wallet. */
  readonly page: string;
  /** That page frames the wallet, or opened it: it sees only the accounts that were used through it. */
  readonly isForHost?: boolean;
  /** That page may hand in the code of a new device, which it scanned (`linkCodeHosts`). */
  readonly isLinkCodeHost?: boolean;
  /** Set where that page could cover the frame unseen: shows a key in a separate window of the wallet. */
  readonly showKeyInWindow?: ShowKey | undefined;
  /** Called once when a wallet for another page may store nothing: it continues in memory. If absent, it fails. */
  readonly onStorageRefused?: () => void;
  /** Returns the check of the page around the frame; see {@link FlowContext.assertHost}. */
  readonly hostCheck?: (at: Pick<FlowContext, 'rpc' | 'config' | 'rpId'>) => FlowContext['assertHost'];
  /** Runs the passkey ceremonies; default: this document. */
  readonly credentials?: Credentials;
  /** Called when a session was opened, ended or lost here, or another account was used last. */
  readonly onLoginState: (state: LoginState) => void;
}

/** The wallet of this document, which also serves the wallet page's own screens. */
export interface LocalWallet extends RunningWallet {
  /**
   * What a confirmation of these transactions would show next to them. Rejects with INSUFFICIENT_BALANCE where the chain
   * would certainly refuse them.
   */
  preview(accountId: string, transactions: readonly TransactionRequest[]): Promise<Preview>;
}

/** Loads what only a session needs. Runs when a session opens, so that nothing loads between a click and its prompt. */
function loadSigning(): Promise<unknown> {
  return Promise.all([
    import('./signing/sign-and-send.js'),
    import('./signing/preview.js'),
    import('./signing/batch-journal.js'),
    import('./signing/sign-nep413.js'),
    import('./signing/sign-nep641.js'),
    import('../storage/activity.js'),
    import('../near/transaction-sending.js'),
  ]);
}

/** Loads what a registration needs. Runs once the workers have started, which come first. */
function loadRegistering(): Promise<unknown> {
  return Promise.all([
    import('./registration/register.js'),
    // These two need no network, so that their code must be here before.
    import('./registration/create-account.js'),
    import('./session/check-passkey.js'),
    import('../registry/capabilities.js'),
    import('./registration/settle-registration.js'),
  ]);
}

/** What did not load ahead says nothing: the call that needs it loads it again, and says what failed. */
const leaveToCaller = (): void => undefined;

export function createWallet(config: ResolvedConfig, surroundings: WalletSurroundings): LocalWallet {
  const closing = new AbortController();
  const context = contextOf(config, surroundings, closing.signal, (flow) => session.during(flow));
  const session = followSession(context, surroundings.onLoginState);
  const linking = linkingOf(context);
  const { signers, vrf, contexts, store } = context;
  const { preview, ...flows } = flowsOf(context, session, linking);
  const hidden = hiddenAddresses(store);
  return {
    ...hidingAddresses(flows, context),
    recoverByAutofill: async ({ container: _, ...options }) => {
      const { recoverByAutofill } = await import('./recovery/recover.js');
      // Nobody may ever choose: what it holds back until its end is only what follows the choice.
      return hidden.hide(await recoverByAutofill(context, hidden.open(options)));
    },
    preview: async (accountId, transactions) => preview(hidden.open(accountId), transactions),
    warmUp: async () => {
      await Promise.all([signers.warmUp(), vrf.warmUp()]);
      loadRegistering().catch(leaveToCaller);
      session.look();
    },
    close: async () => {
      await linking.stop();
      closing.abort();
      session.close();
      context.logout.end();
      contexts.clear();
      signers.close();
      vrf.close();
      await store.close();
    },
  };
}

/** The calls, with a placeholder wherever the address of an unproven account would leave the wallet. */
function hidingAddresses(wallet: Wallet, { store }: FlowContext): Wallet {
  const hidden = hiddenAddresses(store);
  return forwardingWallet(async (call, args) => {
    if (args.length > 0) await hidden.read();
    const opened = args.map((argument) => hidden.open(argument)) as typeof args;
    try {
      const result = await callOn(wallet, call, opened);
      if (result === undefined) return result;
      await hidden.read();
      return hidden.hide(result);
    } catch (error) {
      throw hidden.hide(error);
    }
  });
}

function contextOf(
  config: ResolvedConfig,
  surroundings: WalletSurroundings,
  closing: AbortSignal,
  openingSession: FollowedSession['during'],
): FlowContext {
  const { confirmer, page, isForHost = false, isLinkCodeHost = false, showKeyInWindow } = surroundings;
  const { credentials = browserCredentials, onStorageRefused, hostCheck } = surroundings;
  const rpc = createRpcClient({ urls: config.rpcUrls, agreement: config.rpcAgreement });
  const failed = refreshFailed(config);
  const store = isForHost ? new WalletStore(undefined, page, onStorageRefused) : new WalletStore();
  const rpId = resolveRpId(config, location.hostname);
  const context: FlowContext = {
    config,
    rpId,
    credentials,
    rpc,
    assertHost: hostCheck?.({ rpc, config, rpId }),
    relay: createRelayClient(config.relayer.url, config.shamir3pass?.relayServerUrl),
    store,
    signers: createSignerPool(),
    vrf: createVrfClient(config.shamir3pass),
    contexts: new TransactionContexts(rpc, failed, store.nonces),
    logout: new LogoutSignal(),
    page,
    isLinkCodeHost,
    showKeyInWindow,
    closing,
    confirmer,
    openingSession,
    activity: createActivityLog({ store, host: page === location.origin ? undefined : page, failed }),
    joining: (accountId) => joiningDeletions(context, accountId),
  };
  return context;
}

const refreshFailed =
  (config: ResolvedConfig) =>
  (error: unknown): void =>
    warn(config, 'A background refresh failed', error);

interface FollowedSession {
  /** Runs what opens a session; reports its state only at the end. */
  during<T>(flow: () => Promise<T>): Promise<T>;
  /** Ends the session here and in the other tabs. */
  logout(): Promise<void>;
  /** Reads the login state, and tells one that has changed. */
  look(): void;
  close(): void;
}

/** Tells the login state where it changes: by a flow, in another tab, by a worker that is lost, or by storage that is. */
function followSession(context: FlowContext, onLoginState: (state: LoginState) => void): FollowedSession {
  const { config, store, vrf } = context;
  const failed = refreshFailed(config);
  const loadAhead = loadingAhead();
  const watch = new LoginStateWatch({
    read: async () => {
      let state = await getLoginState(context);
      // A session whose record the browser has deleted: the loss may have been heard of before the record was gone.
      if (state.vrfActive && !state.userData) {
        await logoutIfForgotten(context);
        state = await getLoginState(context);
      }
      await hiddenAddresses(store).read();
      return hiddenAddresses(store).hide(state);
    },
    tell: (state) => {
      onLoginState(state);
      tabs.tell('changed');
      if (!state.isLoggedIn) return;
      loadSigning().catch(leaveToCaller);
      loadAhead();
    },
    failed,
  });
  const look = (): void => watch.look();
  const leaveForgotten = (): void => void logoutIfForgotten(context).catch(failed).finally(look);
  const tabs = new Tabs((message) => {
    if (message === 'logout') logout(context).catch(failed);
    if (message === 'forgotten') leaveForgotten();
    look();
  }, config.logger.warn);
  vrf.onSessionChange = look;
  store.onUserChange = look;
  store.onLost = leaveForgotten;
  document.addEventListener('visibilitychange', look);
  return {
    during: (flow) => watch.during(flow),
    logout() {
      tabs.tell('logout');
      return logout(context);
    },
    look,
    close() {
      document.removeEventListener('visibilitychange', look);
      watch.close();
      tabs.close();
    },
  };
}

interface Linking {
  load(): Promise<typeof import('./linking/device2.js')>;
  stop(): Promise<void>;
}

/** The linking of this device. Rarely used, so the first one loads it. */
function linkingOf(context: FlowContext): Linking {
  let loading: ReturnType<Linking['load']> | undefined;
  return {
    load() {
      loading ??= import('./linking/device2.js').catch((error) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    stop: async () => (await loading)?.stopDevice2LinkingFlow(context),
  };
}

/** Each call of the wallet, by the file of its flow. */
function flowsOf(
  context: FlowContext,
  session: FollowedSession,
  linking: Linking,
): Omit<LocalWallet, 'recoverByAutofill' | 'warmUp' | 'close'> {
  const recovery = () => import('./recovery/recover.js');
  const adopting = () => import('./linking/adopt.js');
  const appKeys = () => import('./app-keys/index.js');
  const delegates = () => import('./signing/sign-delegate.js');
  const settings = () => import('./session/stored-settings.js');
  const device1 = () => import('./linking/device1.js');
  const signing = () => import('./signing/sign-and-send.js');
  return {
    preview: async (accountId, transactions) =>
      (await import('./signing/preview.js')).preview(context, accountId, transactions),
    resume: async () => (await import('./resume.js')).resume(context),
    registerPasskey: async (accountId, options = {}) => {
      const { registerPasskey } = await import('./registration/register.js');
      return session.during(() => registerPasskey(context, accountId, options));
    },
    createAccount: async (args = {}) => {
      const { createAccount } = await import('./registration/create-account.js');
      return session.during(() => createAccount(context, args));
    },
    registerDevice: async (accountId, options = {}) =>
      (await import('./registration/register-device.js')).registerDevice(context, accountId, options),
    connect: async ({ options = {}, ...asked } = {}) => {
      const { connect } = await import('./connect/connect.js');
      return session.during(() => connect(context, asked, options));
    },
    loginPasskey: (accountId, options = {}) =>
      session.during(() => loginPasskey(context, accountId, options)),
    recoverAccountFlow: async (request = {}) => {
      const { recoverAccountFlow } = await recovery();
      return session.during(() => recoverAccountFlow(context, request));
    },
    discoverRecoverableAccounts: async (accountId, options = {}) =>
      (await recovery()).discoverRecoverableAccounts(context, accountId, options),
    logoutAndClearVrfSession: () => session.logout(),
    getLoginState: (accountId) => getLoginState(context, accountId),
    checkPasskey: async (accountId, options = {}) => {
      const { checkPasskey } = await import('./session/check-passkey.js');
      return session.during(() => checkPasskey(context, accountId, options));
    },
    hasPasskeyCredential: (accountId) => hasPasskeyCredential(context, accountId),
    getRecentLogins: () => getRecentLogins(context),
    viewAccessKeyList: async (accountId) => {
      assertNearAccountId('nearAccountId', accountId);
      return (await import('./access-key-list.js')).accessKeyList(context, accountId);
    },
    executeAction: async ({ nearAccountId, receiverId, actionArgs, options = {} }) => {
      const { executeAction } = await signing();
      const actions = [actionArgs].flat() as readonly ActionInput[];
      return executeAction(context, nearAccountId, receiverId, actions, options);
    },
    signTransactionsWithActions: async ({ nearAccountId, transactions, options = {} }) => {
      const { signTransactionsWithActions } = await import('./signing/sign-batch.js');
      return signTransactionsWithActions(context, nearAccountId, transactions, options);
    },
    sendTransaction: async ({ signedTransaction, options = {} }) =>
      (await import('./signing/send-without-prompt.js')).sendTransaction(context, signedTransaction, options),
    signAndSendTransactions: async ({ nearAccountId, transactions, options = {} }) =>
      (await signing()).signAndSendTransactions(context, nearAccountId, transactions, options),
    signNEP413Message: async ({ nearAccountId, params, options = {} }) =>
      (await import('./signing/sign-nep413.js')).signNEP413Message(context, nearAccountId, params, options),
    signNEP641Authorization: async ({ nearAccountId, params, options = {} }) => {
      const { signNEP641Authorization } = await import('./signing/sign-nep641.js');
      return signNEP641Authorization(context, nearAccountId, params, options);
    },
    startDevice2LinkingFlow: async (options = {}) =>
      (await linking.load()).startDevice2LinkingFlow(context, options),
    stopDevice2LinkingFlow: linking.stop,
    finishDeviceLinking: async (accountId, options = {}) =>
      (await linking.load()).finishDeviceLinking(context, accountId, options),
    prepareAdoption: async (accountId, options = {}) =>
      (await adopting()).prepareAdoption(context, accountId, options),
    finishAdoption: async (accountId, options = {}) =>
      (await adopting()).finishAdoption(context, accountId, options),
    abandonAdoption: async (accountId) => (await adopting()).abandonAdoption(context, accountId),
    exportNearKeypairWithUI: async (accountId, options = {}) =>
      (await import('./export-key.js')).exportNearKeypairWithUI(context, accountId, options),
    addRecoveryKey: async ({ nearAccountId, options = {} }) =>
      (await import('./phrase/add-recovery-key.js')).addRecoveryKey(context, nearAccountId, options),
    recoverWithPhrase: async (args = {}) =>
      (await import('./phrase/recover-with-phrase.js')).recoverWithPhrase(context, args),
    addAppKey: async ({ nearAccountId, options = {}, ...toMake }) =>
      (await appKeys()).addAppKey(context, nearAccountId, toMake, options),
    callWithAppKey: async ({ nearAccountId, options = {}, ...call }) =>
      (await appKeys()).callWithAppKey(context, nearAccountId, call, options),
    fundAppKey: async ({ nearAccountId, options = {}, ...toFund }) =>
      (await appKeys()).fundAppKey(context, nearAccountId, toFund, options),
    revokeAppKey: async ({ nearAccountId, publicKey, options = {} }) =>
      (await appKeys()).revokeAppKey(context, nearAccountId, publicKey, options),
    getAppKeys: async (accountId) => (await appKeys()).getAppKeys(context, accountId),
    signDelegateAction: async ({ nearAccountId: accountId, actions, options = {}, ...rest }) => {
      const { signDelegateAction } = await delegates();
      return signDelegateAction(context, { accountId, ...rest, actions: [actions].flat() }, options);
    },
    signDelegateActions: async ({ nearAccountId, delegateActions, options = {} }) => {
      const { signDelegateActions } = await delegates();
      return signDelegateActions(context, nearAccountId, delegateActions, options);
    },
    executeDelegateAction: async ({ nearAccountId: accountId, receiverId, actions, options = {} }) => {
      const { executeDelegateAction } = await delegates();
      return executeDelegateAction(context, { accountId, receiverId, actions: [actions].flat() }, options);
    },
    prefetchBlockheight: async () => {
      const [user] = await context.store.users();
      if (user) await context.contexts.prefetch(user.nearAccountId, user.clientNearPublicKey);
    },
    getConfirmationConfig: (accountId) => getConfirmationConfig(context, accountId),
    setConfirmationConfig: async (change, accountId) =>
      (await settings()).setConfirmationConfig(context, change, accountId),
    setConfirmBehavior: async (behavior, accountId) =>
      (await settings()).setConfirmBehavior(context, behavior, accountId),
    getUserPreferences: async (accountId) => (await settings()).getUserPreferences(context, accountId),
    setUserPreferences: async (change, accountId) =>
      (await settings()).setUserPreferences(context, change, accountId),
    setUserTheme: async (theme, accountId) => (await settings()).setUserTheme(context, theme, accountId),
    linkDeviceWithScannedQRData: async (qrData, options = {}) =>
      (await device1()).linkDeviceWithScannedQRData(context, qrData, options),
    scanAndLinkDevice: async (options = {}) => (await device1()).scanAndLinkDevice(context, options),
    getLinkedDevices: async (accountId) =>
      (await import('./linking/devices.js')).getLinkedDevices(context, accountId),
    deleteDeviceKey: async (accountId, publicKeyToDelete, options = {}) =>
      (await import('./linking/delete-key.js')).deleteDeviceKey(
        context,
        accountId,
        publicKeyToDelete,
        options,
      ),
  };
}
