/** The second half of a registration, from its journal entry on: the account on the chain, the records here, the session. */
import {
  ACCOUNT_EXISTS,
  ATOMIC_REGISTRATION_FAILED,
  isLatchkeyError,
  LatchkeyError,
  REGISTRATION_MISMATCH,
  REGISTRATION_PENDING,
} from '../../errors/account.js';
import { pause } from '../../sleep.js';
import type { RegistrationEntry } from '../../storage/records.js';
import type { RegistrationOptions, RegistrationResult } from '../../types.js';
import type { FlowContext } from '../context.js';
import { ATTEMPTS, FIRST_WAIT_MS } from '../retrying.js';
import type { Run } from '../run.js';
import { warn } from '../warn.js';
import type { Settled } from './settle-registration.js';

export const loadSettling = () => import('./settle-registration.js');
/** The relay's status for an existing account. */
const HTTP_CONFLICT = 409;

/** From the journal entry to the stored records and the session, which is open before the last event is emitted. */
export async function finish(
  context: FlowContext,
  entry: RegistrationEntry,
  run: Run<'registration'>,
  { signupVoucher }: RegistrationOptions,
  openSession: () => Promise<void>,
): Promise<RegistrationResult> {
  const { emit } = run;
  const request = { ...entry.request, ...(signupVoucher !== undefined && { signup_voucher: signupVoucher }) };
  const transactionId = await createOnChain(context, entry, request, run);
  emit('database-storage', 'progress', 'Storing the encrypted keys on this device');
  await context.store.commitEntry(entry, { lastLogin: Date.now() }).catch(async (error) => {
    throw (await loadSettling()).notStored(error, entry.accountId);
  });
  emit('database-storage', 'success', 'Keys stored on this device');
  await openSession();
  emit('registration-complete', 'success', `${entry.accountId} is registered`);
  return result(entry.accountId, entry, transactionId);
}

export function mismatch({ config }: FlowContext, account: string): LatchkeyError {
  return new LatchkeyError(REGISTRATION_MISMATCH, { values: { account, relay: config.relayer.url } });
}

/**
 * Asks the relay, then the chain whether the account's keys are ours. Returns the transaction's id. The same request is
 * asked again when its answer is lost and the chain shows no account: the relay knows it, and the chain takes it once.
 */
async function createOnChain(
  context: FlowContext,
  entry: RegistrationEntry,
  request: RegistrationEntry['request'],
  { emit, signal }: Run<'registration'>,
): Promise<string | null> {
  const { relay, config } = context;
  let transactionId: string | null = null;
  let refusal: LatchkeyError | undefined;
  let outcome: Settled;
  for (let attempt = 1; ; attempt += 1) {
    emit('access-key-addition', 'progress', 'Creating the account');
    let isLost = false;
    try {
      ({ transactionHash: transactionId } = await relay.createAccountAndRegisterUser(request, signal));
    } catch (error) {
      warn(config, 'The relay did not confirm the registration', error);
      if (isLatchkeyError(error, 'RELAY_REFUSED')) refusal = error;
      else isLost = attempt < ATTEMPTS;
    }

    // From here on only the chain counts: the relay's answer may be lost or wrong.
    emit('account-verification', 'progress', 'Comparing the account with the keys of this device');
    const { settleSoon } = await loadSettling();
    // A refusal after a lost answer does not say what became of the first request.
    const once = isLost || (refusal !== undefined && attempt === 1);
    outcome = await settleSoon(context, entry, signal, { keep: true, once });
    if (!isLost || outcome !== 'pending' || signal.aborted) break;
    await pause(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
  }
  if (outcome === 'matched') {
    emit('access-key-addition', 'success', 'The account was created', { data: { transactionId } });
    emit('contract-registration', 'success', 'The passkey is registered');
    emit('account-verification', 'success', 'The account holds exactly the keys of this device');
    return transactionId;
  }
  if (outcome === 'mismatched' && refusal?.details.status !== HTTP_CONFLICT) {
    throw mismatch(context, entry.accountId);
  }
  if (refusal) throw refusalError(refusal, entry.accountId);
  if (outcome === 'dropped') {
    throw new LatchkeyError(ATOMIC_REGISTRATION_FAILED, {
      values: { reason: 'the account was not created' },
    });
  }
  throw pending(entry.accountId);
}

function refusalError(refusal: LatchkeyError, accountId: string): LatchkeyError {
  return refusal.details.status === HTTP_CONFLICT
    ? new LatchkeyError(ACCOUNT_EXISTS, { values: { account: accountId }, cause: refusal })
    : new LatchkeyError(ATOMIC_REGISTRATION_FAILED, {
        values: { reason: refusal.message },
        cause: refusal,
      });
}

export function result(
  accountId: string,
  entry: RegistrationEntry,
  transactionId: string | null,
): RegistrationResult {
  return {
    success: true,
    nearAccountId: accountId,
    clientNearPublicKey: entry.nearPublicKey,
    transactionId,
    vrfRegistration: {
      success: true,
      vrfPublicKey: entry.vrfPublicKeys.deterministic,
      encryptedVrfKeypair: entry.records.user.encryptedVrfKeypair,
      contractVerified: true,
    },
  };
}

export function pending(account: string): LatchkeyError {
  return new LatchkeyError(REGISTRATION_PENDING, { values: { account } });
}
