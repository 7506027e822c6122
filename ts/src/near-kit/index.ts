/** near-kit over a Latchkey wallet, `latchkey/near-kit`. */
export { createNearKitWallet, type NearKitManager, type NearKitWalletArgs } from './wallet.js';
