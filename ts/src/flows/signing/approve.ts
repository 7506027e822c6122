/**
 * What transactions and messages have in common: the person confirms what is shown, the passkey signs a challenge
 * bound to it, and the registry says whether that assertion is good.
 */
import { base64urlnopad } from '@scure/base';
import { type ConfirmationRequest, decideConfirmation, surroundings } from '../../confirm/decide.js';
import { ConfirmSession, type Shown } from '../../confirm/session.js';
import {
  failedAs,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  toLatchkeyError,
} from '../../errors/index.js';
import { verifyAuthentication, webAuthnChallenge } from '../../registry/registry.js';
import type { AuthenticatorRecord, EncryptedKeyRecord, UserRecord } from '../../storage/records.js';
import type { ConfirmationConfig } from '../../types.js';
import { assertPasskey } from '../../webauthn/passkeys.js';
import { prfMissing, wipe } from '../../webauthn/prf.js';
import type {
  Prepared,
  TransactionApproval,
  VrfChallenge,
  WebAuthnAuthentication,
} from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { confirmationSettings } from '../session/settings.js';

const REFRESH_ATTEMPTS = 3;
const REFRESH_DELAY_MS = 150;

/** The account that signs, and what this device holds for it. */
export interface SigningAccount {
  readonly user: UserRecord;
  readonly authenticators: readonly AuthenticatorRecord[];
  readonly encryptedKey: EncryptedKeyRecord;
}

export interface ApprovalRequest {
  readonly type: ConfirmationRequest;
  readonly account: SigningAccount;
  /** What the person sees, without its digest. */
  readonly shown: Shown extends infer S ? (S extends Shown ? Omit<S, 'digest'> : never) : never;
  /** The digest computed here, from what is shown. */
  readonly digestOfShown: () => string | Promise<string>;
  /** The digest that the signer worker computed from what it will sign. */
  readonly prepare: () => Promise<Prepared>;
  readonly confirmationConfig: Partial<ConfirmationConfig> | undefined;
}

/** The approval, and one copy of PRF.first to be transferred to the signer worker. */
export interface Approved {
  readonly handle: number;
  readonly approval: Omit<TransactionApproval, 'nonces' | 'blockHash'>;
  readonly prfFirst: Uint8Array<ArrayBuffer>;
  /** Resolves when the registry has accepted the assertion. Nothing signed may leave before. */
  readonly verified: Promise<void>;
}

/** Steps 1 to 5 of an action. */
export async function approve(
  context: FlowContext,
  { type, account, shown, digestOfShown, prepare, confirmationConfig }: ApprovalRequest,
  run: Run<'action'>,
): Promise<Approved> {
  const { contexts } = context;
  const { emit } = run;
  // A logout ends what waits for the person; what the passkey has approved goes on.
  const signal = context.logout.until(run.signal);
  const { nearAccountId, clientNearPublicKey } = account.user;
  if (isEmpty(shown)) throw new LatchkeyError('MISSING_PAYLOAD');

  const [prepared, digest] = await Promise.all([
    prepare(),
    uiDigest(digestOfShown),
    contexts.begin(nearAccountId, clientNearPublicKey),
  ]);
  if (prepared.digest !== digest) throw new LatchkeyError('INTENT_DIGEST_MISMATCH');
  emit('preparation', 'success', 'Prepared', { data: { digest } });

  const confirmer = context.confirmer();
  const decided = decideConfirmation({
    type,
    transactions: shown.kind === 'transactions' ? shown.transactions : undefined,
    isDelegate: shown.kind === 'transactions' && shown.delegate !== undefined,
    settings: await confirmationSettings(context, account.user, confirmationConfig),
    at: surroundings(),
    hasConfirmer: confirmer !== null,
  });
  const session = new ConfirmSession(confirmer, decided, signal);
  const stopRefreshing = contexts.keep(nearAccountId, clientNearPublicKey);
  try {
    emit('user-confirmation', 'progress', 'Waiting for your confirmation');
    const { challenge, authentication, prfFirst } = await session.approve(
      { ...shown, digest } as Shown,
      () => {
        emit('user-confirmation', 'success', 'Confirmed');
        return askPasskey(context, account, digest, { emit, signal });
      },
    );
    emit('authentication-complete', 'success', 'The passkey answered');
    emit('contract-verification', 'progress', 'Asking the registry to check the passkey');
    const verified = verifyAuthentication(context, challenge, authentication, run.signal).then(() =>
      emit('contract-verification', 'success', 'The registry accepted the passkey'),
    );
    verified.catch(() => undefined);
    const { encryptedData, iv } = account.encryptedKey;
    const clientDataJson = base64urlnopad.decode(authentication.response.clientDataJSON);
    const approval = { encryptedPrivateKey: { encryptedData, iv }, challenge, clientDataJson };
    return { handle: prepared.handle, approval, prfFirst, verified };
  } finally {
    stopRefreshing();
    session.close();
  }
}

/** A caller without types may give nothing to show. */
function isEmpty(shown: ApprovalRequest['shown']): boolean {
  if (shown.kind === 'transactions') return shown.transactions.length === 0;
  return shown.kind === 'nep413' && typeof shown.message !== 'string';
}

/** The records of the account that signs. */
export async function signingAccount({ store }: FlowContext, user: UserRecord): Promise<SigningAccount> {
  const { nearAccountId, deviceNumber } = user;
  const [all, encryptedKey] = await Promise.all([
    store.authenticators(nearAccountId),
    store.encryptedKey(nearAccountId, deviceNumber),
  ]);
  const authenticators = all.filter((record) => record.deviceNumber === deviceNumber);
  const values = { account: nearAccountId };
  if (authenticators.length === 0) throw new LatchkeyError('NO_AUTHENTICATORS', { values });
  if (!encryptedKey) throw new LatchkeyError('NO_ENCRYPTED_KEY', { values });
  return { user, authenticators, encryptedKey };
}

interface Asserted {
  readonly challenge: VrfChallenge;
  readonly authentication: WebAuthnAuthentication;
  readonly prfFirst: Uint8Array<ArrayBuffer>;
}

/** One VRF proof and one prompt, both at the click. */
async function askPasskey(
  context: FlowContext,
  { user, authenticators }: SigningAccount,
  intentDigest: string,
  { emit, signal }: Run<'action'>,
): Promise<Asserted> {
  const { rpId, credentials, vrf } = context;
  const { blockHeight, blockHash } = await freshBlock(context, user);
  const challenge = await vrf
    .call('generateChallenge', [{ userId: user.nearAccountId, rpId, blockHeight, blockHash, intentDigest }], {
      signal,
    })
    .catch((error: unknown) => {
      throw isCancellation(error) ? error : failedAs('VRF_CHALLENGE_FAILED', error);
    });
  // Another account may have logged in while the person decided. The registry would refuse its key, after the prompt.
  if (!authenticators.some(({ vrfPublicKey }) => vrfPublicKey === challenge.vrfPublicKey)) {
    throw new LatchkeyError('NOT_LOGGED_IN');
  }

  emit('webauthn-authentication', 'progress', 'Asking for the passkey');
  const { authentication, prf } = await assertPasskey({
    rpId,
    credentials,
    accountId: user.nearAccountId,
    challenge: webAuthnChallenge(challenge),
    allow: authenticators,
    signal,
  });
  if (prf.kind !== 'outputs') throw prfMissing();
  wipe(prf.outputs.second);
  return { challenge, authentication, prfFirst: prf.outputs.first };
}

async function freshBlock({ contexts }: FlowContext, { nearAccountId, clientNearPublicKey }: UserRecord) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await contexts.atClick(nearAccountId, clientNearPublicKey);
    } catch (error) {
      if (!isLatchkeyError(error, 'NEAR_RPC_FAILED')) throw error;
      if (attempt === REFRESH_ATTEMPTS) throw new LatchkeyError('VRF_REFRESH_FAILED', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, REFRESH_DELAY_MS * attempt));
    }
  }
}

async function uiDigest(compute: () => string | Promise<string>): Promise<string> {
  try {
    return await compute();
  } catch (error) {
    throw new LatchkeyError('UI_DIGEST_VALIDATION_FAILED', { cause: toLatchkeyError(error) });
  }
}
