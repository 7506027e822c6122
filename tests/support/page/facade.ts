/** What a page imports: the facade, and the wallet that runs in that page. */
export * from '../../../ts/src/index.js';
export { sameOriginWallet } from '../../../ts/src/same-origin.js';
