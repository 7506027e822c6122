/**
 * How the frame behaves for each message, by name: what a host must know before it sends one. The rest of the table is
 * in {@link MESSAGES}, which a host loads only to read the answers.
 */
import type { LatchkeyErrorCode } from '../../errors/frame.js';
import type { FlowName } from '../../events.js';

export interface Policy {
  /** Whether the frame covers the page for all of the request, while its phase needs the person, or not at all. */
  readonly overlay: 'fullscreen' | 'by-phase' | 'none';
  /** Whether it needs a click in the wallet's own UI, whatever a host sets. */
  readonly click: 'always' | 'by-content' | 'never';
  /** Its UI and its events outlive the result. */
  readonly sticky?: true;
  /** It sends to the chain: without an answer nobody knows whether that was done. */
  readonly sends?: true;
  /** The flow whose events its PROGRESS carries. A flow can be cancelled. */
  readonly flow?: FlowName;
  /** The code of a failure that has none of its own; HOST_ERROR where absent. */
  readonly failure?: LatchkeyErrorCode;
  /** Answered by PONG. */
  readonly pong?: true;
}

const quiet = { overlay: 'none', click: 'never' } as const satisfies Policy;
const pong = { ...quiet, pong: true } as const satisfies Policy;
const recovering = {
  overlay: 'by-phase',
  click: 'never',
  flow: 'recovery',
  failure: 'RECOVERY_FAILED',
} as const satisfies Policy;
const signing = { overlay: 'fullscreen', click: 'by-content', flow: 'action' } as const satisfies Policy;
const sending = { ...signing, sends: true } as const satisfies Policy;
const byPhase = { overlay: 'by-phase', click: 'always' } as const satisfies Policy;

export const POLICIES = {
  PING: pong,
  PM_SET_CONFIG: pong,
  PM_CANCEL: pong,
  PM_RESUME: quiet,
  PM_CHECK_DEVICE: quiet,
  PM_REGISTER: { overlay: 'fullscreen', click: 'always', flow: 'registration', sends: true },
  PM_MOUNT_REGISTER_BUTTON: { ...byPhase, flow: 'registration', sends: true, sticky: true },
  PM_LOGIN: { overlay: 'fullscreen', click: 'never', flow: 'login' },
  PM_LOGOUT: quiet,
  PM_GET_LOGIN_STATE: quiet,
  PM_GET_RECENT_LOGINS: quiet,
  PM_HAS_PASSKEY: quiet,
  PM_RECOVER_ACCOUNT_FLOW: recovering,
  PM_DISCOVER_RECOVERABLE_ACCOUNTS: recovering,
  PM_GET_CONFIRMATION_CONFIG: quiet,
  PM_SET_CONFIRMATION_CONFIG: { ...quiet, failure: 'SET_CONFIRMATION_CONFIG_FAILED' },
  PM_SET_CONFIRM_BEHAVIOR: { ...quiet, failure: 'SET_CONFIRM_BEHAVIOR_FAILED' },
  PM_SET_THEME: quiet,
  PM_GET_USER_PREFERENCES: quiet,
  PM_OPEN_SETTINGS: { overlay: 'fullscreen', click: 'never' },
  PM_PREFETCH_BLOCKHEIGHT: quiet,
  PM_SIGN_TXS_WITH_ACTIONS: signing,
  PM_SIGN_AND_SEND_TXS: sending,
  PM_EXECUTE_ACTION: sending,
  PM_SEND_TRANSACTION: { ...sending, click: 'never' },
  PM_SIGN_NEP413: signing,
  PM_SIGN_DELEGATE_ACTION: signing,
  PM_EXECUTE_DELEGATE_ACTION: sending,
  PM_VIEW_ACCESS_KEYS: quiet,
  PM_ADD_APP_KEY: sending,
  PM_CALL_WITH_APP_KEY: { ...quiet, flow: 'action', sends: true },
  PM_REVOKE_APP_KEY: sending,
  PM_GET_APP_KEYS: quiet,
  PM_GET_LINKED_DEVICES: quiet,
  PM_DELETE_DEVICE_KEY: { ...byPhase, flow: 'action', sends: true },
  PM_LINK_DEVICE_WITH_SCANNED_QR_DATA: {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'linking',
    sends: true,
  },
  PM_START_DEVICE2_LINKING_FLOW: {
    ...byPhase,
    flow: 'linking',
    sends: true,
    sticky: true,
    failure: 'LINK_DEVICE_INIT_FAILED',
  },
  PM_STOP_DEVICE2_LINKING_FLOW: quiet,
  PM_FINISH_DEVICE_LINKING: { ...byPhase, flow: 'linking', sends: true },
  PM_EXPORT_NEAR_KEYPAIR_UI: {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'export',
    sticky: true,
    failure: 'EXPORT_NEAR_KEYPAIR_UI_FAILED',
  },
  PM_EXPORT_NEAR_KEYPAIR: quiet,
} as const satisfies Record<string, Policy>;

export type MessageType = keyof typeof POLICIES;

/** The policy of a message whose name came from outside. */
export function policyOf(type: string): Policy | undefined {
  return Object.hasOwn(POLICIES, type) ? POLICIES[type as MessageType] : undefined;
}
