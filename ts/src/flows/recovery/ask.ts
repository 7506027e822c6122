/** The passkey's answer, compared with the registry's record of it and the keys that it gives. */
import { base64urlnopad } from '@scure/base';
import {
  AUTHENTICATOR_NOT_FOUND,
  LatchkeyError,
  PASSKEY_OF_ANOTHER_ACCOUNT,
  REGISTRY_RECORD_MISMATCH,
} from '../../errors/account.js';
import type { RegistryAuthenticator } from '../../registry/registry.js';
import { isSignedBy } from '../../webauthn/assertion-signature.js';
import { type PrfOutputs, wipe } from '../../webauthn/prf.js';
import { everyWay } from '../../webauthn/transports.js';
import { ownerFromUserHandle } from '../../webauthn/user-handle.js';
import type { WebAuthnAuthentication } from '../../workers/signer-api.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { askVerified, nextAsking, ownChallenge } from '../verified-passkey.js';
import type { Found, FoundPasskey } from './find.js';

/** One of the account's passkeys with its secrets, which the caller wipes. */
export interface AnsweredPasskey {
  readonly passkey: FoundPasskey;
  readonly authentication: WebAuthnAuthentication;
  readonly prf: PrfOutputs;
  /** It verified the user only where no passkey was named: later prompts begin so. */
  readonly verifiesUnnamed: boolean;
}

/** One prompt: any of the passkeys found may answer, with both outputs. */
export async function askPasskey(
  context: FlowContext,
  found: Found,
  { emit, signal }: Run<'recovery'>,
): Promise<AnsweredPasskey> {
  emit('webauthn-authentication', 'progress', `Asking for the passkey of ${found.accountId}`);
  const allow = found.passkeys.map(({ credentialId, record }) => ({
    credentialId,
    transports: everyWay(record.transports),
  }));
  const request = { accountId: found.accountId, allow, challenge: ownChallenge, signal };
  const asking = nextAsking(context, found.accountId, allow);
  // The registry does not know the model: it may be one that finds its passkeys only where none is named.
  asking.isUnnamed ||= asking.isRetry;
  const { authentication, prf } = await askVerified(context, request, asking);
  try {
    const passkey = await identify(found, authentication);
    emit('webauthn-authentication', 'success', 'The passkey answered');
    return { passkey, authentication, prf, verifiesUnnamed: asking.verifiesUnnamed };
  } catch (error) {
    wipe(prf.first, prf.second);
    throw error;
  }
}

/** Finds the passkey that answered. Its user handle and its signature must match the registry's record. */
async function identify(
  { accountId, passkeys }: Found,
  authentication: WebAuthnAuthentication,
): Promise<FoundPasskey> {
  const { userHandle } = authentication.response;
  const owner = userHandle ? ownerFromUserHandle(base64urlnopad.decode(userHandle)) : undefined;
  if (userHandle && owner?.accountId !== accountId) {
    const other = owner?.accountId ?? 'no account of this wallet';
    throw new LatchkeyError(PASSKEY_OF_ANOTHER_ACCOUNT, { values: { other, account: accountId } });
  }
  const passkey = passkeys.find(({ credentialId }) => credentialId === authentication.id);
  if (!passkey) throw new LatchkeyError(AUTHENTICATOR_NOT_FOUND);
  const { record } = passkey;
  if (owner && owner.deviceNumber !== record.device_number) {
    throw misfit(`it is of device ${owner.deviceNumber}, the record of device ${record.device_number}`);
  }
  if (!(await isSignedBy(authentication, record.credential_public_key))) {
    throw misfit('its signature was not made with the public key recorded');
  }
  return passkey;
}

/** The public keys that a passkey gave. */
interface MadeKeys {
  readonly key: { readonly publicKey: string };
  readonly vrfPublicKey: string;
}

/** Checks that the record names the keys that the passkey gave. */
export function assertFits(record: RegistryAuthenticator, made: MadeKeys): void {
  const reason = misfitOf(record, made);
  if (reason) throw misfit(reason);
}

/** Which of the keys that the passkey gave the record does not name. The other registry on testnet names no access key. */
export function misfitOf(record: RegistryAuthenticator, { key, vrfPublicKey }: MadeKeys): string | undefined {
  if ((record.near_public_key ?? key.publicKey) !== key.publicKey) return 'another access key is recorded';
  const vrfKeys = record.vrf_public_keys.map((bytes) => base64urlnopad.encode(bytes));
  return vrfKeys.includes(vrfPublicKey) ? undefined : 'other VRF keys are recorded';
}

function misfit(reason: string): LatchkeyError {
  return new LatchkeyError(REGISTRY_RECORD_MISMATCH, { values: { reason } });
}
