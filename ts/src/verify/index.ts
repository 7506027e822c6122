/**
 * Checks, in a host's backend, what a wallet hands over: a signed message (NEP-413) or a passkey assertion. Web APIs
 * alone: Node 20, Workers and Deno run it. What it promises stands in docs/verify.md.
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
  type SignedMessageExpectation,
  type SignedMessageRefusal,
  type SignedMessageVerdict,
  verifySignedMessage,
} from './signed-message.js';
export type { Refused, Verdict } from './verdict.js';
