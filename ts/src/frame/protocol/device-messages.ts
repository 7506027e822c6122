/** The messages of linked devices and key export. */
import * as v from 'valibot';
import { FRAME_TEXTS, LINK_DEVICE_INIT_FAILED } from '../../errors/frame.js';
import {
  EXPORT_NEAR_KEYPAIR_DISABLED,
  EXPORT_NEAR_KEYPAIR_UI_FAILED,
  LatchkeyError,
} from '../../errors/wallet.js';
import type { FlowEvent } from '../../events.js';
import type {
  AbandonedAdoption,
  AddRecoveryKeyArgs,
  Device2Linking,
  Device2LinkingOptions,
  ExportKeypairResult,
  GasKey,
  LinkDeviceResult,
  LinkedAccount,
  LinkedDevice,
  LinkedDevices,
  PreparedAdoption,
  RecoverWithPhraseArgs,
  RestoredAccount,
} from '../../types.js';
import { type Crossing, inObject, inOrder, type Wish } from './call-message.js';
import { message } from './message.js';
import * as payloads from './payloads.js';
import { byPhase, quiet } from './policies.js';
import { nothing, outcome } from './results.js';
import {
  accountId,
  amount,
  exact,
  flag,
  LONG,
  linkQrData,
  list,
  name,
  oneOf,
  only,
  optional,
  orNull,
  publicKey,
  SHORT,
  text,
  theme,
  wholeNumber,
} from './schemas.js';
import { action, recordedDevice, recoveryKey } from './signing-messages.js';
import { signedTransaction } from './transactions.js';
import { fromWireTransaction, toWireTransaction, type WireSignedTransaction } from './wire-transaction.js';

// ---------------------------------------------------------------- results

export const devices = only<LinkedDevices>({
  accountId,
  devices: list(
    only<LinkedDevice>({
      deviceNumber: wholeNumber,
      name,
      credentialId: text(2_048),
      registeredAt: wholeNumber,
      isCurrent: flag,
      accessKey: orNull(name),
      registeredKey: orNull(name),
      isUnrecorded: optional(flag),
    }),
  ),
  temporaryKeys: list(v.object({ publicKey: name, dueAt: orNull(wholeNumber) })),
  otherKeys: list(name),
  recoveryKeys: optional(list(name)),
  gasKeys: optional(
    list(
      only<GasKey>({
        publicKey: name,
        balanceYocto: amount,
        lanes: wholeNumber,
        receiverId: orNull(accountId),
      }),
    ),
  ),
});

export interface WireLinkDeviceResult extends Omit<LinkDeviceResult, 'signedDeleteKeyTransaction'> {
  readonly signedDeleteKeyTransaction?: WireSignedTransaction;
}
export const linkedDevice = only<WireLinkDeviceResult>({
  ...outcome,
  device2PublicKey: name,
  transactionId: optional(name),
  fundingAmount: name,
  linkedToAccount: optional(accountId),
  signedDeleteKeyTransaction: optional(signedTransaction),
});

export const device2Linking = only<Device2Linking>({
  flowId: name,
  qrData: linkQrData,
  qrCodeDataURL: v.pipe(v.string(), v.startsWith('data:image/png;base64,'), v.maxLength(LONG)),
  checkCode: name,
  expiresAt: wholeNumber,
});

const joined = {
  ...outcome,
  deviceNumber: orNull(wholeNumber),
  publicKey: orNull(name),
  transactionIds: list(name),
  isLoggedIn: flag,
};
export const linkedAccount = only<LinkedAccount>({ ...joined, nearAccountId: accountId });

export const preparedAdoption = only<PreparedAdoption>({
  ...outcome,
  nearAccountId: accountId,
  publicKey: orNull(name),
  isAdded: flag,
});
export const restoredAccount = only<RestoredAccount>({ ...joined, nearAccountId: orNull(accountId) });
export const abandonedAdoption = only<AbandonedAdoption>({ isAdded: flag });

export const exported = only<ExportKeypairResult>({
  ...outcome,
  nearAccountId: accountId,
  publicKey: orNull(name),
});

/** Adds a device: the policy, and the result's shape on the wire. */
const linking = {
  overlay: 'fullscreen',
  click: 'always',
  flow: 'linking',
  sends: true,
  result: linkedDevice,
  wire: {
    to: ({ signedDeleteKeyTransaction: signed, ...linked }: LinkDeviceResult): WireLinkDeviceResult => ({
      ...linked,
      ...(signed && { signedDeleteKeyTransaction: toWireTransaction(signed) }),
    }),
    from: ({ signedDeleteKeyTransaction: signed, ...linked }: WireLinkDeviceResult): LinkDeviceResult => ({
      ...linked,
      ...(signed && { signedDeleteKeyTransaction: fromWireTransaction(signed) }),
    }),
  },
} as const;

export const DEVICE_MESSAGES = {
  PM_GET_LINKED_DEVICES: inOrder('getLinkedDevices', ['accountId'], {
    ...quiet,
    payload: payloads.ofAccountId,
    result: devices,
  }),
  PM_DELETE_DEVICE_KEY: inOrder('deleteDeviceKey', ['accountId', 'publicKeyToDelete', 'options'], {
    ...byPhase,
    flow: 'action',
    sends: true,
    payload: v.strictObject({ accountId, publicKeyToDelete: publicKey, ...payloads.wish }),
    result: action,
  }),
  PM_LINK_DEVICE_WITH_SCANNED_QR_DATA: inOrder('linkDeviceWithScannedQRData', ['qrData', 'options'], {
    ...linking,
    payload: v.strictObject({
      qrData: v.union([text(SHORT), linkQrData]),
      fundingAmount: optional(name),
      ...payloads.wish,
    }),
  }),
  /** The wallet scans the code by itself: no host hands it over. */
  PM_SCAN_AND_LINK_DEVICE: inOrder('scanAndLinkDevice', ['options'], {
    ...linking,
    payload: v.strictObject({ fundingAmount: optional(name), ...payloads.wish }),
  }),
  /** Its result is the code; its end is the account that this device joined, or the reason that it did not. */
  PM_START_DEVICE2_LINKING_FLOW: inOrder('startDevice2LinkingFlow', ['options'], {
    ...byPhase,
    flow: 'linking',
    sends: true,
    sticky: true,
    failure: LINK_DEVICE_INIT_FAILED,
    payload: v.optional(
      exact<Wish<Device2LinkingOptions>>({
        accountId: optional(accountId),
        ui: optional(oneOf('modal', 'inline')),
        ...payloads.wish,
      }),
    ),
    result: device2Linking,
    end: linkedAccount,
    resolvesWith: 'result',
    run: async (wallet, payload, { options, services, until, ui }) => {
      const shown = new AbortController();
      let latest: FlowEvent<'linking'> | undefined;
      let hear: (event: FlowEvent<'linking'>) => void = () => undefined;
      const joined = settleable<LinkedAccount>();
      // With a known account, the passkey is made before the code is shown.
      const isAskedFirst = payload?.accountId !== undefined;
      if (isAskedFirst) ui('opened');
      const linking = await wallet.startDevice2LinkingFlow({
        ...payload,
        ...options,
        onEvent: (event) => {
          options.onEvent(event);
          latest = event;
          hear(event);
          if (event.phase === 'linking-complete') shown.abort();
        },
        onError: joined.reject,
        afterCall: (_, account) => {
          shown.abort();
          if (account) joined.resolve(account);
        },
      });
      if (isAskedFirst) ui('closed');
      until(joined.promise);
      if (payload?.ui === 'modal' && !shown.signal.aborted) {
        shown.signal.addEventListener('abort', () => ui('closed'), { once: true });
        ui('opened');
        services.showLinkingCode(linking, {
          signal: shown.signal,
          follow: (listener) => {
            hear = listener;
            if (latest) listener(latest);
          },
        });
      }
      return linking;
    },
  }),
  PM_STOP_DEVICE2_LINKING_FLOW: inOrder('stopDevice2LinkingFlow', [], {
    ...quiet,
    payload: payloads.none,
    result: nothing,
  }),
  PM_FINISH_DEVICE_LINKING: inOrder('finishDeviceLinking', ['nearAccountId', 'options'], {
    ...byPhase,
    flow: 'linking',
    sends: true,
    payload: payloads.accountFlow,
    result: linkedAccount,
  }),
  /** Between this and the next one, the host asks the user's other wallet to add the key. */
  PM_PREPARE_ADOPTION: inOrder('prepareAdoption', ['nearAccountId', 'options'], {
    ...byPhase,
    flow: 'linking',
    payload: payloads.accountFlow,
    result: preparedAdoption,
  }),
  PM_FINISH_ADOPTION: inOrder('finishAdoption', ['nearAccountId', 'options'], {
    ...byPhase,
    flow: 'linking',
    sends: true,
    payload: payloads.accountFlow,
    result: linkedAccount,
  }),
  PM_ABANDON_ADOPTION: inOrder('abandonAdoption', ['nearAccountId'], {
    ...quiet,
    payload: payloads.ofAccount,
    result: abandonedAdoption,
  }),

  PM_REGISTER_DEVICE: inOrder('registerDevice', ['nearAccountId', 'options'], {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'action',
    sends: true,
    payload: payloads.accountFlow,
    result: recordedDevice,
  }),

  // ---------------------------------------------------------------- recovery phrase
  /** The words pass between the wallet's own documents alone. */
  PM_ADD_RECOVERY_KEY: inObject('addRecoveryKey', ['nearAccountId'], {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'action',
    sends: true,
    payload: exact<Crossing<AddRecoveryKeyArgs>>({ ...payloads.account, ...payloads.sending }),
    result: recoveryKey,
  }),
  PM_RECOVER_WITH_PHRASE: inObject('recoverWithPhrase', ['nearAccountId'], {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'linking',
    sends: true,
    payload: exact<Crossing<RecoverWithPhraseArgs>>({ ...payloads.maybeAccount, ...payloads.wish }),
    result: restoredAccount,
  }),

  // ---------------------------------------------------------------- key export
  /** Answers immediately; its end, when the viewer is closed, says whether the viewer had the key. */
  PM_EXPORT_NEAR_KEYPAIR_UI: inOrder('exportNearKeypairWithUI', ['nearAccountId', 'options'], {
    overlay: 'fullscreen',
    click: 'always',
    flow: 'export',
    sticky: true,
    failure: EXPORT_NEAR_KEYPAIR_UI_FAILED,
    payload: v.strictObject({
      ...payloads.account,
      variant: optional(oneOf('modal', 'drawer')),
      theme: optional(theme),
      ...payloads.wish,
    }),
    result: nothing,
    end: exported,
    resolvesWith: 'end',
    run: async (wallet, { nearAccountId, ...rest }, { options, until, ui }) => {
      until(wallet.exportNearKeypairWithUI(nearAccountId, { ...rest, ...options }));
      ui('opened');
    },
  }),
  /** A host never gets a raw private key, for any payload. */
  PM_EXPORT_NEAR_KEYPAIR: message({
    ...quiet,
    payload: payloads.anything,
    result: nothing,
    run: async () => {
      throw new LatchkeyError(EXPORT_NEAR_KEYPAIR_DISABLED, { message: FRAME_TEXTS.noRawKeys });
    },
  }),
};

interface Settleable<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** A promise that is settled from outside. Its rejection is never reported as unhandled. */
function settleable<T>(): Settleable<T> {
  let settle: Omit<Settleable<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...(settle as Omit<Settleable<T>, 'promise'>) };
}
