/**
 * Finds the passkeys that can recover an account: those that the registry has under its name, or the one that the
 * user chooses.
 */
import { base64urlnopad } from '@scure/base';
import {
  AUTHENTICATOR_NOT_FOUND,
  LatchkeyError,
  NO_RECOVERABLE_ACCOUNTS,
  REGISTRATION_PENDING,
} from '../../errors/account.js';
import { assertExistingAccountId, isNearImplicitAccountId } from '../../near/account-id.js';
import { authenticatorsOf, type RegistryAuthenticator } from '../../registry/registry.js';
import { assertDevice } from '../../webauthn/device-check.js';
import { randomChallenge } from '../../webauthn/passkeys.js';
import { type PickRequest, pickPasskey } from '../../webauthn/pick-passkey.js';
import { type PrfAnswer, wipeAnswer } from '../../webauthn/prf.js';
import { isOfOwnAccount, ownerFromUserHandle, type PasskeyOwner } from '../../webauthn/user-handle.js';
import type { WebAuthnAuthentication } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import { settleSoon } from '../registration/settle-registration.js';
import { retrying } from '../retrying.js';
import type { Run } from '../run.js';

export interface FoundPasskey {
  /** base64url. */
  readonly credentialId: string;
  readonly record: RegistryAuthenticator;
}

/** An account, and at least one passkey of it. */
export interface Found {
  readonly accountId: string;
  readonly passkeys: readonly FoundPasskey[];
}

/** The account, and the one of its passkeys where that is known too. */
export interface Wanted {
  readonly accountId: string;
  readonly credentialId?: string | undefined;
}

/** The passkey that the user chose, with outputs that only an account without a name needs; they are wiped otherwise. */
export interface ChosenPasskey {
  readonly authentication: WebAuthnAuthentication;
  readonly prf: PrfAnswer;
  /** Absent where the passkey made an account by itself: its outputs tell the account. */
  readonly owner: PasskeyOwner | undefined;
}

/** Lets the user choose a passkey, which names its account or opens it: one prompt. */
export async function choosePasskey(
  { rpId, credentials }: FlowContext,
  { emit, signal }: Run<'recovery'>,
  how: Pick<PickRequest, 'immediate' | 'conditional'>,
): Promise<ChosenPasskey> {
  await assertDevice('get', credentials);
  emit('webauthn-authentication', 'progress', 'Choose the passkey of your account');
  const { authentication, prf } = await pickPasskey({
    rpId,
    credentials,
    challenge: randomChallenge(),
    ...how,
    signal,
  });
  const { userHandle = '' } = authentication.response;
  const handle = base64urlnopad.decode(userHandle);
  const owner = ownerFromUserHandle(handle);
  if (!owner && isOfOwnAccount(handle)) {
    emit('webauthn-authentication', 'success', 'The passkey opens an account without a name');
    return { authentication, prf, owner };
  }
  if (!owner || !isNearImplicitAccountId(owner.accountId)) wipeAnswer(prf);
  if (!owner) {
    emit('webauthn-authentication', 'success', 'The passkey opens no account of this wallet');
    throw new LatchkeyError(NO_RECOVERABLE_ACCOUNTS, { details: { foreignPasskey: true } });
  }
  const { accountId } = owner;
  emit('webauthn-authentication', 'success', `The passkey is of ${accountId}`, { data: { accountId } });
  return { authentication, prf, owner };
}

/** The account with a name that the chosen passkey names; undefined where it opens one without. */
export function namedAccount({ owner, authentication }: ChosenPasskey): Wanted | undefined {
  if (!owner || isNearImplicitAccountId(owner.accountId)) return undefined;
  return { accountId: owner.accountId, credentialId: authentication.id };
}

/** Returns the passkeys that the registry has for the account, or the wanted one among them. No prompt. */
export async function findPasskeys(
  context: FlowContext,
  { accountId, credentialId }: Wanted,
  { emit, signal }: Run<'recovery'>,
): Promise<Found> {
  assertExistingAccountId(accountId);
  emit('preparation', 'progress', `Looking up the passkeys of ${accountId}`);
  // A registration begun here may have created its account meanwhile.
  const begun = await context.store.journal.entry('registration', accountId);
  const settled = begun && (await settleSoon(context, begun, signal, { once: true }));

  // A browser that has asked nothing yet takes a node that lags by its word, unless the "no" must be certain.
  const records = await retrying(
    () => authenticatorsOf(context, accountId, signal, { certain: true }),
    signal,
  );
  if (records.length === 0) {
    throw settled === 'pending'
      ? new LatchkeyError(REGISTRATION_PENDING, { values: { account: accountId } })
      : new LatchkeyError(NO_RECOVERABLE_ACCOUNTS);
  }
  const passkeys = records
    .map(([id, record]) => ({ credentialId: id, record }))
    .filter((passkey) => credentialId === undefined || passkey.credentialId === credentialId);
  if (passkeys.length === 0) throw new LatchkeyError(AUTHENTICATOR_NOT_FOUND);
  emit('preparation', 'success', `${accountId} has ${passkeys.length === 1 ? 'a passkey' : 'passkeys'}`);
  return { accountId, passkeys };
}
