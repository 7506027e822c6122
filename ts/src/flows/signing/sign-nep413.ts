/** Signing an off-chain message (NEP-413). */
import { base64 } from '@scure/base';
import { surroundings } from '../../confirm/decide.js';
import { isNamedBy } from '../../confirm/recipient.js';
import { errorText, isCancellation, LatchkeyError } from '../../errors/index.js';
import type { SignNep413Options, SignNep413Params, SignNep413Result } from '../../types.js';
import type { FlowContext } from '../context.js';
import { type Run, runFlow } from '../run.js';
import { approve, loggedInAccount } from './approve.js';
import { emitFailure } from './failure.js';
import { whereLoaded } from './sign-batch.js';

const NONCE_LENGTH = 32;

export async function signNEP413Message(
  context: FlowContext,
  accountId: string,
  params: SignNep413Params,
  options: SignNep413Options,
): Promise<SignNep413Result> {
  return runFlow(
    'action',
    options,
    (run) => signMessage(context, accountId, params, options, run),
    (error, run) => {
      emitFailure(error, run);
      return {
        success: false,
        error: isCancellation(error) ? error.message : errorText('NEP413_FAILED', { reason: error.message }),
        errorCode: error.code,
        accountId,
        publicKey: null,
        signature: null,
        nonce: null,
        ...(params.state !== undefined && { state: params.state }),
      };
    },
  );
}

async function signMessage(
  context: FlowContext,
  accountId: string,
  { message, recipient, nonce = randomNonce(), callbackUrl, state }: SignNep413Params,
  options: SignNep413Options,
  run: Run<'action'>,
): Promise<SignNep413Result> {
  const { config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  if (nonce.length !== NONCE_LENGTH) throw invalid(`the nonce must be ${NONCE_LENGTH} bytes`);
  if (!recipient) throw invalid('a recipient is needed');
  const account = await loggedInAccount(context, accountId);
  const publicKey = account.user.clientNearPublicKey;
  const callback = callbackUrl === undefined ? {} : { callbackUrl };
  const nonceText = base64.encode(nonce);

  const signer = await signers.acquire(signal);
  try {
    const part = await whereLoaded(context, import('./besides.js'));
    const besides = await part?.besidesMessage(context, accountId, { message, recipient });
    const request = { accountId, publicKey, rpId, message, recipient, nonce, ...callback };
    const { handle, verified } = await approve(
      context,
      {
        type: 'signNep413Message',
        account,
        signer,
        shown: {
          kind: 'nep413',
          accountId,
          rpId,
          networkId: config.networkId,
          message,
          recipient,
          ...(isForAnother(recipient, context.page) && { isForAnother: true }),
          nonce: nonceText,
          ...callback,
          ...(state !== undefined && { state }),
          ...besides,
        },
        prepare: () => signer.call('prepareNep413', [request], { signal }),
        confirmationConfig: options.confirmationConfig,
      },
      run,
    );
    emit('transaction-signing-progress', 'progress', 'Signing');
    const [signed] = await Promise.all([signer.call('signNep413', [handle], { signal }), verified]);
    emit('transaction-signing-complete', 'success', 'Signed');
    emit('action-complete', 'success', 'Done');
    return {
      success: true,
      accountId,
      publicKey: signed.publicKey,
      signature: signed.signature,
      nonce: nonceText,
      ...(state !== undefined && { state }),
    };
  } finally {
    signer.end();
  }
}

function randomNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError('SIGNING_FAILED', { values: { reason } });
}

/** A page that embeds the wallet can name a recipient that it is not, and pass the signature on to it. */
function isForAnother(recipient: string, page: string): boolean {
  return surroundings().isEmbedded && !isNamedBy(recipient, page);
}
