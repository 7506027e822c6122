/**
 * Verifies, in a host's backend, a wallet's signed message (NEP-413), authorization (NEP-641) or passkey assertion. Uses only Web APIs, so it
 * runs on Node 20, Workers and Deno. docs/guides/verify.mdx states its guarantees.
 */
export { isLatchkeyError, LatchkeyError } from '../errors/latchkey-error.js';
export { loginSessionDigest } from '../intent/label.js';
export {
  createRpcClient,
  type RpcCall,
  type RpcClient,
  type RpcClientOptions,
  type RpcFailure,
  type RpcFailureKind,
  rpcFailure,
} from '../near/index.js';
export {
  type AuthenticationExpectation,
  type AuthenticationRefusal,
  type AuthenticationVerdict,
  verifyAuthentication,
} from './authentication.js';
export {
  type AuthorizationExpectation,
  type AuthorizationLimits,
  type AuthorizationRefusal,
  type AuthorizationVerdict,
  resolveAuthorization,
} from './authorization.js';
export {
  type SignedMessageExpectation,
  type SignedMessageRefusal,
  type SignedMessageVerdict,
  verifySignedMessage,
} from './signed-message.js';
export type { Refused, Verdict } from './verdict.js';
