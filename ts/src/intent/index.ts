/**
 * What a person agrees to, as one digest. This is the TypeScript home, computed from the model that is shown; the
 * signer worker computes its own in Rust from what it will sign (`crates/intent`), and the two are compared.
 */
export {
  device2RegistrationDigest,
  linkDeviceDigest,
  loginSessionDigest,
  registrationDigest,
} from './label.js';
export { type Nep413Intent, nep413Digest } from './message.js';
export { delegateDigest, transactionsDigest } from './transactions.js';
