/** near-api-js 7 over a Latchkey wallet, `latchkey/near-api-js`. */
export { LatchkeyAccount } from './account.js';
export { LatchkeySigner, type LatchkeySignerArgs, type SigningWallet } from './signer.js';
