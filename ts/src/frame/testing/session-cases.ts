/** The session, settings, registration and recovery. */
import { expect } from 'vitest';
import type { LoginState, RecoveryResult, RegistrationResult, ResumeResult } from '../../types.js';
import type { HostConfig } from '../protocol/index.js';
import type { CasesOf } from './case.js';
import { ALICE, CREDENTIAL, flow, HASH, KEY, WISH } from './values.js';

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
    passkeyBackup: 'not-backed-up',
    passkeyProven: true,
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
const recovered: RecoveryResult = {
  success: true,
  accountId: ALICE,
  publicKey: KEY,
  message: 'Recovered',
  loginState,
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
      transactions: [
        { transactionId: HASH, receiverId: ALICE, amountYocto: '5', fate: 'sent' },
        { transactionId: null, receiverId: ALICE, fate: 'unknown' },
      ],
    },
  ],
  appKeys: [{ nearAccountId: ALICE, receiverId: 'app.testnet', publicKey: KEY, outcome: 'kept' }],
};
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

export const SESSION_CASES = {
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
    payload: { nearAccountId: ALICE, options: {}, confirmationConfig: WISH, signupVoucher: 'v1.a.b' },
    method: 'registerPasskey',
    args: [ALICE, flow({ confirmationConfig: WISH, signupVoucher: 'v1.a.b' })],
    gives: registered,
  },
  PM_CREATE_ACCOUNT: {
    payload: { label: 'Savings', confirmationConfig: WISH },
    method: 'createAccount',
    args: [{ label: 'Savings', options: flow({ confirmationConfig: WISH }) }],
    gives: {
      success: true,
      nearAccountId: 'e1'.repeat(32),
      publicKey: KEY,
      passkeyProven: false,
      loginState,
    },
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
  PM_CHECK_PASSKEY: {
    payload: { nearAccountId: ALICE },
    method: 'checkPasskey',
    args: [ALICE, flow()],
    gives: { success: true, nearAccountId: ALICE, passkeyProven: true },
  },
  PM_LOGOUT: { payload: undefined, method: 'logoutAndClearVrfSession', args: [] },
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
    gives: recovered,
  },
  PM_MOUNT_PASSKEY_FIELD: {
    payload: { confirmationConfig: WISH },
    method: 'offerPasskeys',
    args: [flow({ confirmationConfig: WISH })],
    gives: recovered,
    result: undefined,
    end: recovered,
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
} satisfies CasesOf;
