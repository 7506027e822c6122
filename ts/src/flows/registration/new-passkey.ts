/** Makes a new passkey for a device, derives its keys, and makes the records that the device stores. */
import { base64urlnopad } from '@scure/base';
import type { Confirmation, Shown } from '../../confirm/confirmation.js';
import type { JoiningModel } from '../../confirm/port.js';
import {
  failedAs,
  isLatchkeyError,
  LACKING_TEXTS,
  LatchkeyError,
  messageOf,
  PASSKEY_NOT_DISCOVERABLE,
  PASSKEY_UNSTABLE,
  REGISTRATION_CHECK_UNANSWERED,
  USER_NOT_VERIFIED,
  VRF_BOOTSTRAP_FAILED,
  VRF_DERIVATION_FAILED,
} from '../../errors/account.js';
import type { Place } from '../../near/index.js';
import {
  checkCanRegister,
  type RegistrationVerdict,
  readCapabilities,
  webAuthnChallenge,
} from '../../registry/registry.js';
import {
  DEFAULT_PREFERENCES,
  type DeviceRecords,
  type ServerEncryptedVrfKeypair,
} from '../../storage/records.js';
import type { EncryptedVrfKeypair, PasskeyBackup } from '../../types.js';
import { passkeyBackup } from '../../webauthn/flags.js';
import { isOfPlatform } from '../../webauthn/known-provider.js';
import { createPasskey, type KnownCredential } from '../../webauthn/passkeys.js';
import { type PrfOutputs, wipe } from '../../webauthn/prf.js';
import { signalUnknown } from '../../webauthn/signal.js';
import type {
  ConfirmedRegistration,
  DerivedKeypair,
  VrfChallenge,
  WebAuthnRegistration,
} from '../../workers/signer-api.js';
import type { Signer } from '../../workers/signer-pool.js';
import type { FlowContext } from '../context.js';
import type { Fresh } from '../fresh.js';
import { proves } from '../proves.js';
import { refreshed, retrying } from '../retrying.js';
import { type Asking, askVerified, newAsking, ownChallenge } from '../verified-passkey.js';

export interface NewPasskey<C> {
  /** Empty for the account that the passkey itself is going to make. */
  readonly accountId: string;
  /** What lists of passkeys show, where the account has no name. */
  readonly label?: string;
  readonly deviceNumber: number;
  /** The intent digest that its challenge carries, base64url; empty where it carries none. */
  readonly digest: string;
  /** The account's passkeys: an authenticator that holds one of them makes no second one. */
  readonly exclude: readonly KnownCredential[];
  /** Shown when the device joins an account that exists. */
  readonly joining?: JoiningModel;
  /** Made at the prompt; `bytes` go to the authenticator. */
  readonly challenge: () => Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly of: C }>;
}

/** The challenge of a passkey that the registry is to record: a VRF challenge by a key made for it. */
export function bootstrapChallenge(
  { rpId, vrf }: Pick<FlowContext, 'rpId' | 'vrf'>,
  { accountId, digest, block }: { accountId: string; digest: string; block: Fresh<Place> },
  signal: AbortSignal,
): NewPasskey<VrfChallenge>['challenge'] {
  return async () => {
    const { height, hash } = await refreshed(() => block.get(), signal);
    const input = {
      userId: accountId,
      rpId,
      blockHeight: String(height),
      blockHash: hash,
      intentDigest: digest,
    };
    const { challenge } = await vrf
      .call('generateKeypairBootstrap', [input], { signal })
      .catch(rethrow(VRF_BOOTSTRAP_FAILED));
    if (!challenge?.vrfPublicKey) throw lacking(VRF_BOOTSTRAP_FAILED, 'bootstrapKey');
    return { of: challenge, bytes: webAuthnChallenge(challenge) };
  };
}

/** A passkey with its registration and its secrets; the caller wipes them. */
export interface MadePasskey<C = VrfChallenge> {
  readonly challenge: C;
  readonly registration: WebAuthnRegistration;
  readonly confirmed: ConfirmedRegistration;
  readonly prf: PrfOutputs;
  /** What the passkey gave when it was asked again; absent where its provider is known to give the same. */
  readonly proof?: PrfOutputs;
}

/** Everything made on this device before the chain knows of it. */
export interface MadeDevice {
  readonly challenge: VrfChallenge;
  readonly registration: WebAuthnRegistration;
  readonly confirmed: ConfirmedRegistration;
  readonly key: DerivedKeypair;
  readonly vrfPublicKey: string;
  readonly encryptedVrfKeypair: EncryptedVrfKeypair;
  /** Whether two ceremonies gave the same outputs. */
  readonly passkeyProven: boolean;
}

/**
 * Asks the user, then the authenticator: one prompt, two where PRF comes only at get, or where the outputs of create need a
 * proof. If that fails after the passkey was made, the browser hears that it is of no use.
 */
export async function makePasskey<C>(
  { config, rpId, credentials }: FlowContext,
  { accountId, label, deviceNumber, digest, exclude, joining, challenge }: NewPasskey<C>,
  signer: Signer,
  confirmation: Confirmation,
  signal: AbortSignal,
): Promise<MadePasskey<C>> {
  const shown: Shown = {
    kind: 'registration',
    accountId,
    ...(label !== undefined && { label }),
    deviceNumber,
    rpId,
    networkId: config.networkId,
    digest,
    ...(joining && { joining }),
  };

  // Kept when the get() is tried again: a second create() would make another passkey.
  let created: Pick<MadePasskey<C>, 'challenge' | 'registration'> | undefined;
  let expected: Uint8Array<ArrayBuffer> | undefined;
  let confirmed: ConfirmedRegistration | undefined;
  let asking: Asking | undefined;
  /** The outputs of create(), until a get() has given them again. */
  let sample: PrfOutputs | undefined;
  const approved = confirmation.approve(shown, async () => {
    if (!created || !expected) {
      const { bytes, of } = await challenge();
      const passkey = await createPasskey({
        rpId,
        credentials,
        accountId,
        label,
        deviceNumber,
        challenge: bytes,
        exclude,
        signal,
      });
      const { registration, prf } = passkey;
      expected = bytes;
      created = { challenge: of, registration };
      sample = prf.kind === 'outputs' ? prf.outputs : undefined;
      if (passkey.isDiscoverable === false) throw new LatchkeyError(PASSKEY_NOT_DISCOVERABLE);
    }
    confirmed ??= await confirmCredential(rpId, signer, created.registration, expected, signal);
    if (sample && isOfPlatform(created.registration, confirmed.aaguid))
      return { ...created, confirmed, prf: sample };
    // Many return the outputs only here, also after they have said that there are none. Some return others here.
    const { id, response } = created.registration;
    const allow = [{ credentialId: id, transports: response.transports ?? [] }];
    asking ??= newAsking(allow);
    const { prf } = await askVerified(
      { rpId, credentials },
      { accountId, allow, challenge: ownChallenge, signal },
      asking,
    );
    const made = { ...created, confirmed };
    return sample ? { ...made, prf: sample, proof: prf } : { ...made, prf };
  });
  try {
    return await approved;
  } catch (error) {
    wipe(sample?.first, sample?.second);
    if (created) void signalUnknown(rpId, created.registration.id);
    throw error;
  }
}

/** Derives the keys of a passkey that was just made. Its secrets move to the workers. */
export async function deriveKeys(
  context: FlowContext,
  signer: Signer,
  accountId: string,
  passkey: MadePasskey,
  signal: AbortSignal,
): Promise<MadeDevice> {
  const derived = await deriveKeypairs(context, signer, 'deriveAndEncrypt', accountId, passkey.prf, signal);
  const { challenge, registration, confirmed, proof } = passkey;
  const passkeyProven = await isProven(signer, accountId, derived.key, proof, signal);
  return { challenge, registration, confirmed, ...derived, passkeyProven };
}

/** Whether a second ceremony has proven the passkey. Throws PASSKEY_UNSTABLE where it gave other outputs. */
export async function isProven(
  signer: Signer,
  accountId: string,
  key: DerivedKeypair,
  proof: PrfOutputs | undefined,
  signal: AbortSignal,
  /** What the error calls the account. */
  account = accountId,
): Promise<boolean> {
  if (!proof) return false;
  if (await proves(signer, accountId, key, proof, signal)) return true;
  throw new LatchkeyError(PASSKEY_UNSTABLE, { values: { account } });
}

/** Wipes what of a passkey's outputs no worker has taken. */
export function wipeMade(made: Pick<MadePasskey, 'prf' | 'proof'> | undefined): void {
  wipe(made?.prf.first, made?.prf.second, made?.proof?.first, made?.proof?.second);
}

/** Checks what the authenticator made, and reads its public key. */
async function confirmCredential(
  rpId: string,
  signer: Signer,
  registration: WebAuthnRegistration,
  challenge: Uint8Array,
  signal: AbortSignal,
): Promise<ConfirmedRegistration> {
  const expectedChallenge = base64urlnopad.encode(challenge);
  const request = { credential: registration, expectedChallenge, rpId };
  const confirmed = await signer.call('confirmRegistrationCredential', [request], { signal });
  if (!confirmed.userVerified) throw new LatchkeyError(USER_NOT_VERIFIED);
  return confirmed;
}

/** The keys derived from a passkey's outputs, encrypted as they are stored. */
export interface DerivedKeypairs {
  readonly key: DerivedKeypair;
  readonly vrfPublicKey: string;
  readonly encryptedVrfKeypair: EncryptedVrfKeypair;
}

/** Derives both keypairs of a passkey. The VRF keypair becomes the session's; the outputs move to the workers. */
export async function deriveKeypairs(
  context: FlowContext,
  signer: Signer,
  method: 'deriveAndEncrypt' | 'recoverKeypair',
  accountId: string,
  prf: PrfOutputs,
  signal: AbortSignal,
): Promise<DerivedKeypairs> {
  const [vrf, key] = await besideVrfKeypair(context, accountId, prf, signal, () =>
    signer.call(method, [accountId, prf.first, prf.second], {
      signal,
      transfer: [prf.first.buffer, prf.second.buffer],
    }),
  );
  return { key, ...vrf };
}

/** The account that the passkey alone makes, with its keypairs; as {@link deriveKeypairs} besides. */
export async function derivePasskeyAccount(
  context: FlowContext,
  signer: Signer,
  { first, second }: PrfOutputs,
  signal: AbortSignal,
): Promise<DerivedKeypairs & { readonly accountId: string }> {
  const firstForVrf = first.slice();
  try {
    const { accountId, key } = await signer.call('derivePasskeyAccount', [first, second], {
      signal,
      transfer: [first.buffer, second.buffer],
    });
    const given = { first: firstForVrf };
    const [vrf] = await besideVrfKeypair(context, accountId, given, signal, async () => undefined);
    return { accountId, key, ...vrf };
  } finally {
    wipe(firstForVrf);
  }
}

/** Derives the VRF keypair from a copy of PRF.first, while `deriveNearKey` moves the outputs themselves. */
export async function besideVrfKeypair<T>(
  { vrf }: FlowContext,
  accountId: string,
  { first }: Pick<PrfOutputs, 'first'>,
  signal: AbortSignal,
  deriveNearKey: () => Promise<T>,
): Promise<[vrf: Omit<DerivedKeypairs, 'key'>, nearKey: T]> {
  if (first.length === 0) throw lacking(VRF_DERIVATION_FAILED, 'prfFirst');
  const firstForVrf = first.slice();
  return Promise.all([
    vrf
      .call('deriveKeypairFromPrf', [accountId, firstForVrf, true], {
        signal,
        transfer: [firstForVrf.buffer],
      })
      .then(completeKeypair)
      .catch(rethrow(VRF_DERIVATION_FAILED)),
    deriveNearKey(),
  ]).finally(() => wipe(firstForVrf));
}

/** Refuses a keypair that could not be stored whole. */
function completeKeypair<T extends Omit<DerivedKeypairs, 'key'>>(derived: T): T {
  if (!derived?.vrfPublicKey) throw lacking(VRF_DERIVATION_FAILED, 'vrfKey');
  if (!derived.encryptedVrfKeypair) throw lacking(VRF_DERIVATION_FAILED, 'encryptedVrfKeypair');
  return derived;
}

type VrfFailure = typeof VRF_BOOTSTRAP_FAILED | typeof VRF_DERIVATION_FAILED;

function lacking(text: VrfFailure, what: keyof typeof LACKING_TEXTS): LatchkeyError {
  return new LatchkeyError(text, { values: { reason: LACKING_TEXTS[what] } });
}

/**
 * Checks before a prompt that the registry is one that accepts passkeys of this page: throws REGISTRY_UNKNOWN,
 * REGISTRY_LACKS or HOST_NOT_IN_REGISTRY.
 */
export async function assertAccepting(context: FlowContext, signal: AbortSignal): Promise<void> {
  const [capabilities] = await Promise.all([readCapabilities(context), context.assertHost?.(signal)]);
  capabilities.assertAccepting();
}

/** Asks the registry whether it would take the passkey. */
export async function askRegistry(
  context: FlowContext,
  { challenge, registration }: Pick<MadeDevice, 'challenge' | 'registration'>,
  signal: AbortSignal,
): Promise<RegistrationVerdict> {
  const { authenticatorOptions } = context.config;
  const ask = () => checkCanRegister(context, challenge, registration, authenticatorOptions, signal);
  return retrying(ask, signal).catch((error) => {
    if (!isLatchkeyError(error, 'NEAR_RPC_FAILED')) throw error;
    const values = { reason: messageOf(error) };
    throw new LatchkeyError(REGISTRATION_CHECK_UNANSWERED, { values, cause: error });
  });
}

/** The records that this device stores. */
export function deviceRecords(
  accountId: string,
  deviceNumber: number,
  {
    registration,
    confirmed,
    key,
    vrfPublicKey,
    encryptedVrfKeypair,
    passkeyProven,
  }: Omit<MadeDevice, 'challenge'>,
  locked: ServerEncryptedVrfKeypair | null,
): DeviceRecords {
  return recordsOf({
    accountId,
    deviceNumber,
    credential: registration,
    credentialPublicKey: confirmed.credentialPublicKey,
    transports: registration.response.transports ?? [],
    aaguid: confirmed.aaguid,
    registeredAt: Date.now(),
    key,
    vrfPublicKey,
    encryptedVrfKeypair,
    locked,
    passkeyBackup: passkeyBackup(confirmed.backupEligible, confirmed.backupState),
    passkeyProven,
  });
}

/** A device whose keys were derived, with the chain's data about it. */
export interface KnownDevice {
  readonly accountId: string;
  readonly deviceNumber: number;
  readonly credential: Pick<WebAuthnRegistration, 'id' | 'rawId' | 'authenticatorAttachment'>;
  /** COSE key. */
  readonly credentialPublicKey: Uint8Array;
  readonly transports: readonly string[];
  /** Where this device made the passkey. */
  readonly aaguid?: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  readonly key: DerivedKeypair;
  readonly vrfPublicKey: string;
  readonly encryptedVrfKeypair: EncryptedVrfKeypair;
  readonly locked: ServerEncryptedVrfKeypair | null;
  readonly passkeyBackup: PasskeyBackup;
  readonly passkeyProven: boolean;
}

/** The records of a device, new or recovered. */
export function recordsOf({
  accountId,
  deviceNumber,
  credential: { id, rawId, authenticatorAttachment: passkeyAttachment },
  credentialPublicKey,
  transports,
  aaguid,
  registeredAt,
  key,
  vrfPublicKey,
  encryptedVrfKeypair,
  locked,
  passkeyBackup,
  passkeyProven,
}: KnownDevice): DeviceRecords {
  const now = Date.now();
  const device = { nearAccountId: accountId, deviceNumber };
  return {
    user: {
      ...device,
      registeredAt,
      lastLogin: null,
      lastUpdated: now,
      clientNearPublicKey: key.publicKey,
      passkeyCredential: { id, rawId },
      preferences: DEFAULT_PREFERENCES,
      encryptedVrfKeypair,
      serverEncryptedVrfKeypair: locked,
      passkeyBackup,
      ...(passkeyAttachment && { passkeyAttachment }),
      passkeyProven,
    },
    authenticator: {
      ...device,
      credentialId: id,
      credentialPublicKey,
      transports,
      name: deviceNumber > 1 ? `device ${deviceNumber}` : 'Passkey',
      registered: new Date(registeredAt).toISOString(),
      syncedAt: new Date(now).toISOString(),
      vrfPublicKey,
      ...(aaguid !== undefined && { aaguid }),
    },
    encryptedKey: { ...device, ...key.encryptedPrivateKey, timestamp: now },
  };
}

/** Names what failed, unless the error is more specific. */
function rethrow(text: VrfFailure) {
  return (error: unknown): never => {
    throw isLatchkeyError(error, 'CANCELLED', text.code) ? error : failedAs(text, error);
  };
}
