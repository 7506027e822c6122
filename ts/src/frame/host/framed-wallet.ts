/** The wallet on its own origin: every call of {@link Wallet} is a request to the page in the frame. */
import type { ResolvedConfig } from '../../config.js';
import { FRAME_TEXTS, LatchkeyError } from '../../errors/frame.js';
import type { Wallet, WalletSurroundings } from '../../flows/wallet.js';
import type { DeviceCheck } from '../../webauthn/device-check.js';
import { DEFAULT_PATHS } from '../config.js';
import { fromWireTransaction, toWireTransaction } from '../protocol/wire-transaction.js';
import { flowOver, requestsOf } from './port-requests.js';
import { mountRegisterButton, type RegisterButton, type RegisterButtonOptions } from './register-button.js';
import { createWalletFrame } from './wallet-frame.js';

/** How long a check of the device waits for the wallet: whoever asks, often before anything is drawn, has another answer. */
const CHECK_WAIT_MS = 4_000;

/** What a wallet in a frame can beside. */
export interface FramedWallet extends Wallet {
  /** Rejects where the wallet is not ready, or does not answer, within 4 seconds. */
  checkDevice(): Promise<DeviceCheck>;
  /** Shows the wallet's own settings; resolves when the person has closed them. */
  openSettings(): Promise<void>;
  /** Takes away the button before. */
  registerButton(options: RegisterButtonOptions): RegisterButton;
}

/** The wallet whose frame `config.iframeWallet` describes. Nothing is loaded before the first call. */
export function createFramedWallet(
  config: ResolvedConfig,
  { page, onLoginState }: Pick<WalletSurroundings, 'page' | 'onLoginState'>,
): FramedWallet {
  if (!config.iframeWallet) throw new LatchkeyError('WALLET_FRAME_ONLY');
  if (config.iframeWallet.sdkBasePath !== DEFAULT_PATHS.sdkBasePath) {
    config.logger.warn(
      'iframeWallet.sdkBasePath changes nothing: the operator of the wallet says from where it loads its code',
    );
  }
  const frame = createWalletFrame({
    config: config.iframeWallet,
    hostOrigin: page,
    onLoginState,
    warn: config.logger.warn,
  });
  const { ask, askToEnd } = requestsOf(frame);
  const ofAccount = (nearAccountId: string | undefined) =>
    nearAccountId === undefined ? {} : { nearAccountId };
  let button: RegisterButton | undefined;
  const connect = async (): Promise<void> => {
    await frame.connect();
  };

  return {
    warmUp: connect,
    checkDevice: () => ask('PM_CHECK_DEVICE', {}, { signal: AbortSignal.timeout(CHECK_WAIT_MS) }),
    openSettings: () => ask('PM_OPEN_SETTINGS', {}),
    registerButton(options) {
      button?.dispose();
      button = mountRegisterButton(frame, { askToEnd }, options);
      return button;
    },
    resume: () => ask('PM_RESUME', {}),

    registerPasskey: (nearAccountId, options) =>
      flowOver('registration', options, (run) =>
        ask('PM_REGISTER', { nearAccountId, ...wishOf(options) }, run),
      ),
    loginPasskey: (nearAccountId, options) =>
      flowOver('login', options, (run) => ask('PM_LOGIN', { nearAccountId, ...wishOf(options) }, run)),
    recoverAccountFlow: ({ accountId, credentialId, options = {} }) =>
      flowOver('recovery', options, (run) =>
        ask(
          'PM_RECOVER_ACCOUNT_FLOW',
          {
            ...(accountId !== undefined && { accountId }),
            ...(credentialId !== undefined && { credentialId }),
            ...wishOf(options),
          },
          run,
        ),
      ),
    discoverRecoverableAccounts: (accountId, { onEvent, signal }) =>
      flowOver('recovery', { ...(onEvent && { onEvent }), ...(signal && { signal }) }, (run) =>
        ask('PM_DISCOVER_RECOVERABLE_ACCOUNTS', accountId === undefined ? {} : { accountId }, run),
      ),
    logout: () => ask('PM_LOGOUT', {}),
    getLoginState: (accountId) => ask('PM_GET_LOGIN_STATE', ofAccount(accountId)),
    hasPasskeyCredential: (nearAccountId) => ask('PM_HAS_PASSKEY', { nearAccountId }),
    getRecentLogins: () => ask('PM_GET_RECENT_LOGINS', {}),
    viewAccessKeyList: (accountId) => ask('PM_VIEW_ACCESS_KEYS', { accountId }),

    executeAction: ({ nearAccountId, receiverId, actionArgs, options = {} }) =>
      flowOver('action', options, (run) =>
        ask(
          'PM_EXECUTE_ACTION',
          { nearAccountId, receiverId, actionArgs: [actionArgs].flat(), ...wishOf(options) },
          run,
        ),
      ),
    signTransactionsWithActions: ({ nearAccountId, transactions, options = {} }) =>
      flowOver('action', options, async (run) => {
        const signed = await ask(
          'PM_SIGN_TXS_WITH_ACTIONS',
          { nearAccountId, transactions: [...transactions], ...wishOf(options) },
          run,
        );
        return signed.map(({ signedTransaction, ...rest }) => ({
          ...rest,
          signedTransaction: fromWireTransaction(signedTransaction),
        }));
      }),
    sendTransaction: ({ signedTransaction, options = {} }) =>
      flowOver('action', options, (run) => {
        const { confirmationConfig: _, ...rest } = wishOf(options);
        return ask(
          'PM_SEND_TRANSACTION',
          { signedTransaction: toWireTransaction(signedTransaction), options: rest },
          run,
        );
      }),
    signAndSendTransactions: ({ nearAccountId, transactions, options = {} }) =>
      flowOver('action', options, (run) => {
        const { confirmationConfig, ...rest } = wishOf(options);
        const wish = confirmationConfig && { confirmationConfig };
        return ask(
          'PM_SIGN_AND_SEND_TXS',
          { nearAccountId, transactions: [...transactions], options: rest, ...wish },
          run,
        );
      }),
    signNEP413Message: ({ nearAccountId, params, options = {} }) =>
      flowOver('action', options, (run) =>
        ask('PM_SIGN_NEP413', { nearAccountId, params, ...wishOf(options) }, run),
      ),
    signDelegateAction: ({ nearAccountId, receiverId, actions, options = {} }) =>
      flowOver('action', options, (run) =>
        ask(
          'PM_SIGN_DELEGATE_ACTION',
          { nearAccountId, receiverId, actions: [actions].flat(), ...wishOf(options) },
          run,
        ),
      ),
    executeDelegateAction: ({ nearAccountId, receiverId, actions, options = {} }) =>
      flowOver('action', options, (run) =>
        ask(
          'PM_EXECUTE_DELEGATE_ACTION',
          { nearAccountId, receiverId, actions: [actions].flat(), ...wishOf(options) },
          run,
        ),
      ),

    addAppKey: ({ options = {}, methodNames = [], ...toMake }) =>
      flowOver('action', options, (run) =>
        ask('PM_ADD_APP_KEY', { ...toMake, methodNames: [...methodNames], ...wishOf(options) }, run),
      ),
    callWithAppKey: ({ options = {}, ...call }) =>
      flowOver('action', options, (run) => ask('PM_CALL_WITH_APP_KEY', { ...call, ...wishOf(options) }, run)),
    revokeAppKey: ({ options = {}, ...key }) =>
      flowOver('action', options, (run) => ask('PM_REVOKE_APP_KEY', { ...key, ...wishOf(options) }, run)),
    getAppKeys: (nearAccountId) => ask('PM_GET_APP_KEYS', { nearAccountId }),
    prefetchBlockheight: () => ask('PM_PREFETCH_BLOCKHEIGHT', {}),

    linkDeviceWithScannedQRData: (qrData, options) =>
      flowOver('linking', options, async (run) => {
        const { signedDeleteKeyTransaction: signed, ...linked } = await ask(
          'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA',
          { qrData, ...wishOf(options) },
          run,
        );
        return { ...linked, ...(signed && { signedDeleteKeyTransaction: fromWireTransaction(signed) }) };
      }),
    startDevice2LinkingFlow: (options) =>
      new Promise((resolve, reject) => {
        flowOver('linking', options, (run) =>
          askToEnd('PM_START_DEVICE2_LINKING_FLOW', wishOf(options), { ...run, onResult: resolve }),
        ).catch(reject);
      }),
    stopDevice2LinkingFlow: () => ask('PM_STOP_DEVICE2_LINKING_FLOW', {}),
    finishDeviceLinking: (nearAccountId, options) =>
      flowOver('linking', options, (run) =>
        ask('PM_FINISH_DEVICE_LINKING', { nearAccountId, ...wishOf(options) }, run),
      ),
    getLinkedDevices: (accountId) => ask('PM_GET_LINKED_DEVICES', { accountId }),
    deleteDeviceKey: (accountId, publicKeyToDelete, options) =>
      flowOver('action', options, (run) =>
        ask('PM_DELETE_DEVICE_KEY', { accountId, publicKeyToDelete, ...wishOf(options) }, run),
      ),
    exportNearKeypairWithUI: (nearAccountId, options) =>
      flowOver('export', options, (run) =>
        askToEnd('PM_EXPORT_NEAR_KEYPAIR_UI', { nearAccountId, ...wishOf(options) }, run),
      ),

    getConfirmationConfig: (accountId) => ask('PM_GET_CONFIRMATION_CONFIG', ofAccount(accountId)),
    setConfirmationConfig: (change, accountId) =>
      ask('PM_SET_CONFIRMATION_CONFIG', { config: change, ...ofAccount(accountId) }),
    setConfirmBehavior: (behavior, accountId) =>
      ask('PM_SET_CONFIRM_BEHAVIOR', { behavior, ...ofAccount(accountId) }),
    getUserPreferences: (accountId) => ask('PM_GET_USER_PREFERENCES', ofAccount(accountId)),
    setUserPreferences: async () => {
      throw new LatchkeyError('CONFIG_NOT_ALLOWED', { values: { reason: FRAME_TEXTS.preferences } });
    },
    setUserTheme: (theme, accountId) => ask('PM_SET_THEME', { theme, ...ofAccount(accountId) }),
    close: async () => frame.destroy(),
  };
}

type StaysHere = 'onEvent' | 'onError' | 'beforeCall' | 'afterCall' | 'signal';

/** What of a flow's options goes to the wallet; the callbacks and the signal stay here. */
function wishOf<O extends { readonly [K in StaysHere]?: unknown }>(options: O): Omit<O, StaysHere> {
  const { onEvent, onError, beforeCall, afterCall, signal, ...wish } = options;
  return wish;
}
