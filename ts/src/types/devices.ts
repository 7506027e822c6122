/** The devices of an account, and its other keys. */
import type { FlowOptions } from './flow.js';
import type { ActionResult } from './transactions.js';

/** A device of an account, as the registry has it. */
export interface LinkedDevice {
  readonly deviceNumber: number;
  /** `Device N`. */
  readonly name: string;
  /** base64url. */
  readonly credentialId: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  /** Whether it is this device. */
  readonly isCurrent: boolean;
  /** Its access key; null when that key is not, or no longer, on the account: it cannot sign; remove it again to finish. */
  readonly accessKey: string | null;
  /** The key that the registry recorded with it, for {@link deleteDeviceKey}, whether it is on the account or not. */
  readonly registeredKey: string | null;
  /** Set for this device of an account without a name until the registry records its passkey (`registerDevice`). */
  readonly isUnrecorded?: boolean;
}

/** A key that pays for gas from a balance of its own (NEP-611). */
export interface GasKey {
  readonly publicKey: string;
  /** yoctoNEAR on it, a decimal string: goes back to the account when {@link deleteDeviceKey} removes the key. */
  readonly balanceYocto: string;
  /** How many transactions it can sign side by side. */
  readonly lanes: number;
  /** The contract that it may call; null where it may do everything. */
  readonly receiverId: string | null;
}

/** Everything that can sign for an account with full access. */
export interface LinkedDevices {
  readonly accountId: string;
  /** The current device first, then by number. */
  readonly devices: readonly LinkedDevice[];
  /** Keys of linkings that were not completed. They are deleted automatically, or with the next confirmation. */
  readonly temporaryKeys: readonly {
    readonly publicKey: string;
    /** When the deletion is sent, milliseconds since 1970; null while that is not known. */
    readonly dueAt: number | null;
  }[];
  /**
   * Other full-access keys, gas keys among them, which belong to no registered device. One of ML-DSA-65 is listed by its hash,
   * `ml-dsa-65-hash:`.
   */
  readonly otherKeys: readonly string[];
  /** Those of them that are a recovery phrase's, as far as this device made it; absent without one. */
  readonly recoveryKeys?: readonly string[];
  /** The account's gas keys, those for calls too; absent without one. */
  readonly gasKeys?: readonly GasKey[];
}

export type DeleteDeviceKeyOptions = FlowOptions<'action', ActionResult>;
