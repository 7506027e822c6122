/**
 * What a user agrees to, as one digest. TypeScript computes it here from the model that is shown; the signer worker
 * computes its own in Rust from what it will sign (`crates/intent`), and the flows compare the two.
 */
export {
  device2RegistrationDigest,
  existingRegistrationDigest,
  linkDeviceDigest,
  loginSessionDigest,
  registrationDigest,
} from './label.js';
export { type Nep413Intent, nep413Digest } from './message.js';
export { togetherDigest } from './together.js';
export { type DelegateIntent, delegatesDigest, transactionsDigest } from './transactions.js';
