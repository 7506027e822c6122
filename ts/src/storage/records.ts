/** What is kept on this device. Keys are encrypted; nothing secret is stored in clear. */
import type { EncryptedVrfKeypair, UserPreferences } from '../types.js';

export const DEFAULT_PREFERENCES: UserPreferences = { useRelayer: false, useNetwork: 'testnet' };

export interface UserRecord {
  readonly nearAccountId: string;
  readonly deviceNumber: number;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  readonly lastLogin: number | null;
  readonly lastUpdated: number;
  readonly clientNearPublicKey: string;
  readonly passkeyCredential: { readonly id: string; readonly rawId: string };
  readonly preferences: UserPreferences;
  readonly encryptedVrfKeypair: EncryptedVrfKeypair;
  readonly serverEncryptedVrfKeypair: ServerEncryptedVrfKeypair | null;
}

/** The VRF keypair under the relay's lock. */
export interface ServerEncryptedVrfKeypair {
  readonly ciphertextVrfB64u: string;
  readonly kek_s_b64u: string;
  readonly serverKeyId: string;
  readonly updatedAt: number;
}

export interface AuthenticatorRecord {
  readonly nearAccountId: string;
  readonly deviceNumber: number;
  /** base64url. */
  readonly credentialId: string;
  /** COSE key. */
  readonly credentialPublicKey: Uint8Array;
  readonly transports: readonly string[];
  readonly name: string;
  /** ISO 8601. */
  readonly registered: string;
  readonly syncedAt: string;
  /** base64url, 32 bytes. */
  readonly vrfPublicKey: string;
}

export interface EncryptedKeyRecord {
  readonly nearAccountId: string;
  readonly deviceNumber: number;
  readonly encryptedData: string;
  readonly iv: string;
  readonly timestamp: number;
}

export interface LastUser {
  readonly accountId: string;
  readonly deviceNumber: number;
}

/** Everything that one registered device stores. */
export interface DeviceRecords {
  readonly user: UserRecord;
  readonly authenticator: AuthenticatorRecord;
  readonly encryptedKey: EncryptedKeyRecord;
}

/**
 * A registration whose outcome is not known yet. Written before the relay is asked; while it is here, no other
 * passkey is made for the account.
 */
export interface RegistrationEntry {
  readonly kind: 'registration';
  readonly accountId: string;
  readonly nearPublicKey: string;
  /** base64url: of the challenge, and of the passkey. */
  readonly vrfPublicKeys: { readonly bootstrap: string; readonly deterministic: string };
  readonly credentialId: string;
  /** Block height of the challenge: the registry takes it only for so many blocks more. */
  readonly challengeHeight: number;
  readonly records: DeviceRecords;
  /** What the relay is asked with, nothing of it secret. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The relay said no. That is its word alone: the entry stays, and another try asks with the same request. */
  readonly refused?: boolean;
  readonly createdAt: number;
}

/** What was begun and is not known to have ended. */
export type JournalEntry = RegistrationEntry;
