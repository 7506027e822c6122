/** Signing an off-chain authorization (NEP-641): a NEP-413 message that names the chain, the account and the time. */
import { base58, base64 } from '@scure/base';
import { LatchkeyError, NETWORK_NOT_SERVED } from '../../errors/account.js';
import { failedAuthorization } from '../../failed-results.js';
import {
  type KeyAuthorization,
  nep413RecipientOf,
  type OffchainMessage,
  offchainMessageHash,
  secondsText,
} from '../../nep641/message.js';
import { completeAuthorization } from '../../nep641/to-sign.js';
import type { SignNep641Options, SignNep641Params, SignNep641Result } from '../../types.js';
import type { FlowContext } from '../context.js';
import { runFlow } from '../run.js';
import { emitFailure } from './action-result.js';
import { signMessage } from './sign-nep413.js';

/** Clocks differ, and blocks lag behind them: a message from the future of the block that a backend reads does not count. */
const SIGNED_EARLIER_SECONDS = 60;

export async function signNEP641Authorization(
  context: FlowContext,
  accountId: string,
  params: SignNep641Params,
  options: SignNep641Options,
): Promise<SignNep641Result> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const msg = messageToAuthorize(context.config.networkId, accountId, params);
      const { payload, path = [], timestamp } = msg;
      const asMessage = {
        message: payload,
        recipient: nep413RecipientOf(msg),
        nonce: offchainMessageHash(msg),
      };
      const authorization = { chainId: msg.chain_id, path, timestamp };
      const signed = await signMessage(context, accountId, asMessage, options, run, authorization);
      run.emit('action-complete', 'success', 'Authorization signed');
      return authorizationOf(msg, signed);
    },
    (error, run) => {
      emitFailure(error, run);
      return failedAuthorization(error, accountId);
    },
  );
}

/** Throws NETWORK_NOT_SERVED for another chain than the wallet's, and as {@link completeAuthorization} does. */
function messageToAuthorize(networkId: string, accountId: string, params: SignNep641Params): OffchainMessage {
  const { payload, path, chainId = networkId } = completeAuthorization(accountId, params);
  if (chainId !== networkId) {
    throw new LatchkeyError(NETWORK_NOT_SERVED, { values: { asked: chainId, networkId } });
  }
  return {
    chain_id: chainId,
    signer_id: accountId,
    // The NEP's JSON has no empty path.
    ...(path.length > 0 && { path }),
    timestamp: secondsText(Math.floor(Date.now() / 1000) - SIGNED_EARLIER_SECONDS),
    payload,
  };
}

function authorizationOf(
  msg: OffchainMessage,
  {
    accountId,
    publicKey,
    signature,
  }: { accountId: string; publicKey: string | null; signature: string | null },
): SignNep641Result {
  const authorization: KeyAuthorization = {
    msg,
    via: { schema: 'nep413', extra: {} },
    access_key: publicKey ?? '',
    signature: `ed25519:${base58.encode(base64.decode(signature ?? ''))}`,
  };
  return { success: true, accountId, publicKey, authorization: JSON.stringify(authorization) };
}
