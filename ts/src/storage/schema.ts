/** The shape of the wallet's two databases, as their connections see it. */
import type { DBSchema } from 'idb';
import type { Connection } from './connection.js';
import type { AuthenticatorRecord, EncryptedKeyRecord, SealedKeyRecord, UserRecord } from './records.js';

/** Counts as written only once on disk: later steps rely on it even after a power cut. */
export const STRICT: IDBTransactionOptions = { durability: 'strict' };

export interface StateRecord {
  readonly key: string;
  readonly value: unknown;
  /** Of a journal entry: the host it was opened through. */
  readonly host?: string;
}

export interface ClientSchema extends DBSchema {
  users: { key: [string, number]; value: UserRecord; indexes: { nearAccountId: string } };
  appState: { key: string; value: StateRecord };
  authenticators: {
    key: [string, number, string];
    value: AuthenticatorRecord;
    indexes: { nearAccountId: string };
  };
}

export interface KeysSchema extends DBSchema {
  encryptedKeys: { key: [string, number]; value: EncryptedKeyRecord | SealedKeyRecord };
}

export type ClientDatabase = Pick<Connection<ClientSchema>, 'run' | 'close'>;
export type KeysDatabase = Pick<Connection<KeysSchema>, 'run' | 'close'>;
