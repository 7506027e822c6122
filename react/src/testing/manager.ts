import { type LoginState, PasskeyManager, type PasskeyManagerConfig } from 'latchkey';
import { sameOriginWallet } from 'latchkey/same-origin';
import { vi } from 'vitest';

export const ALICE = 'alice.w3a-v1.testnet';

/** A manager that needs no chain: started, and logged in as this account. */
export function managerOf(
  loggedInAs: string | null = ALICE,
  config: Partial<PasskeyManagerConfig> = {},
): PasskeyManager {
  const manager = new PasskeyManager(
    { relayer: { url: 'http://localhost:1' }, ...config },
    { wallet: sameOriginWallet },
  );
  const state: LoginState = {
    isLoggedIn: loggedInAs !== null,
    nearAccountId: loggedInAs,
    publicKey: null,
    vrfActive: loggedInAs !== null,
    userData: null,
  };
  const settled = { committed: [], dropped: [], pending: [], mismatched: [] };
  vi.spyOn(manager, 'init').mockImplementation(async () => settled as never);
  vi.spyOn(manager, 'getLoginState').mockImplementation(async () => state);
  vi.spyOn(manager, 'close').mockImplementation(async () => undefined);
  vi.spyOn(manager, 'setUserTheme').mockImplementation(async () => undefined);
  vi.spyOn(manager, 'setConfirmationConfig').mockImplementation(async () => undefined);
  return manager;
}
