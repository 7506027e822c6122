/** Signing an off-chain message (NEP-413). */
import { base64 } from '@scure/base';
import { bytesOf } from '../../bytes.js';
import { surroundings } from '../../confirm/decide.js';
import type { AuthorizationModel, MessageModel } from '../../confirm/port.js';
import { isNamedBy } from '../../confirm/recipient.js';
import { LatchkeyError, SIGNING_FAILED } from '../../errors/account.js';
import { failedMessage } from '../../failed-results.js';
import { readPayload } from '../../nep641/to-sign.js';
import type { ConfirmationWish, SignNep413Options, SignNep413Params, SignNep413Result } from '../../types.js';
import type { MessageToSign, SignedMessage } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import { type Run, runFlow } from '../run.js';
import { ifLoaded } from '../warn.js';
import { emitFailure } from './action-result.js';
import { approve, loggedInAccount } from './approve.js';

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
    async (run) => {
      const signed = await signMessage(context, accountId, params, options, run);
      run.emit('action-complete', 'success', 'Message signed');
      return signed;
    },
    (error, run) => {
      emitFailure(error, run);
      return failedMessage(error, accountId, params?.state);
    },
  );
}

/** What an authorization (NEP-641) binds, besides the payload that is its message. */
export type Authorizing = Pick<AuthorizationModel, 'chainId' | 'path' | 'timestamp'>;

/** Signs with one confirmation and one prompt. Throws on failure. */
export async function signMessage(
  context: FlowContext,
  accountId: string,
  params: SignNep413Params,
  options: { readonly confirmationConfig?: ConfirmationWish | undefined },
  run: Run<'action'>,
  authorizing?: Authorizing,
): Promise<SignNep413Result> {
  const { config, rpId, signers } = context;
  const { emit, signal } = run;
  emit('preparation', 'progress', 'Preparing');
  const account = await loggedInAccount(context, accountId);
  const publicKey = account.user.clientNearPublicKey;
  const { shown, request } = messageToSign(context, { accountId, publicKey }, params, authorizing);

  const signer = await signers.acquire(signal);
  try {
    const part = await ifLoaded(context, import('./preview.js'));
    const preview = await part?.previewMessage(context, accountId, params);
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
          ...shown,
          ...preview,
        },
        prepare: () => signer.call('prepareNep413', [request], { signal }),
        confirmationConfig: options.confirmationConfig,
      },
      run,
    );
    emit('transaction-signing-progress', 'progress', 'Signing');
    const [signed] = await Promise.all([signer.call('signNep413', [handle], { signal }), verified]);
    emit('transaction-signing-complete', 'success', 'Signed');
    return signedMessageOf(accountId, { state: shown.state, nonce: request.nonce }, signed);
  } finally {
    signer.end();
  }
}

/** What the user sees of a message, and what the signer worker gets of it. */
export interface PreparedMessage {
  readonly shown: MessageModel;
  readonly request: MessageToSign;
}

/** Checks a message, as {@link completeMessage} does. */
export function messageToSign(
  { page, rpId, store }: Pick<FlowContext, 'page' | 'rpId' | 'store'>,
  signedBy: { readonly accountId: string; readonly publicKey: string },
  params: SignNep413Params,
  authorizing?: Authorizing,
): PreparedMessage {
  const { message, recipient, nonce, callbackUrl, state } = completeMessage(params);
  const callback = callbackUrl === undefined ? {} : { callbackUrl };
  const authorization = authorizing && { ...authorizing, ...readPayload(message) };
  // The recipient of an authorization names the account itself; its payload may name the app.
  const meant = authorization ? authorization.domain : recipient;
  const isForAnother =
    surroundings(store.host !== undefined).isEmbedded && !(meant !== undefined && isNamedBy(meant, page));
  return {
    shown: {
      message,
      recipient,
      // A page that asks can name a recipient that it is not, and pass the signature on to it.
      ...(isForAnother && { isForAnother: true }),
      nonce: base64.encode(nonce),
      ...(authorization && { authorization }),
      ...callback,
      ...(state !== undefined && { state }),
    },
    request: { ...signedBy, rpId, message, recipient, nonce, ...callback },
  };
}

/** A message with a nonce, in a copy that the caller cannot change after the user has seen it. */
export type CompleteMessage = SignNep413Params & { readonly nonce: Uint8Array };

/**
 * Fills in an absent nonce; null means absent. Throws SIGNING_FAILED for an empty recipient, and for a nonce that is not 32
 * bytes. The approval refuses an absent message.
 */
export function completeMessage(params: SignNep413Params): CompleteMessage {
  if (!params) throw invalid('it needs params, an object with a message and a recipient');
  const { message, recipient, callbackUrl, state } = params;
  if (typeof recipient !== 'string' || recipient === '') throw invalid('a recipient is needed');
  const nonce = params.nonce == null ? randomNonce() : bytesOf(params.nonce)?.slice();
  if (nonce?.length !== NONCE_LENGTH) throw invalid(`the nonce must be ${NONCE_LENGTH} bytes`);
  return {
    message,
    recipient,
    nonce,
    ...(callbackUrl != null && { callbackUrl }),
    ...(state != null && { state }),
  };
}

/** The result of a message that was signed. */
export function signedMessageOf(
  accountId: string,
  { nonce, state }: { readonly nonce: Uint8Array; readonly state?: string | undefined },
  { publicKey, signature }: SignedMessage,
): SignNep413Result {
  return {
    success: true,
    accountId,
    publicKey,
    signature,
    nonce: base64.encode(nonce),
    ...(state !== undefined && { state }),
  };
}

function randomNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
}

function invalid(reason: string): LatchkeyError {
  return new LatchkeyError(SIGNING_FAILED, { values: { reason } });
}
