/** Recovers an account without a name: the outputs that the passkey gave when it was chosen open it, with no further prompt. */
import {
  isLatchkeyError,
  LatchkeyError,
  PASSKEY_DIFFERS,
  PASSKEY_NOT_OF_ACCOUNT,
  PASSKEY_OF_ANOTHER_ACCOUNT,
  USER_NOT_VERIFIED,
} from '../../errors/account.js';
import { authenticatorsOf, type RegistryAuthenticator } from '../../registry/registry.js';
import { within } from '../../sleep.js';
import type { RecoveryResult } from '../../types.js';
import { backupIn, isUserVerified } from '../../webauthn/flags.js';
import { prfMissing, wipe, wipeAnswer } from '../../webauthn/prf.js';
import { recorded } from '../../webauthn/transports.js';
import type { Signer } from '../../workers/signer-pool.js';
import type { FlowContext } from '../context.js';
import {
  type DerivedKeypairs,
  deriveKeypairs,
  derivePasskeyAccount,
  recordsOf,
} from '../registration/new-passkey.js';
import type { Run } from '../run.js';
import { viewOwnKey } from '../signing/transaction-contexts.js';
import { warn } from '../warn.js';
import { assertFits } from './ask.js';
import type { ChosenPasskey } from './find.js';
import { finishRecovery } from './finish.js';

const FIRST_DEVICE = 1;
/** Of an address that is not proven: enough to recognise, too few to send to. */
const SHOWN_DIGITS = 6;
/** A chain that does not answer holds nothing up: the account opens without it, unproven. */
const CHAIN_WAIT_MS = 5_000;

/** What the passkey opens: an account and its keys, with the VRF keypair in the worker of `own`. */
interface Opened extends DerivedKeypairs {
  readonly accountId: string;
  readonly own: FlowContext;
}

/** Derives what the passkey opens, for `use`. Throws PASSKEY_OF_ANOTHER_ACCOUNT unless that is the typed account, if any. */
export async function withOpened<T>(
  context: FlowContext,
  { authentication, prf, owner }: ChosenPasskey,
  typed: string | undefined,
  signal: AbortSignal,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  if (!isUserVerified(authentication)) {
    wipeAnswer(prf);
    throw new LatchkeyError(USER_NOT_VERIFIED);
  }
  if (prf.kind !== 'outputs') throw prfMissing(prf.reason, prf.kind === 'half');
  const { outputs } = prf;
  const own: FlowContext = { ...context, vrf: context.vrf.beside() };
  let signer: Signer | undefined;
  try {
    signer = await context.signers.acquire(signal);
    const opened = owner
      ? {
          accountId: owner.accountId,
          ...(await deriveKeypairs(own, signer, 'recoverKeypair', owner.accountId, outputs, signal)),
        }
      : await derivePasskeyAccount(own, signer, outputs, signal);
    const { accountId } = opened;
    if (typed !== undefined && accountId !== typed)
      throw new LatchkeyError(PASSKEY_OF_ANOTHER_ACCOUNT, {
        values: { other: `${accountId.slice(0, SHOWN_DIGITS)}…`, account: typed },
      });
    // Outputs that have changed open another account, which the person never made.
    const before = (await context.store.usersOnDevice()).find(
      ({ passkeyCredential }) => passkeyCredential.id === authentication.id,
    );
    if (before && before.nearAccountId !== accountId)
      throw new LatchkeyError(PASSKEY_DIFFERS, { values: { account: before.nearAccountId } });
    return await use({ ...opened, own });
  } finally {
    own.vrf.close();
    wipe(outputs.first, outputs.second);
    signer?.end();
  }
}

/** Compares what the passkey opens with the chain, where it answers, stores it and logs in. No prompt. */
export async function recoverNameless(
  context: FlowContext,
  chosen: ChosenPasskey,
  typed: string | undefined,
  run: Run<'recovery'>,
): Promise<RecoveryResult> {
  const { emit, signal } = run;
  const { store } = context;
  const { authentication, owner: { deviceNumber } = { deviceNumber: FIRST_DEVICE } } = chosen;
  return withOpened(context, chosen, typed, signal, async ({ accountId, own, ...made }) => {
    emit('sync-authenticators-onchain', 'progress', 'Comparing the passkey with the account');
    const { publicKey } = made.key;
    const isOnChain = await within(CHAIN_WAIT_MS, holdsKey(context, accountId, publicKey, signal), false);
    // Only the account itself can have registered its passkey.
    const record = isOnChain ? await recordOf(context, accountId, authentication.id, signal) : undefined;
    if (record) assertFits(record, made);
    emit('sync-authenticators-onchain', 'success', isOnChain ? 'The account holds the key' : 'Opened');

    const known = await store.userOnDevice(accountId, deviceNumber);
    const isKnown = known?.passkeyCredential.id === authentication.id;
    const ofPasskey = (await store.authenticatorsOnDevice(accountId)).find(
      ({ credentialId }) => credentialId === authentication.id,
    );
    const records = recordsOf({
      accountId,
      deviceNumber,
      credential: authentication,
      // Only a registration tells it.
      credentialPublicKey:
        record?.credential_public_key ?? ofPasskey?.credentialPublicKey ?? new Uint8Array(),
      transports: record ? recorded(record.transports) : (ofPasskey?.transports ?? []),
      ...(ofPasskey?.aaguid !== undefined && { aaguid: ofPasskey.aaguid }),
      registeredAt: record?.registered ?? known?.registeredAt ?? Date.now(),
      ...made,
      locked: null,
      passkeyBackup: backupIn(authentication),
      passkeyProven: isOnChain || (isKnown && known.passkeyProven === true),
    });
    const user = { ...records.user, ...(record && { hasRegistryRecord: true }) };
    return finishRecovery(context, own, { ...records, user }, run);
  });
}

/**
 * Whether the chain holds the key, so that the outputs are those of an earlier ceremony. False where there is no account yet,
 * or no answer. Throws DEVICE_KEY_REMOVED or PASSKEY_NOT_OF_ACCOUNT where the account has turned to other keys.
 */
async function holdsKey(
  { rpc, contexts, config }: FlowContext,
  accountId: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const accessKey = await viewOwnKey(rpc, accountId, publicKey, { agreed: true, signal });
    if (accessKey.permission !== 'FullAccess')
      throw new LatchkeyError(PASSKEY_NOT_OF_ACCOUNT, { values: { account: accountId } });
    contexts.learn(accountId, publicKey, accessKey);
    return true;
  } catch (error) {
    if (signal.aborted || isLatchkeyError(error, 'DEVICE_KEY_REMOVED', 'PASSKEY_NOT_OF_ACCOUNT')) throw error;
    if (!isLatchkeyError(error, 'ACCOUNT_UNFUNDED')) warn(config, 'The chain could not be asked', error);
    return false;
  }
}

/** The registry's record of the passkey, where it has one and answers. */
async function recordOf(
  context: FlowContext,
  accountId: string,
  credentialId: string,
  signal: AbortSignal,
): Promise<RegistryAuthenticator | undefined> {
  try {
    const records = await authenticatorsOf(context, accountId, signal);
    return records.find(([id]) => id === credentialId)?.[1];
  } catch (error) {
    if (signal.aborted) throw error;
    warn(context.config, 'The registry could not be asked', error);
    return undefined;
  }
}
