/**
 * `latchkey/same-origin`: the wallet that runs in the app's own page, for apps without a wallet origin. Its flows, workers and
 * WASM are in the build of an app that imports this, and in no other.
 */
import type { WalletLoader } from './passkey-manager.js';

/** Give it to {@link PasskeyManager}: `new PasskeyManager(config, { wallet: sameOriginWallet })`. */
export const sameOriginWallet: WalletLoader = {
  createWallet: async (config, surroundings) =>
    (await import('./flows/wallet.js')).createWallet(config, surroundings),
  checkDevice: async () => (await import('./webauthn/device-check.js')).checkDevice(),
  adoptAccount: async (wallet, args) => (await import('./adopt-account.js')).adoptAccount(wallet, args),
  failedResult: async (...failed) => (await import('./failed-calls.js')).failedResult(...failed),
};
