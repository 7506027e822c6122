/** The accounts of a host that frames the wallet, as a login sees them. */
import type { AuthenticatorRecord, UserRecord } from '../../storage/records.js';
import type { WalletStore } from '../../storage/store.js';

export interface LoginRecords {
  readonly user: UserRecord | undefined;
  readonly authenticators: readonly AuthenticatorRecord[];
  /** The account was not used through this host yet: its passkey is asked for, so that the person lets the host know. */
  readonly isFirstHere: boolean;
}

/**
 * What this device has of the account, used through the host or not. A login is the one call that may begin with an
 * account that the host has not used: the passkey prompt is the first that the host hears of it, and the person sees it.
 */
export async function accountForLogin(store: WalletStore, accountId: string): Promise<LoginRecords> {
  const [user, authenticators, isOfHost] = await Promise.all([
    store.userOnDevice(accountId),
    store.authenticatorsOnDevice(accountId),
    store.isOfHost(accountId),
  ]);
  return { user, authenticators, isFirstHere: !isOfHost };
}
