/** The messages of linked devices and key export. */
import { LatchkeyError } from '../../errors/export.js';
import { FRAME_TEXTS } from '../../errors/frame.js';
import type { LinkedAccount } from '../../types.js';
import { message } from './message.js';
import * as payloads from './payloads.js';
import { nothing } from './results.js';
import * as results from './signing-results.js';
import { toWireTransaction } from './wire-transaction.js';

export const DEVICE_MESSAGES = {
  PM_GET_LINKED_DEVICES: message({
    payload: payloads.ofAccountId,
    result: results.devices,
    run: (wallet, { accountId }) => wallet.getLinkedDevices(accountId),
  }),
  PM_DELETE_DEVICE_KEY: message({
    payload: payloads.keyToDelete,
    result: results.action,
    run: (wallet, { accountId, publicKeyToDelete, ...wish }, { options }) =>
      wallet.deleteDeviceKey(accountId, publicKeyToDelete, { ...wish, ...options }),
  }),
  PM_LINK_DEVICE_WITH_SCANNED_QR_DATA: message({
    payload: payloads.scannedCode,
    result: results.linkedDevice,
    run: async (wallet, { qrData, ...rest }, { options }) => {
      const { signedDeleteKeyTransaction: signed, ...linked } = await wallet.linkDeviceWithScannedQRData(
        qrData,
        { ...rest, ...options },
      );
      return { ...linked, ...(signed && { signedDeleteKeyTransaction: toWireTransaction(signed) }) };
    },
  }),
  /** Its result is the code; the account that this device joined, or why not, is its end. */
  PM_START_DEVICE2_LINKING_FLOW: message({
    payload: payloads.linking,
    result: results.device2Linking,
    end: results.linkedAccount,
    run: async (wallet, payload, { options, services, until, ui }) => {
      const shown = new AbortController();
      const joined = settleable<LinkedAccount>();
      // The passkey of a known account is made before the code is shown.
      const isAskedFirst = payload?.accountId !== undefined;
      if (isAskedFirst) ui('opened');
      const linking = await wallet.startDevice2LinkingFlow({
        ...payload,
        ...options,
        onEvent: (event) => {
          options.onEvent(event);
          if (event.phase === 'addkey-detected') shown.abort();
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
        services.showLinkingCode(linking, shown.signal);
      }
      return linking;
    },
  }),
  PM_STOP_DEVICE2_LINKING_FLOW: message({
    payload: payloads.none,
    result: nothing,
    run: (wallet) => wallet.stopDevice2LinkingFlow(),
  }),
  PM_FINISH_DEVICE_LINKING: message({
    payload: payloads.accountFlow,
    result: results.linkedAccount,
    run: (wallet, { nearAccountId, options: _, ...wish }, { options }) =>
      wallet.finishDeviceLinking(nearAccountId, { ...wish, ...options }),
  }),

  // ---------------------------------------------------------------- key export
  /** Answers at once; whether the viewer had the key is its end, which comes when the viewer is closed. */
  PM_EXPORT_NEAR_KEYPAIR_UI: message({
    payload: payloads.exportUi,
    result: nothing,
    end: results.exported,
    run: async (wallet, { nearAccountId, ...rest }, { options, until, ui }) => {
      until(wallet.exportNearKeypairWithUI(nearAccountId, { ...rest, ...options }));
      ui('opened');
    },
  }),
  /** A raw private key is never given to a host, whatever it sends. */
  PM_EXPORT_NEAR_KEYPAIR: message({
    payload: payloads.anything,
    result: nothing,
    run: async () => {
      throw new LatchkeyError('EXPORT_NEAR_KEYPAIR_DISABLED', { message: FRAME_TEXTS.noRawKeys });
    },
  }),
};

interface Settleable<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** A promise that others settle. Nobody need have asked for it when it is rejected. */
function settleable<T>(): Settleable<T> {
  let settle: Omit<Settleable<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...(settle as Omit<Settleable<T>, 'promise'>) };
}
