/** What is kept on this device. Keys are encrypted; nothing secret is stored in clear. */

import type { ConfirmationConfig, EncryptedVrfKeypair, TransactionFate, UserPreferences } from '../types.js';
import type { SealedKey } from '../workers/sealed-key.js';

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

/** A {@link SealedKey} under a name of its own (never an account id), beside the accounts' keys. */
export interface SealedKeyRecord extends EncryptedKeyRecord {
  readonly publicKey: string;
}

/** What the temporary key of device linking is kept as. */
export const TEMPORARY_LINKING_KEY = 'temp-device-linking.testnet';
/** It is stored as the first device of its name. */
export const TEMPORARY_DEVICE = 1;

export interface LastUser {
  readonly accountId: string;
  readonly deviceNumber: number;
}

/** What the code of one page set, for every account here and for single ones. */
export interface PageSettings {
  readonly confirmation?: Partial<ConfirmationConfig>;
  readonly accounts?: Readonly<Record<string, Partial<ConfirmationConfig>>>;
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
  readonly createdAt: number;
}

/**
 * A key that a device linking adds to the account, and that is to be deleted unless a device makes it its own. Written
 * before the chain hears of the key; while it is here, the key may be on the account.
 */
export interface DeletionEntry {
  readonly kind: 'deletion';
  readonly accountId: string;
  /** The key, `ed25519:...`. */
  readonly publicKey: string;
  /** The transactions that were signed for it, by their ids; the first one by its access key and nonce too. */
  readonly addKey: { readonly id: string; readonly signerKey: string; readonly nonce: string };
  readonly mappingId: string;
  /** The signed DeleteKey, borsh. */
  readonly deleteKey: Uint8Array;
  /** The block height from which on the chain shows the key; absent while nobody knows that it was added. */
  readonly addedAtHeight?: number;
  /** When the DeleteKey is sent, milliseconds since 1970; absent while nobody knows what became of the mapping. */
  readonly dueAt?: number;
  readonly createdAt: number;
  /** Random. */
  readonly token: string;
}

/**
 * A batch that is being sent. Hashes alone: what was signed is not kept, so nothing of it can be sent again from here.
 * Written before the first of its transactions leaves, and kept while it is not known what became of each.
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
  /** Of the newest copy: of the ones before, the chain is known to take none. */
  readonly transactionId: string;
  readonly receiverId: string;
  readonly nonce: string;
  /** Height of the block that it names. */
  readonly blockHeight: string;
  /** What is known of it; 'unknown' from just before it leaves. */
  readonly fate: TransactionFate;
}

/** A transaction as it was signed: sent again, it is the same one. */
export interface SentTransaction {
  readonly hash: string;
  readonly borshBytes: Uint8Array;
}

/** This device's joining of an account. Written before its first transaction, and before a code with its key is shown. */
export interface LinkEntry {
  readonly kind: 'link';
  readonly accountId: string;
  readonly deviceNumber: number;
  /** The device's own key. */
  readonly key: SealedKey;
  /** The key that is on the account in its place: it signs the swap, which deletes it. Null when there is none. */
  readonly replaces: SealedKey | null;
  readonly vrfPublicKeys: RegistrationEntry['vrfPublicKeys'];
  readonly credentialId: string;
  /** Block height of the challenge: the registry takes it only for so many blocks more. */
  readonly challengeHeight: number;
  readonly records: DeviceRecords;
  /** The arguments of link_device_register_user, nothing of it secret. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The two transactions, noted before they leave. */
  readonly swap?: SentTransaction | undefined;
  readonly registration?: SentTransaction | undefined;
  readonly createdAt: number;
}

/**
 * A key that is being added for an app. Written before its transaction leaves; the key is kept once the chain has it,
 * and forgotten with this entry when the chain never will.
 */
export interface AppKeyEntry {
  readonly kind: 'appKey';
  readonly accountId: string;
  readonly deviceNumber: number;
  /** The contract that it is for. */
  readonly receiverId: string;
  readonly sealed: SealedKey;
  /** The public key that signed the transaction. */
  readonly signedBy: string;
  readonly transaction: BatchedTransaction;
  readonly createdAt: number;
}

/** What was begun and is not known to have ended: an account has at most one entry of each {@link entryId}. */
export type JournalEntry = RegistrationEntry | BatchEntry | DeletionEntry | LinkEntry | AppKeyEntry;
export type JournalKind = JournalEntry['kind'];

/** What an entry is found by, among those of its kind. */
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

/** An account may have several keys that wait to be deleted. */
export function deletionId({ accountId, publicKey }: Pick<DeletionEntry, 'accountId' | 'publicKey'>): string {
  return `${accountId}|${publicKey}`;
}

/** Tells an entry from a later one with the same id. */
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
