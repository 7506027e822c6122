/** For every message of the table: a good payload, what the wallet is asked, what it says, and what the host gets. */
import { expect } from 'vitest';
import type { Wallet } from '../../flows/wallet.js';
import type { AccessKeyList } from '../../near/index.js';
import type {
  ActionInput,
  ActionResult,
  AppKeyResult,
  Device2Linking,
  LinkDeviceResult,
  LinkedAccount,
  LoginState,
  RegistrationResult,
  ResumeResult,
  SignedTransaction,
  SignTransactionResult,
} from '../../types.js';
import type { EndOf, FrameServices, HostConfig, MessageType, PayloadOf } from '../protocol/index.js';
import { toWireTransaction } from '../protocol/index.js';

export interface Case<T extends MessageType> {
  readonly payload: PayloadOf<T>;
  /** The method that is called; none where the port itself answers. */
  readonly method?: keyof Wallet | keyof FrameServices;
  readonly args?: readonly unknown[];
  readonly gives?: unknown;
  /** What the host gets, where that is not what the wallet gives. */
  readonly result?: unknown;
  readonly end?: EndOf<T>;
  /** The code of the refusal, for a message that always gets one. */
  readonly refused?: string;
}

const ALICE = 'alice.w3a-v1.testnet';
const KEY = 'ed25519:DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';
const HASH = 'DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';
const CREDENTIAL = 'AbC_-0123456789';
const WISH = { uiMode: 'drawer', behavior: 'requireClick', autoProceedDelayMs: 500, theme: 'light' } as const;

/** What every flow is given besides its own options. */
const flow = <T extends object>(own: T = {} as T) => ({
  ...own,
  onEvent: expect.any(Function),
  signal: expect.any(AbortSignal),
});

const call: ActionInput = {
  type: 'FunctionCall',
  methodName: 'set',
  args: { text: 'hi', list: [1, null, true] },
  gas: '30000000000000',
};
const actions: readonly ActionInput[] = [
  call,
  { type: 'FunctionCall', methodName: 'set', args: '{}', deposit: '1' },
  { type: 'Transfer', amount: '1000000000000000000000000' },
  { type: 'CreateAccount' },
  { type: 'DeployContract', code: new Uint8Array([0, 97, 115, 109]) },
  { type: 'Stake', stake: '1', publicKey: KEY },
  { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } },
  {
    type: 'AddKey',
    publicKey: KEY,
    accessKey: {
      permission: { FunctionCall: { receiverId: 'app.testnet', methodNames: ['set'], allowance: null } },
    },
  },
  { type: 'DeleteKey', publicKey: KEY },
  { type: 'DeleteAccount', beneficiaryId: 'bob.testnet' },
];
const transactions = [{ receiverId: 'app.testnet', actions: actions }];

const signed: SignedTransaction = {
  transaction: {
    signerId: ALICE,
    publicKey: KEY,
    nonce: '18446744073709551615',
    receiverId: 'app.testnet',
    blockHash: HASH,
    actions: [
      { type: 'FunctionCall', methodName: 'set', args: '{}', gas: '1', deposit: '0' },
      { type: 'DeployContract', code: new Uint8Array([1, 2]) },
    ],
  },
  signature: 'ed25519:sig',
  borshBytes: new Uint8Array([7, 8, 9]),
  hash: HASH,
};

const outcomeWithId = {
  id: HASH,
  block_hash: HASH,
  outcome: {
    executor_id: 'app.testnet',
    gas_burnt: 223_182_562_500,
    tokens_burnt: '22318256250000000000',
    logs: ['said hi'],
    receipt_ids: [HASH],
    status: { SuccessReceiptId: HASH },
  },
};
const done: ActionResult = {
  success: true,
  fate: 'executed',
  transactionId: HASH,
  result: {
    final_execution_status: 'FINAL',
    status: { SuccessValue: 'ImhpIg==' },
    transaction: {
      hash: HASH,
      signer_id: ALICE,
      receiver_id: 'app.testnet',
      nonce: 7,
      public_key: KEY,
      signature: 's',
    },
    transaction_outcome: outcomeWithId,
    receipts_outcome: [outcomeWithId],
    transactionId: HASH,
  },
};
const inDoubt: ActionResult = {
  success: false,
  error: 'Nobody can be asked',
  errorCode: 'NEAR_RPC_FAILED',
  fate: 'unknown',
  transactionId: HASH,
  result: null,
};

export const loginState: LoginState = {
  isLoggedIn: true,
  nearAccountId: ALICE,
  publicKey: KEY,
  vrfActive: true,
  userData: {
    nearAccountId: ALICE,
    deviceNumber: 1,
    registeredAt: 1,
    lastLogin: null,
    lastUpdated: 2,
    clientNearPublicKey: KEY,
    preferences: {
      useRelayer: true,
      useNetwork: 'testnet',
      confirmationConfig: { uiMode: 'modal' },
      theme: 'dark',
    },
  },
  vrfSessionDuration: 12.5,
};

const registered: RegistrationResult = {
  success: true,
  nearAccountId: ALICE,
  clientNearPublicKey: KEY,
  transactionId: HASH,
  pending: true,
  vrfRegistration: {
    success: true,
    vrfPublicKey: 'vrf',
    encryptedVrfKeypair: { encryptedVrfDataB64u: 'sealed', chacha20NonceB64u: 'nonce' },
    contractVerified: true,
    error: 'none',
  },
};

const resumed: ResumeResult = {
  committed: [ALICE],
  dropped: [],
  pending: ['bob.testnet'],
  mismatched: [],
  deletions: [ALICE],
  unfinished: [ALICE],
  problems: [{ accountId: ALICE, errorCode: 'STORAGE_FULL', error: 'No room' }],
  batches: [
    {
      nearAccountId: ALICE,
      createdAt: 1,
      transactions: [{ transactionId: HASH, receiverId: ALICE, fate: 'sent' }],
    },
  ],
  appKeys: [{ nearAccountId: ALICE, receiverId: 'app.testnet', publicKey: KEY, outcome: 'kept' }],
};

const accessKeys: AccessKeyList = {
  keys: [
    { public_key: KEY, access_key: { nonce: 1, permission: 'FullAccess' } },
    {
      public_key: KEY,
      access_key: {
        nonce: 2,
        permission: { FunctionCall: { allowance: null, receiver_id: 'app.testnet', method_names: [] } },
      },
    },
    { public_key: KEY, access_key: { nonce: 3, permission: { GasKey: {} } } },
  ],
  block_height: 1,
  block_hash: HASH,
};

const linking: Device2Linking = {
  flowId: 'f0e1',
  qrData: { device2PublicKey: KEY, accountId: ALICE, timestamp: 1, version: '1.0' },
  qrCodeDataURL: 'data:image/png;base64,AAAA',
  checkCode: 'ABCD2345',
  expiresAt: 2,
};
export const joined: LinkedAccount = {
  success: true,
  nearAccountId: ALICE,
  deviceNumber: 2,
  publicKey: KEY,
  transactionIds: [HASH],
  isLoggedIn: true,
};
const linked: LinkDeviceResult = {
  success: true,
  device2PublicKey: KEY,
  transactionId: HASH,
  fundingAmount: '0.05',
  linkedToAccount: ALICE,
  signedDeleteKeyTransaction: signed,
};
const newKey: AppKeyResult = { ...done, publicKey: KEY, pending: true };
const signedResult: SignTransactionResult = {
  signedTransaction: signed,
  nearAccountId: ALICE,
  logs: ['signed'],
};
const { signedDeleteKeyTransaction: _, ...linkedBeside } = linked;
const hostConfig: HostConfig = {
  theme: 'dark',
  rpcUrl: ['https://rpc.example'],
  networkId: 'testnet',
  contractId: 'w3a-v1.testnet',
  relayer: { url: 'https://relay.example', accountId: 'w3a-v1.testnet' },
  vrfWorkerConfigs: {
    shamir3pass: {
      p: 'p',
      relayServerUrl: 'https://relay.example',
      applyServerLockRoute: '/a',
      removeServerLockRoute: '/r',
    },
  },
  rpIdOverride: 'wallet.example',
  authenticatorOptions: { userVerification: 'required', originPolicy: { single: true } },
  confirmationConfig: WISH,
  uiRegistry: {},
  assetsBaseUrl: '/sdk',
};

/** Ends a linking of this device at once, as the flow does. */
type LinkingOptions = Parameters<Wallet['startDevice2LinkingFlow']>[0];
const startLinking = async (options: LinkingOptions): Promise<Device2Linking> => {
  setTimeout(() => options.afterCall?.(true, joined));
  return linking;
};

export const CASES: { readonly [T in MessageType]: Case<T> } = {
  PING: { payload: {} },
  PM_SET_CONFIG: { payload: hostConfig, method: 'setConfig', args: [hostConfig] },
  PM_CANCEL: { payload: {} },
  PM_RESUME: { payload: {}, method: 'resume', args: [], gives: resumed },
  PM_CHECK_DEVICE: {
    payload: undefined,
    method: 'checkDevice',
    args: [],
    gives: {
      canUsePasskeys: 'no',
      error: 'No passkeys',
      errorCode: 'PASSKEYS_UNSUPPORTED',
      isSecureContext: true,
      hasWebAuthn: false,
      mayCreate: null,
      mayGet: true,
      platformAuthenticator: false,
      hybridTransport: null,
      prf: null,
    },
  },
  PM_REGISTER: {
    payload: { nearAccountId: ALICE, options: {}, confirmationConfig: WISH },
    method: 'registerPasskey',
    args: [ALICE, flow({ confirmationConfig: WISH })],
    gives: registered,
  },
  PM_MOUNT_REGISTER_BUTTON: {
    payload: { nearAccountId: ALICE, confirmationConfig: WISH },
    method: 'showRegisterButton',
    args: [{ nearAccountId: ALICE, register: expect.any(Function) }, expect.any(AbortSignal)],
  },
  PM_LOGIN: {
    payload: { nearAccountId: ALICE },
    method: 'loginPasskey',
    args: [ALICE, flow()],
    gives: {
      success: true,
      nearAccountId: ALICE,
      loggedInNearAccountId: ALICE,
      clientNearPublicKey: KEY,
      unlockedBy: 'passkey',
    },
  },
  PM_LOGOUT: { payload: undefined, method: 'logout', args: [] },
  PM_GET_LOGIN_STATE: {
    payload: { nearAccountId: ALICE },
    method: 'getLoginState',
    args: [ALICE],
    gives: loginState,
  },
  PM_GET_RECENT_LOGINS: {
    payload: {},
    method: 'getRecentLogins',
    args: [],
    gives: { accountIds: [ALICE], lastUsedAccountId: { nearAccountId: ALICE, deviceNumber: 1 } },
  },
  PM_HAS_PASSKEY: {
    payload: { nearAccountId: ALICE },
    method: 'hasPasskeyCredential',
    args: [ALICE],
    gives: true,
  },
  PM_RECOVER_ACCOUNT_FLOW: {
    payload: { accountId: ALICE, credentialId: CREDENTIAL, confirmationConfig: WISH },
    method: 'recoverAccountFlow',
    args: [{ accountId: ALICE, credentialId: CREDENTIAL, options: flow({ confirmationConfig: WISH }) }],
    gives: { success: true, accountId: ALICE, publicKey: KEY, message: 'Recovered', loginState },
  },
  PM_DISCOVER_RECOVERABLE_ACCOUNTS: {
    payload: { accountId: ALICE },
    method: 'discoverRecoverableAccounts',
    args: [ALICE, flow()],
    gives: [{ credentialId: CREDENTIAL, accountId: ALICE, publicKey: KEY, displayName: 'alice (device 2)' }],
  },
  PM_GET_CONFIRMATION_CONFIG: {
    payload: { nearAccountId: ALICE },
    method: 'getConfirmationConfig',
    args: [ALICE],
    gives: WISH,
  },
  PM_SET_CONFIRMATION_CONFIG: {
    payload: { config: WISH, nearAccountId: ALICE },
    method: 'setConfirmationConfig',
    args: [WISH, ALICE],
  },
  PM_SET_CONFIRM_BEHAVIOR: {
    payload: { behavior: 'autoProceed', nearAccountId: ALICE },
    method: 'setConfirmBehavior',
    args: ['autoProceed', ALICE],
  },
  PM_SET_THEME: {
    payload: { theme: 'dark', nearAccountId: ALICE },
    method: 'setUserTheme',
    args: ['dark', ALICE],
  },
  PM_GET_USER_PREFERENCES: {
    payload: { nearAccountId: ALICE },
    method: 'getUserPreferences',
    args: [ALICE],
    gives: loginState.userData?.preferences,
  },
  PM_OPEN_SETTINGS: { payload: {}, method: 'openSettings', args: [expect.any(AbortSignal)] },
  PM_PREFETCH_BLOCKHEIGHT: { payload: {}, method: 'prefetchBlockheight', args: [] },
  PM_SIGN_TXS_WITH_ACTIONS: {
    payload: { nearAccountId: ALICE, transactions, confirmationConfig: WISH },
    method: 'signTransactionsWithActions',
    args: [{ nearAccountId: ALICE, transactions, options: flow({ confirmationConfig: WISH }) }],
    gives: [signedResult],
    result: [{ ...signedResult, signedTransaction: toWireTransaction(signed) }],
  },
  PM_SIGN_AND_SEND_TXS: {
    payload: {
      nearAccountId: ALICE,
      transactions,
      options: {
        waitUntil: 'FINAL',
        executionWait: { mode: 'parallelStaggered', staggerMs: 500, waitUntil: 'FINAL' },
      },
      confirmationConfig: WISH,
    },
    method: 'signAndSendTransactions',
    args: [
      {
        nearAccountId: ALICE,
        transactions,
        options: flow({
          waitUntil: 'FINAL',
          executionWait: { mode: 'parallelStaggered', staggerMs: 500, waitUntil: 'FINAL' },
          confirmationConfig: WISH,
        }),
      },
    ],
    gives: [done, inDoubt],
  },
  PM_EXECUTE_ACTION: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      actionArgs: actions,
      waitUntil: 'FINAL',
      confirmationConfig: WISH,
    },
    method: 'executeAction',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        actionArgs: actions,
        options: flow({ waitUntil: 'FINAL', confirmationConfig: WISH }),
      },
    ],
    gives: done,
  },
  PM_SEND_TRANSACTION: {
    payload: { signedTransaction: toWireTransaction(signed), options: { waitUntil: 'NONE' } },
    method: 'sendTransaction',
    args: [{ signedTransaction: signed, options: flow({ waitUntil: 'NONE' }) }],
    gives: inDoubt,
  },
  PM_SIGN_NEP413: {
    payload: {
      nearAccountId: ALICE,
      params: {
        message: 'hi',
        recipient: 'app.testnet',
        nonce: new Uint8Array(32).fill(7),
        state: 's',
        callbackUrl: 'https://app.example',
      },
      confirmationConfig: WISH,
    },
    method: 'signNEP413Message',
    args: [
      {
        nearAccountId: ALICE,
        params: {
          message: 'hi',
          recipient: 'app.testnet',
          nonce: new Uint8Array(32).fill(7),
          state: 's',
          callbackUrl: 'https://app.example',
        },
        options: flow({ confirmationConfig: WISH }),
      },
    ],
    gives: {
      success: true,
      accountId: ALICE,
      publicKey: KEY,
      signature: 'c2ln',
      nonce: 'bm9uY2U=',
      state: 's',
    },
  },
  PM_SIGN_DELEGATE_ACTION: {
    payload: { nearAccountId: ALICE, receiverId: 'app.testnet', actions: call, validForBlocks: 100 },
    method: 'signDelegateAction',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        actions: call,
        options: flow({ validForBlocks: 100 }),
      },
    ],
    gives: {
      success: true,
      hash: HASH,
      signedDelegate: 'AAAA',
      publicKey: KEY,
      nonce: '1',
      maxBlockHeight: '2',
    },
  },
  PM_EXECUTE_DELEGATE_ACTION: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      actions: [call],
      confirmationConfig: WISH,
    },
    method: 'executeDelegateAction',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        actions: [call],
        options: flow({ confirmationConfig: WISH }),
      },
    ],
    gives: { ...done, result: null },
  },
  PM_VIEW_ACCESS_KEYS: {
    payload: { accountId: ALICE },
    method: 'viewAccessKeyList',
    args: [ALICE],
    gives: accessKeys,
  },
  PM_ADD_APP_KEY: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      methodNames: ['set'],
      allowance: '1',
      waitUntil: 'FINAL',
      confirmationConfig: WISH,
    },
    method: 'addAppKey',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        methodNames: ['set'],
        allowance: '1',
        options: flow({ waitUntil: 'FINAL', confirmationConfig: WISH }),
      },
    ],
    gives: newKey,
  },
  PM_CALL_WITH_APP_KEY: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      methodName: 'set',
      args: { text: 'hi' },
      gas: '1',
      waitUntil: 'FINAL',
    },
    method: 'callWithAppKey',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        methodName: 'set',
        args: { text: 'hi' },
        gas: '1',
        options: flow({ waitUntil: 'FINAL' }),
      },
    ],
    gives: done,
  },
  PM_REVOKE_APP_KEY: {
    payload: { nearAccountId: ALICE, publicKey: KEY, waitUntil: 'FINAL' },
    method: 'revokeAppKey',
    args: [{ nearAccountId: ALICE, publicKey: KEY, options: flow({ waitUntil: 'FINAL' }) }],
    gives: done,
  },
  PM_GET_APP_KEYS: {
    payload: { nearAccountId: ALICE },
    method: 'getAppKeys',
    args: [ALICE],
    gives: [
      {
        publicKey: KEY,
        receiverId: 'app.testnet',
        methodNames: [],
        allowance: null,
        isHere: true,
        isOnChain: false,
      },
    ],
  },
  PM_GET_LINKED_DEVICES: {
    payload: { accountId: ALICE },
    method: 'getLinkedDevices',
    args: [ALICE],
    gives: {
      accountId: ALICE,
      devices: [
        {
          deviceNumber: 1,
          name: 'Device 1',
          credentialId: CREDENTIAL,
          registeredAt: 1,
          isCurrent: true,
          accessKey: KEY,
          registeredKey: null,
        },
      ],
      temporaryKeys: [{ publicKey: KEY, dueAt: null }],
      otherKeys: [KEY],
    },
  },
  PM_DELETE_DEVICE_KEY: {
    payload: { accountId: ALICE, publicKeyToDelete: KEY, confirmationConfig: WISH },
    method: 'deleteDeviceKey',
    args: [ALICE, KEY, flow({ confirmationConfig: WISH })],
    gives: done,
  },
  PM_LINK_DEVICE_WITH_SCANNED_QR_DATA: {
    payload: { qrData: linking.qrData, fundingAmount: '0.05', confirmationConfig: WISH },
    method: 'linkDeviceWithScannedQRData',
    args: [linking.qrData, flow({ fundingAmount: '0.05', confirmationConfig: WISH })],
    gives: linked,
    result: { ...linkedBeside, signedDeleteKeyTransaction: toWireTransaction(signed) },
  },
  PM_START_DEVICE2_LINKING_FLOW: {
    payload: { accountId: ALICE, ui: 'inline', confirmationConfig: WISH },
    method: 'startDevice2LinkingFlow',
    args: [
      {
        ...flow({ accountId: ALICE, ui: 'inline', confirmationConfig: WISH }),
        onError: expect.any(Function),
        afterCall: expect.any(Function),
      },
    ],
    gives: startLinking,
    result: linking,
    end: joined,
  },
  PM_STOP_DEVICE2_LINKING_FLOW: { payload: {}, method: 'stopDevice2LinkingFlow', args: [] },
  PM_FINISH_DEVICE_LINKING: {
    payload: { nearAccountId: ALICE, confirmationConfig: WISH },
    method: 'finishDeviceLinking',
    args: [ALICE, flow({ confirmationConfig: WISH })],
    gives: joined,
  },
  PM_EXPORT_NEAR_KEYPAIR_UI: {
    payload: { nearAccountId: ALICE, variant: 'drawer', theme: 'light', confirmationConfig: WISH },
    method: 'exportNearKeypairWithUI',
    args: [ALICE, flow({ variant: 'drawer', theme: 'light', confirmationConfig: WISH })],
    gives: { success: true, nearAccountId: ALICE, publicKey: KEY },
    result: undefined,
    end: { success: true, nearAccountId: ALICE, publicKey: KEY },
  },
  PM_EXPORT_NEAR_KEYPAIR: {
    payload: { nearAccountId: ALICE },
    refused: 'EXPORT_NEAR_KEYPAIR_DISABLED',
  },
};
