/** What the scripts inside the frame of the embedded transaction button need. */
export { transactionsDigest } from '../intent/index.js';
export * from './geometry.js';
export * from './messages.js';
export * from './names.js';
