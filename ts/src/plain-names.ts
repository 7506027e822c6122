/** Shorter names for calls whose names come from the specification. Both stay. */
import type { CallName, Wallet } from './wallet.js';

/** Each is the same call as the one that it names. */
export interface PlainNames {
  /** The same as {@link Wallet.logoutAndClearVrfSession}: ends the session, here and in every other tab. */
  readonly logout: Wallet['logoutAndClearVrfSession'];
  /** The same as {@link Wallet.recoverAccountFlow}: recovers an account from its passkey. */
  readonly recoverAccount: Wallet['recoverAccountFlow'];
  /** The same as {@link Wallet.signTransactionsWithActions}: signs with one prompt, and sends nothing. */
  readonly signTransactions: Wallet['signTransactionsWithActions'];
  /** The same as {@link Wallet.signNEP413Message}: signs an off-chain message. */
  readonly signMessage: Wallet['signNEP413Message'];
  /** The same as {@link Wallet.signNEP641Authorization}: signs an off-chain authorization. */
  readonly signAuthorization: Wallet['signNEP641Authorization'];
  /** The same as {@link Wallet.startDevice2LinkingFlow}: the new device shows a code. */
  readonly linkThisDevice: Wallet['startDevice2LinkingFlow'];
  /** The same as {@link Wallet.stopDevice2LinkingFlow}: ends what {@link linkThisDevice} began. */
  readonly stopLinkingThisDevice: Wallet['stopDevice2LinkingFlow'];
  /** The same as {@link Wallet.linkDeviceWithScannedQRData}: a device that is logged in admits the one that shows the code. */
  readonly linkAnotherDevice: Wallet['linkDeviceWithScannedQRData'];
  /** The same as {@link Wallet.deleteDeviceKey}: removes a device from the account. */
  readonly removeDevice: Wallet['deleteDeviceKey'];
  /** The same as {@link Wallet.exportNearKeypairWithUI}: shows the private key to the user. */
  readonly exportKey: Wallet['exportNearKeypairWithUI'];
}

const NAMES: Readonly<Record<keyof PlainNames, CallName>> = {
  logout: 'logoutAndClearVrfSession',
  recoverAccount: 'recoverAccountFlow',
  signTransactions: 'signTransactionsWithActions',
  signMessage: 'signNEP413Message',
  signAuthorization: 'signNEP641Authorization',
  linkThisDevice: 'startDevice2LinkingFlow',
  stopLinkingThisDevice: 'stopDevice2LinkingFlow',
  linkAnotherDevice: 'linkDeviceWithScannedQRData',
  removeDevice: 'deleteDeviceKey',
  exportKey: 'exportNearKeypairWithUI',
};

/** Makes the calls under these names; each goes through the object's own call of the other name. */
export function plainNames(): PlainNames {
  const methods = Object.entries(NAMES).map(([name, call]) => [
    name,
    function (this: Wallet, ...args: unknown[]) {
      return Reflect.apply(this[call], this, args);
    },
  ]);
  return Object.fromEntries(methods) as PlainNames;
}
