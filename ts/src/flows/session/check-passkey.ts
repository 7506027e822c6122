/** Asks the passkey of an account of this device once more, to prove that it gives the same outputs again. */
import { LatchkeyError, NO_LOCAL_ACCOUNT, PASSKEY_DIFFERS } from '../../errors/wallet.js';
import { failure } from '../../failed-results.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import type { UserRecord } from '../../storage/records.js';
import type { PasskeyCheckOptions, PasskeyCheckResult } from '../../types.js';
import { assertDevice } from '../../webauthn/device-check.js';
import type { PrfOutputs } from '../../webauthn/prf.js';
import type { Signer } from '../../workers/signer-pool.js';
import type { FlowContext } from '../context.js';
import { noteAnswer } from '../note-answer.js';
import { proves } from '../proves.js';
import { type Run, runFlow } from '../run.js';
import { emitFailure } from '../signing/action-result.js';
import { type SigningAccount, signingAccount } from '../signing/approve.js';
import { askVerified, nextAsking, ownChallenge, passkeysOf } from '../verified-passkey.js';

/** One prompt. Needs no session, chain or relay. */
export async function checkPasskey(
  context: FlowContext,
  nearAccountId: string,
  options: PasskeyCheckOptions,
): Promise<PasskeyCheckResult> {
  return runFlow(
    'action',
    options,
    (run) => check(context, nearAccountId, run),
    (error, run) => {
      emitFailure(error, run);
      return { ...failure(error), nearAccountId, passkeyProven: false };
    },
  );
}

async function check(
  context: FlowContext,
  accountId: string,
  { emit, signal }: Run<'action'>,
): Promise<PasskeyCheckResult> {
  assertExistingAccountId(accountId);
  await assertDevice('get', context.credentials);
  const user = await context.store.user(accountId);
  if (!user) throw new LatchkeyError(NO_LOCAL_ACCOUNT, { values: { account: accountId } });
  const account = await signingAccount(context, user);
  const signer = await context.signers.acquire(signal);
  try {
    emit('webauthn-authentication', 'progress', 'Asking for the passkey');
    const allow = passkeysOf(user, account.authenticators);
    const asking = nextAsking(context, accountId, allow);
    const request = { accountId, allow, challenge: ownChallenge, signal };
    const { authentication, prf } = await askVerified(context, request, asking);
    emit('webauthn-authentication', 'success', 'The passkey answered');
    const isProven = await prove(signer, account, prf, signal);
    await noteAnswer(context, user, authentication, asking, isProven);
    if (!isProven) throw new LatchkeyError(PASSKEY_DIFFERS, { values: { account: accountId } });
  } finally {
    signer.end();
  }
  return { success: true, nearAccountId: accountId, passkeyProven: true };
}

/** As {@link prove}, as part of a login by this passkey. */
export async function proveAtLogin(
  context: FlowContext,
  user: UserRecord,
  prf: PrfOutputs,
  signal: AbortSignal,
): Promise<boolean> {
  const account = await signingAccount(context, user);
  const signer = await context.signers.acquire(signal);
  try {
    return await prove(signer, account, prf, signal);
  } finally {
    signer.end();
  }
}

/** Whether the outputs, which move to the worker, open the account's key and derive it again. */
function prove(
  signer: Signer,
  { user, encryptedKey }: SigningAccount,
  prf: PrfOutputs,
  signal: AbortSignal,
): Promise<boolean> {
  const { nearAccountId, clientNearPublicKey: publicKey } = user;
  const { encryptedData, iv } = encryptedKey;
  const key = { encryptedPrivateKey: { encryptedData, iv }, publicKey };
  return proves(signer, nearAccountId, key, prf, signal);
}
