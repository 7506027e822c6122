/** The passkey that joins this device to an existing account, and the journal entry for it. */
import { base64urlnopad } from '@scure/base';
import { Confirmation } from '../../confirm/confirmation.js';
import { decideConfirmation, mergedSettings, surroundings } from '../../confirm/decide.js';
import {
  CANCELLED,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  LINK_BUSY,
  linkText,
  PASSKEY_SYNCED,
  REGISTRATION_FAILED,
  VRF_DERIVATION_FAILED,
} from '../../errors/account.js';
import { device2RegistrationDigest } from '../../intent/index.js';
import { registrationCost } from '../../registry/linking.js';
import { authenticatorsOf, keysOf, knownCredentials } from '../../registry/registry.js';
import type { LinkEntry } from '../../storage/records.js';
import type { ConfirmationConfig, ConfirmationWish } from '../../types.js';
import type { KnownCredential } from '../../webauthn/passkeys.js';
import { signalUnknown } from '../../webauthn/signal.js';
import type { OpenableKey } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import { freshHead } from '../fresh.js';
import {
  askRegistry,
  assertAccepting,
  bootstrapChallenge,
  deviceRecords,
  type MadeDevice,
  type MadePasskey,
  makePasskey,
  wipeMade,
} from '../registration/new-passkey.js';
import { retrying } from '../retrying.js';
import { confirmationSettings } from '../session/settings.js';
import { assertFunded } from './balance.js';
import { checkCode } from './check-code.js';
import { deriveSealedKeys } from './sealed-keys.js';

/**
 * `E`: made before the code is shown; `E regen`: made again, because that one came too late; `F`: made after the
 * scan; `adopt`: made before another wallet adds its key, without a code.
 */
export type LinkOption = 'E' | 'E regen' | 'F' | 'adopt';

export interface Joining {
  readonly option: LinkOption;
  readonly accountId: string;
  readonly deviceNumber: number;
  /** The key of this device that is on the account now; null before the code is shown. */
  readonly onAccount: OpenableKey | null;
  /** When that key is removed. */
  readonly deleteAt: number | undefined;
  readonly confirmationConfig: ConfirmationWish | undefined;
}

const CANCELLED_TEXTS = {
  E: 'cancelled',
  'E regen': 'cancelledRegen',
  F: 'cancelledOptionF',
  adopt: 'cancelledAdoption',
} as const;

/** Asks the user and the authenticator: one prompt (two where PRF comes only at get). Does not open the entry yet. */
export async function makeLinkEntry(
  context: FlowContext,
  joining: Joining,
  asked: AbortSignal,
): Promise<LinkEntry> {
  // The derived key becomes the session's: a logout meanwhile cancels this.
  const signal = context.logout.until(asked);
  const { accountId, deviceNumber, onAccount, deleteAt, option } = joining;
  const block = freshHead(context.rpc);
  const [exclude] = await Promise.all([
    retrying(() => livingPasskeys(context, accountId, signal), signal),
    retrying(() => assertAccepting(context, signal), signal),
    retrying(async () => {
      // Another wallet may fund the account while the code is shown.
      if (onAccount || option === 'adopt')
        await assertFunded(context, accountId, await registrationCost(context, signal), signal);
    }, signal),
  ]);
  await retrying(() => block.get(), signal);

  const confirmation = new Confirmation(context.confirmer(), await decide(context, joining), signal);
  const stopRefreshing = block.keep();
  const signer = await context.signers.acquire(signal);
  let passkey: MadePasskey | undefined;
  let credentialId: string | undefined;
  try {
    const digest = await device2RegistrationDigest(accountId, deviceNumber);
    const shown = onAccount && {
      checkCode: await checkCode(onAccount.sealed.publicKey),
      ...(deleteAt !== undefined && { deleteAt }),
    };
    const challenge = bootstrapChallenge(context, { accountId, digest, block }, signal);
    const request = { accountId, deviceNumber, digest, exclude, challenge, joining: shown ?? {} };
    passkey = await makePasskey(context, request, signer, confirmation, signal);
    stopRefreshing();
    credentialId = passkey.registration.id;
    const [made, { body, verified, reason }] = await Promise.all([
      deriveSealedKeys(context, signer, accountId, passkey, onAccount, signal),
      askRegistry(context, passkey, signal),
    ]);
    if (!verified) throw new LatchkeyError(REGISTRATION_FAILED, { message: linkText('refused', { reason }) });
    signal.throwIfAborted();
    return entryOf(joining, made, body);
  } catch (error) {
    if (credentialId !== undefined) void signalUnknown(context.rpId, credentialId);
    throw inLinkWords(error, accountId, option);
  } finally {
    stopRefreshing();
    wipeMade(passkey);
    confirmation.close();
    signer.end();
  }
}

/** Opens the entry. Throws LINK_BUSY if another tab has opened one: this one's passkey is then of no use. */
export async function openLink({ store, rpId }: FlowContext, entry: LinkEntry): Promise<void> {
  if (await store.journal.open(entry)) return;
  void signalUnknown(rpId, entry.credentialId);
  throw new LatchkeyError(LINK_BUSY);
}

/**
 * Lists the account's passkeys, except those whose key is off the account. Such a passkey opens nothing and cannot be
 * recovered; if it were excluded, its device could not be linked again.
 */
async function livingPasskeys(
  context: FlowContext,
  accountId: string,
  signal: AbortSignal,
): Promise<readonly KnownCredential[]> {
  const [authenticators, { keys }] = await Promise.all([
    authenticatorsOf(context, accountId, signal),
    keysOf(context, accountId, signal),
  ]);
  const onAccount = new Set(keys.map(({ public_key: key }) => key));
  return knownCredentials(
    authenticators.filter(([, { near_public_key: key }]) => key === null || onAccount.has(key)),
  );
}

/**
 * The chain names the account of option F, and a page that of an adoption. A stranger can have named an account there:
 * the user sees the name and clicks, unless the host's code overrides that for this very call.
 */
async function decide(context: FlowContext, { option, confirmationConfig }: Joining) {
  const settings = await confirmationSettings(context, undefined, confirmationConfig);
  const wanted = mergedSettings(settings);
  const withClick: Partial<ConfirmationConfig> = {
    behavior: 'requireClick',
    ...(wanted.uiMode === 'skip' && { uiMode: 'modal' }),
    ...settings.call,
  };
  return decideConfirmation({
    type: 'linkDevice',
    settings: option === 'F' || option === 'adopt' ? { ...settings, call: withClick } : settings,
    at: surroundings(),
    hasConfirmer: context.confirmer() !== null,
  });
}

function entryOf(
  { accountId, deviceNumber }: Joining,
  made: MadeDevice & Pick<LinkEntry, 'replaces'>,
  body: Readonly<Record<string, unknown>>,
): LinkEntry {
  return {
    kind: 'link',
    accountId,
    deviceNumber,
    key: { publicKey: made.key.publicKey, ...made.key.encryptedPrivateKey },
    replaces: made.replaces,
    sealedBy: 'passkey',
    vrfPublicKeys: { bootstrap: made.challenge.vrfPublicKey, deterministic: made.vrfPublicKey },
    credentialId: made.registration.id,
    challengeHeight: Number(made.challenge.blockHeight),
    records: deviceRecords(accountId, deviceNumber, made, null),
    request: {
      ...body,
      deterministic_vrf_public_key: [...base64urlnopad.decode(made.vrfPublicKey)],
    },
    swap: undefined,
    registration: undefined,
    createdAt: Date.now(),
  };
}

function inLinkWords(error: unknown, account: string, option: LinkOption): unknown {
  if (isLatchkeyError(error, 'PASSKEY_EXISTS')) {
    return new LatchkeyError(PASSKEY_SYNCED, { values: { account }, cause: error });
  }
  if (isCancellation(error)) {
    return new LatchkeyError(CANCELLED, { message: linkText(CANCELLED_TEXTS[option]), cause: error });
  }
  if (isLatchkeyError(error, 'VRF_DERIVATION_FAILED')) {
    const message = linkText(option === 'F' ? 'vrfOptionF' : 'vrfOptionE');
    return new LatchkeyError(VRF_DERIVATION_FAILED, { message, cause: error });
  }
  return error;
}
