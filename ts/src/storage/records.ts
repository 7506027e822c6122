/** The records stored on this device. Keys are encrypted; no secret is stored in clear. */

import type {
  ConfirmationConfig,
  EncryptedVrfKeypair,
  PasskeyBackup,
  TransactionFate,
  UserPreferences,
} from '../types.js';
import type { SealedKey } from '../workers/sealed-key.js';
import type { PasskeySealedKey } from '../workers/signer-api.js';

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
  /** As the passkey's newest answer said; absent in the record of an older version. */
  readonly passkeyBackup?: PasskeyBackup;
  /** `platform` or `cross-platform`, as its newest answer said, where one did. */
  readonly passkeyAttachment?: string;
  /** Whether two ceremonies gave the same outputs; absent in the record of an older version, which does not know. */
  readonly passkeyProven?: boolean;
  /** The authenticator verified the user only where the request named no passkey. */
  readonly verifiesUnnamed?: boolean;
  /** For an account without a name: a registry has been seen to have a record of it, so that its verdict counts from then on. */
  readonly hasRegistryRecord?: boolean;
  /** The public keys of recovery phrases that were made here, also of one whose AddKey has an unknown outcome. */
  readonly recoveryKeys?: readonly string[];
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
  /** As {@link wellFormed} gives them; empty where none are known. */
  readonly transports: readonly string[];
  readonly name: string;
  /** ISO 8601. */
  readonly registered: string;
  readonly syncedAt: string;
  /** base64url, 32 bytes. */
  readonly vrfPublicKey: string;
  /** 8-4-4-4-12, the model of the authenticator, where this device made the passkey. */
  readonly aaguid?: string;
}

export interface EncryptedKeyRecord {
  readonly nearAccountId: string;
  readonly deviceNumber: number;
  readonly encryptedData: string;
  readonly iv: string;
  readonly timestamp: number;
}

/** A {@link SealedKey} under a name of its own (never an account id), next to the accounts' keys. */
export interface SealedKeyRecord extends EncryptedKeyRecord {
  readonly publicKey: string;
}

/** Store name of device linking's temporary key. */
export const TEMPORARY_LINKING_KEY = 'temp-device-linking.testnet';
/** Its device number: the first of its name. */
export const TEMPORARY_DEVICE = 1;

export interface LastUser {
  readonly accountId: string;
  readonly deviceNumber: number;
}

/** Settings made by one page's code, for all accounts here and for single ones. */
export interface PageSettings {
  readonly confirmation?: Partial<ConfirmationConfig>;
  readonly accounts?: Readonly<Record<string, Partial<ConfirmationConfig>>>;
}

/** The key of a linking code that this wallet scanned by itself. */
export interface ScannedKey {
  /** `ed25519:...`. */
  readonly publicKey: string;
  /** Milliseconds since 1970. */
  readonly scannedAt: number;
}

/** All records of one registered device. */
export interface DeviceRecords {
  readonly user: UserRecord;
  readonly authenticator: AuthenticatorRecord;
  readonly encryptedKey: EncryptedKeyRecord;
}

/**
 * A registration with an unknown outcome. Written before the relay is asked; while it exists, the wallet makes no
 * second passkey for the account.
 */
export interface RegistrationEntry {
  readonly kind: 'registration';
  readonly accountId: string;
  readonly nearPublicKey: string;
  /** base64url: the challenge's key and the passkey's key. */
  readonly vrfPublicKeys: { readonly bootstrap: string; readonly deterministic: string };
  readonly credentialId: string;
  /** Block height of the challenge: the registry accepts it only for a limited number of blocks. */
  readonly challengeHeight: number;
  readonly records: DeviceRecords;
  /** The body of the relay request; contains no secret. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/**
 * A key that the wallet adds to the account for a time: the temporary key of a linking, to be deleted unless a device
 * claims it, or an app key with an end. Written before the chain sees the key; while it exists, the key may be on the
 * account.
 */
export type DeletionEntry = LinkDeletion | AppKeyDeletion;

interface KeyForATime {
  readonly kind: 'deletion';
  readonly accountId: string;
  /** The key, `ed25519:...`. */
  readonly publicKey: string;
  /** The transaction that adds the key. */
  readonly addKey: {
    readonly id: string;
    /** The key that signed it. */
    readonly signerKey: string;
    readonly nonce: string;
    /** Of the block that it names. */
    readonly blockHeight: string;
  };
  readonly createdAt: number;
  /** Random. */
  readonly token: string;
}

export interface LinkDeletion extends KeyForATime {
  readonly appKey?: undefined;
  /** The id of the mapping's transaction. */
  readonly mappingId: string;
  /** The signed DeleteKey, borsh. */
  readonly deleteKey: Uint8Array;
  /** The block height at which the chain first shows the key; absent until the addition is known. */
  readonly addedAtHeight?: number;
  /** When to send the DeleteKey, milliseconds since 1970; absent until the mapping's outcome is known. */
  readonly dueAt?: number;
}

export interface AppKeyDeletion extends KeyForATime {
  readonly appKey: {
    /** The contract that it may call. */
    readonly receiverId: string;
    /** Where its sealed copy is stored. */
    readonly name: string;
    readonly deviceNumber: number;
  };
  /** The signed DeleteKey, borsh; absent until an approval after the key's end has signed it. */
  readonly deleteKey?: Uint8Array;
  /** The key's end, milliseconds since 1970. */
  readonly dueAt: number;
}

/**
 * A batch being sent. Holds hashes only, so nothing can be sent again from here. Written before the first transaction
 * leaves, and kept until every outcome is known and final.
 */
export interface BatchEntry {
  readonly kind: 'batch';
  readonly batchId: string;
  readonly accountId: string;
  readonly publicKey: string;
  readonly transactions: readonly BatchedTransaction[];
  readonly createdAt: number;
}

export interface BatchedTransaction {
  /** Of the newest copy: the chain is known to accept none of the earlier ones. The hash of a delegate. */
  readonly transactionId: string;
  readonly receiverId: string;
  readonly nonce: string;
  /** The lane of that nonce, for a gas key. */
  readonly lane?: number;
  /** Height of the named block; of a delegate, of the last block that may execute it. */
  readonly blockHeight: string;
  /** Its known fate; 'unknown' from just before it leaves. */
  readonly fate: TransactionFate;
  /** The user has heard this fate, from a block that was not final yet. */
  readonly isShown?: boolean;
  /** The digest of its receiver and actions, which finds the same payment asked for again. */
  readonly payment?: string;
  /** What its actions transfer or attach; absent where that is nothing. */
  readonly amountYocto?: string;
  /** A delegate, which the transaction of another account carries. */
  readonly delegate?: {
    /** The id of that transaction, where the relay has named it. */
    readonly carrier: string | null;
  };
}

/** A signed transaction: sending it again repeats the same one. */
export interface SentTransaction {
  readonly hash: string;
  readonly borshBytes: Uint8Array;
}

/**
 * This device's joining of an account. Written before its first transaction, and before showing a code with its key.
 */
export interface LinkEntry {
  readonly kind: 'link';
  readonly accountId: string;
  readonly deviceNumber: number;
  /** The device's own key. */
  readonly key: PasskeySealedKey;
  /** The temporary key on the account; it signs the swap, which deletes it. Null if there is none. */
  readonly replaces: PasskeySealedKey | null;
  /** What opens the two keys. Absent in an entry of an older version, whose keys the stored wrapping key opens. */
  readonly sealedBy?: 'passkey';
  readonly vrfPublicKeys: RegistrationEntry['vrfPublicKeys'];
  readonly credentialId: string;
  /** Block height of the challenge: the registry accepts it only for a limited number of blocks. */
  readonly challengeHeight: number;
  readonly records: DeviceRecords;
  /** The arguments of link_device_register_user; contains no secret. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The two transactions, recorded before they leave. */
  readonly swap?: SentTransaction | undefined;
  readonly registration?: SentTransaction | undefined;
  readonly createdAt: number;
}

/**
 * A key being added for an app. Written before its transaction leaves; the key is stored once the chain has it, and
 * dropped with this entry when the chain never will.
 */
export interface AppKeyEntry {
  readonly kind: 'appKey';
  readonly accountId: string;
  readonly deviceNumber: number;
  /** The contract it may call. */
  readonly receiverId: string;
  readonly sealed: SealedKey;
  /** When the wallet stops using it, milliseconds since 1970; absent for a key without an end. */
  readonly expiresAt?: number;
  /** The public key that signed the transaction. */
  readonly signedBy: string;
  readonly transaction: BatchedTransaction;
  readonly createdAt: number;
}

/** Work begun and not known to have ended: an account has at most one entry of each {@link entryId}. */
export type JournalEntry = RegistrationEntry | BatchEntry | DeletionEntry | LinkEntry | AppKeyEntry;
export type JournalKind = JournalEntry['kind'];

/** The id that finds an entry among those of its kind. */
export function entryId(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'registration':
    case 'link':
      return entry.accountId;
    case 'batch':
      return entry.batchId;
    case 'deletion':
      return deletionId(entry);
    case 'appKey':
      return entry.sealed.publicKey;
  }
}

/** An account may have several keys awaiting deletion. */
export function deletionId({ accountId, publicKey }: Pick<DeletionEntry, 'accountId' | 'publicKey'>): string {
  return `${accountId}|${publicKey}`;
}

/** Distinguishes an entry from a later one with the same id. */
export function entryToken(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'registration':
    case 'link':
      return entry.credentialId;
    case 'batch':
      return entry.batchId;
    case 'deletion':
      return entry.token;
    case 'appKey':
      return entry.sealed.publicKey;
  }
}
