/** The wallet of one host: made for its origin, and made again where the host configures it. */
import { resolveConfig } from '../../config.js';
import { createWallet, type LocalWallet, type WalletSurroundings } from '../../flows/wallet.js';
import type { ConfirmationConfig, LoginState } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { resolveRpId } from '../../webauthn/rp-id.js';
import type { HostConfig } from '../protocol/index.js';
import { registryAdmits } from './admission.js';
import { readHostConfig } from './host-config.js';
import type { WalletPageConfig } from './page-config.js';

/** What the operator lets a host do. */
export interface HostRights {
  readonly isConfigurable: boolean;
  readonly isLinkCodeHost: boolean;
}

export interface HostWallet {
  /** Delegates to the current wallet. */
  readonly wallet: Wallet;
  current(): LocalWallet;
  /** Applies what the host sets of the wallet. Throws CONFIG_NOT_ALLOWED and INVALID_CONFIG. */
  setConfig(wanted: HostConfig): Promise<void>;
  /** Subscribes to the login state; returns a function that ends it. */
  onLoginState(listener: (state: LoginState) => void): () => void;
}

export function hostWallet(
  own: WalletPageConfig,
  host: string,
  { isConfigurable, isLinkCodeHost }: HostRights,
  surroundings: Pick<
    WalletSurroundings,
    'confirmer' | 'credentials' | 'showKeyInWindow' | 'onStorageRefused'
  >,
): HostWallet {
  const { contractId } = resolveConfig(own);
  const listeners = new Set<(state: LoginState) => void>();
  let wishes: Partial<ConfirmationConfig> = {};

  const make = (given: WalletPageConfig): LocalWallet => {
    const resolved = resolveConfig(given);
    const live = {
      ...resolved,
      // Each request reads it again: the host's wishes may change.
      get confirmationConfig() {
        return { ...resolved.confirmationConfig, ...wishes };
      },
    };
    return createWallet(live, {
      ...surroundings,
      page: host,
      isForHost: true,
      isLinkCodeHost,
      hostCheck: (at) => registryAdmits(at, host, contractId),
      onLoginState: (state) => {
        for (const listener of listeners) listener(state);
      },
    });
  };
  let current = make(own);

  return {
    wallet: new Proxy({} as Wallet, { get: (_target, name) => Reflect.get(current, name) }),
    current: () => current,
    async setConfig(wanted) {
      const at = { rpId: resolveRpId(resolveConfig(own), location.hostname), isConfigurable };
      const { confirmation, changes } = readHostConfig(wanted, own, at);
      wishes = confirmation;
      if (!changes) return;
      const former = current;
      current = make({ ...own, ...changes });
      await former.close();
    },
    onLoginState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
