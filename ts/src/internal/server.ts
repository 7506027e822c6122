/** `latchkey/internal/server`: what latchkey-server is built on. It promises nothing, like all of `internal`, and needs no DOM. */
export { readBounded } from '../bounded-body.js';
export { FRAME_SCRIPTS } from '../button/names.js';
export {
  type PasskeyManagerConfig,
  type ResolvedConfig,
  RFC3526_GROUP_14_P,
  resolveAfter,
  resolveConfig,
} from '../config.js';
export { type NamesOf, optionProblems } from '../config-options.js';
export { lacks } from '../errors/account.js';
export { filled, INVALID_CONFIG, isLatchkeyError, LatchkeyError, messageOf } from '../errors/core.js';
export { HOST_NOT_ALLOWED } from '../errors/frame.js';
export { canonicalOrigin } from '../frame/origin.js';
export { configuredHosts, createAllowedHosts } from '../frame/wallet/allowed-hosts.js';
export type { WalletPageConfig, WalletPageData } from '../frame/wallet/page-config.js';
export { isHttpUrl, withoutSecrets } from '../http-url.js';
export {
  accountIdProblem,
  existingAccountIdProblem,
  isDirectChildOf,
  isNearAccountId,
  MAX_LENGTH,
  MAX_REGISTRABLE_LENGTH,
  rulesBelow,
} from '../near/account-id.js';
export { type DelegateFailure, delegateEnd, isDelegateRefused } from '../near/delegate-end.js';
export { KNOWN_FEES, spendableYocto } from '../near/fees.js';
export {
  type AccessKeyView,
  actionErrorKind,
  createRpcClient,
  describeChainError,
  executionFailure,
  gasKeyView,
  highestNonce,
  isFullAccessView,
  isTransient,
  NONCES_PER_BLOCK,
  parseRpcUrls,
  type RpcClient,
  type RpcFailure,
  returnedBytes,
  rpcFailure,
  type TransactionOutcome,
} from '../near/index.js';
export { readNear, writeNear } from '../near/near-amount.js';
export { defaultAgreement, networkOf, TESTNET, TESTNET_RPC_URLS } from '../near/networks.js';
export { isByteArray } from '../near/rpc-answer.js';
export { noteOutcome, type RefusedCopy, sendCopy, sendUntilTaken } from '../near/send.js';
export { viewVerdict } from '../near/verdict-view.js';
export { executedWalletLine } from '../near-connect/executed-wallet.js';
export { EXECUTOR_PATH, MANIFEST_PATH, walletManifest } from '../near-connect/manifest.js';
export type { RegistryCapabilities } from '../registry/capabilities.js';
export { readCapabilities } from '../registry/capabilities.js';
export { createOriginList, readOriginList } from '../registry/origin-list.js';
export type { RegistryAt } from '../registry/registry-at.js';
export { orRegistryError } from '../registry/registry-error.js';
export { sleep, within } from '../sleep.js';
export { brandCss } from '../styles/brand.js';
export type { Action } from '../types.js';
export { isSignatureOf, isSoundPoint, isSoundSignature } from '../verify/ed25519.js';
