/** The texts of the adapters to other clients: near-api-js, near-kit and near-connect. */
import { addTexts, LatchkeyError, type LatchkeyErrorCode } from './latchkey-error.js';

export * from './index.js';

const TEXTS = {
  BYTES_NOT_SIGNED:
    'The wallet signs no bytes that it cannot show. Sign a transaction or a message (NEP-413) instead.',
  ACTION_NOT_CARRIED: 'The wallet does not sign this: {reason}. Nothing was signed.',
  OTHER_ACCOUNT: 'This is for {asked}, and the wallet signs for {account}. Nothing was signed.',
  OTHER_KEY: 'This names the key {asked}, and the wallet signs with {publicKey}. Nothing was signed.',
  OTHER_NETWORK:
    'The provider is on the network {asked}, and the wallet is on {networkId}. Nothing was signed.',
  OTHER_TRANSACTION: 'The wallet signed something else than was asked. It was thrown away, and not sent.',
  SIGNED_BEFORE:
    'These actions were signed before, as {transactionId}, and the chain does not know that transaction. ' +
    'The user was not asked again. Make new actions to ask once more; LatchkeyAccount signs an overtaken nonce again by itself.',
  NETWORK_NOT_SERVED:
    'This is for the network {asked}, and the wallet is on {networkId}. Nothing was signed.',
  NOTHING_CONNECTED: 'No account of the wallet is connected. Sign in first.',
} as const;

export type NearApiJsTexts = typeof TEXTS;

addTexts(TEXTS);

/** The refusal of what the wallet cannot show. */
export function notCarried(reason: string): LatchkeyError {
  return new LatchkeyError('ACTION_NOT_CARRIED', { values: { reason } });
}

/** The error of a call that did not succeed. */
export function asError(
  { error, errorCode = 'UNKNOWN' }: { readonly error?: string; readonly errorCode?: LatchkeyErrorCode } = {},
  details: Readonly<Record<string, unknown>> = {},
): LatchkeyError {
  return new LatchkeyError(errorCode, { ...(error !== undefined && { message: error }), details });
}
