/** The accounts of a host that frames the wallet, as a login sees them. */
import type { AuthenticatorRecord, UserRecord } from '../../storage/records.js';
import type { WalletStore } from '../../storage/store.js';

export interface LoginRecords {
  readonly user: UserRecord | undefined;
  readonly authenticators: readonly AuthenticatorRecord[];
  /**
   * The account was not used through this host yet: login asks for its passkey, so that the user introduces it to
   * the host.
   */
  readonly isFirstHere: boolean;
}

/**
 * Returns this device's records of the account, whether it was used through the host or not. Only a login may begin
 * with an account that the host has not used: the host first learns of it through the passkey prompt, which the
 * user sees.
 */
export async function accountForLogin(store: WalletStore, accountId: string): Promise<LoginRecords> {
  const [user, authenticators, isOfHost] = await Promise.all([
    store.userOnDevice(accountId),
    store.authenticatorsOnDevice(accountId),
    store.isOfHost(accountId),
  ]);
  return { user, authenticators, isFirstHere: !isOfHost };
}
