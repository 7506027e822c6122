/**
 * Recovers an account from a passkey alone, in a browser that knows nothing. The steps:
 *
 * 1. the account's passkeys are looked up in the registry; without a name, the passkey that the user chooses names
 *    the account (one prompt), or opens it: an account that has no name needs nothing else
 * 2. the passkey gives its PRF outputs (one prompt), and is compared with the registry's record of it
 * 3. the keys are derived in the workers, and compared with the record and with the account's key on the chain
 * 4. the records are stored, all or none
 * 5. the VRF keypair is put under the server lock where the relay answers, and becomes the session's, in place of
 *    another account's
 *
 * Nothing before step 4 leaves a trace, so an interrupted recovery is simply started again. A logout meanwhile, here
 * or in another tab, ends it.
 */

import {
  isLatchkeyError,
  LatchkeyError,
  PASSKEY_DIFFERS,
  PASSKEY_NOT_OF_ACCOUNT,
  PASSKEY_OF_ANOTHER_ACCOUNT,
} from '../../errors/account.js';
import { failure } from '../../failed-results.js';
import { isNearImplicitAccountId } from '../../near/account-id.js';
import type { RecoverableAccount, RecoveryOptions, RecoveryRequest, RecoveryResult } from '../../types.js';
import { canAskConditionally } from '../../webauthn/can-ask-conditionally.js';
import { assertDevice } from '../../webauthn/device-check.js';
import { backupIn } from '../../webauthn/flags.js';
import { wipe } from '../../webauthn/prf.js';
import { recorded } from '../../webauthn/transports.js';
import { displayName } from '../../webauthn/user-handle.js';
import type { FlowContext } from '../context.js';
import { hiddenAddresses } from '../hidden-address.js';
import { type DerivedKeypairs, deriveKeypairs, recordsOf } from '../registration/new-passkey.js';
import { eventError, type Run, runFlow } from '../run.js';
import { viewOwnKey } from '../signing/transaction-contexts.js';
import { type AnsweredPasskey, askPasskey, assertFits, misfitOf } from './ask.js';
import {
  type ChosenPasskey,
  choosePasskey,
  type Found,
  type FoundPasskey,
  findPasskeys,
  namedAccount,
  type Wanted,
} from './find.js';
import { finishRecovery } from './finish.js';
import { recoverNameless, withOpened } from './nameless.js';
import { inRecoveryWords, withAdvice } from './words.js';

export async function recoverAccountFlow(
  context: FlowContext,
  { accountId: typed, credentialId, options = {} }: RecoveryRequest,
  conditional = false,
): Promise<RecoveryResult> {
  let accountId = named(typed);
  return runFlow(
    'recovery',
    options,
    async ({ emit, signal }) => {
      const untilLogout = () => ({ emit, signal: context.logout.until(signal) });
      // A field offers passkeys after a logout too.
      let run = conditional ? { emit, signal } : untilLogout();
      await assertDevice('get', context.credentials);
      const wanted = { accountId: accountId ?? '', credentialId };
      if (accountId && !isNearImplicitAccountId(accountId))
        return recover(context, await findPasskeys(context, wanted, run), run);
      const chosen = await choosePasskey(context, run, { immediate: options.immediate, conditional });
      if (conditional) run = untilLogout();
      const open = async (): Promise<RecoveryResult> => {
        const ofName = namedAccount(chosen);
        if (!ofName) return recoverNameless(context, chosen, accountId, run);
        assertTyped(ofName, accountId);
        accountId = ofName.accountId;
        return recover(context, await findPasskeys(context, ofName, run), run);
      };
      return context.openingSession ? context.openingSession(open) : open();
    },
    (error, { emit }) => {
      emit('account-recovery-error', 'error', error.message, eventError(error));
      return {
        ...failure(error),
        accountId: accountId ?? null,
        publicKey: null,
        message: withAdvice(error, accountId),
      };
    },
    inRecoveryWords,
  );
}

/**
 * As {@link recoverAccountFlow} without a name, with a passkey that the user chooses in a field of this document. Null where the
 * browser offers none there, or passkeys are asked for in another document.
 */
export async function recoverByAutofill(
  context: FlowContext,
  options: RecoveryOptions,
): Promise<RecoveryResult | null> {
  if (!context.credentials?.runsHere || !(await canAskConditionally())) return null;
  return recoverAccountFlow(context, { options }, true);
}

/** Lists the accounts that can be recovered: no prompt with a name, one without. Rejects where its flow failed. */
export async function discoverRecoverableAccounts(
  context: FlowContext,
  typed: string | undefined,
  { onEvent, signal, immediate }: Pick<RecoveryOptions, 'onEvent' | 'signal' | 'immediate'>,
): Promise<readonly RecoverableAccount[]> {
  return runFlow<'recovery', readonly RecoverableAccount[]>(
    'recovery',
    { ...(onEvent && { onEvent }), ...(signal && { signal }) },
    async (run) => {
      await assertDevice('get', context.credentials);
      const accountId = named(typed);
      let wanted: Wanted | undefined = accountId ? { accountId } : undefined;
      if (!wanted || isNearImplicitAccountId(wanted.accountId)) {
        const chosen = await choosePasskey(context, run, { immediate });
        const ofName = namedAccount(chosen);
        if (!ofName) return listNameless(context, chosen, accountId, run.signal);
        assertTyped(ofName, accountId);
        wanted = ofName;
      }
      const { passkeys } = await findPasskeys(context, wanted, run);
      return passkeys.map(({ credentialId, record }) => ({
        credentialId,
        accountId: wanted.accountId,
        publicKey: record.near_public_key ?? '',
        displayName: displayName(wanted.accountId, record.device_number),
      }));
    },
    (error, { emit }) => {
      emit('account-recovery-error', 'error', error.message, eventError(error));
      throw error;
    },
    inRecoveryWords,
  );
}

/** The one account that the chosen passkey opens. */
function listNameless(
  context: FlowContext,
  chosen: ChosenPasskey,
  typed: string | undefined,
  signal: AbortSignal,
): Promise<readonly RecoverableAccount[]> {
  const { owner, authentication } = chosen;
  return withOpened(context, chosen, typed, signal, async ({ accountId, key: { publicKey } }) => {
    const credentialId = authentication.id;
    await hiddenAddresses(context.store).learn({ accountId, publicKey, credentialId });
    const name = displayName(accountId, owner?.deviceNumber ?? 1);
    return [{ credentialId, accountId, publicKey, displayName: name }];
  });
}

/** Refuses the passkey of an account with a name where one without was asked for. */
function assertTyped({ accountId: other }: Wanted, typed: string | undefined): void {
  if (typed !== undefined)
    throw new LatchkeyError(PASSKEY_OF_ANOTHER_ACCOUNT, { values: { other, account: typed } });
}

/** The typed account; a blank field means none. */
function named(typed: string | undefined): string | undefined {
  return typed?.trim() || undefined;
}

async function recover(context: FlowContext, found: Found, run: Run<'recovery'>): Promise<RecoveryResult> {
  const { emit, signal } = run;
  const { accountId } = found;
  const { signers } = context;
  // Acquired before the prompt, so that the prompt's secrets wait for no worker.
  const signer = await signers.acquire(signal);
  // The current session stays until this one exists.
  const vrf = context.vrf.beside();
  const own: FlowContext = { ...context, vrf };
  let answered: AnsweredPasskey | undefined;
  try {
    answered = await askPasskey(context, found, run);
    const { passkey, authentication } = answered;

    emit('sync-authenticators-onchain', 'progress', 'Comparing the passkey with the account');
    const made = await deriveKeypairs(own, signer, 'recoverKeypair', accountId, answered.prf, signal);
    await assertOnChain(context, accountId, passkey, made, signal);
    assertFits(passkey.record, made);
    emit('sync-authenticators-onchain', 'success', 'The account holds the keys of this passkey');

    const records = recordsOf({
      accountId,
      deviceNumber: passkey.record.device_number,
      credential: authentication,
      credentialPublicKey: passkey.record.credential_public_key,
      transports: recorded(passkey.record.transports),
      registeredAt: passkey.record.registered,
      ...made,
      locked: null,
      passkeyBackup: backupIn(authentication),
      // Its outputs derive the key that the chain holds, so they are those of an earlier ceremony.
      passkeyProven: true,
    });
    const { verifiesUnnamed } = answered;
    return await finishRecovery(
      context,
      own,
      { ...records, user: { ...records.user, verifiesUnnamed } },
      run,
    );
  } finally {
    vrf.close();
    wipe(answered?.prf.first, answered?.prf.second);
    signer.end();
  }
}

/** Checks that the derived key is a full-access key of the account. */
async function assertOnChain(
  { rpc, contexts }: FlowContext,
  accountId: string,
  { record }: FoundPasskey,
  made: DerivedKeypairs,
  signal: AbortSignal,
): Promise<void> {
  const { publicKey } = made.key;
  // The registry knows the keys that this passkey's outputs gave when the device was registered.
  const differs = misfitOf(record, made) !== undefined;
  const stranger = (cause?: unknown) =>
    new LatchkeyError(differs ? PASSKEY_DIFFERS : PASSKEY_NOT_OF_ACCOUNT, {
      values: { account: accountId },
      cause,
    });
  const accessKey = await viewOwnKey(rpc, accountId, publicKey, { agreed: true, signal }).catch(
    (error: unknown) => {
      const isGone = isLatchkeyError(error, 'DEVICE_KEY_REMOVED');
      throw isLatchkeyError(error, 'ACCOUNT_NOT_ON_CHAIN') || (isGone && differs) ? stranger(error) : error;
    },
  );
  if (accessKey.permission !== 'FullAccess') throw stranger();
  contexts.learn(accountId, publicKey, accessKey);
}
