/** The surroundings of the flows, created once for each wallet. */
import type { ResolvedConfig } from '../config.js';
import type { AppKeyModel, Confirmer } from '../confirm/port.js';
import type { Emit } from '../events.js';
import type { KeyToShow } from '../export/contract.js';
import type { RpcClient } from '../near/index.js';
import type { RelayClient } from '../relay/relay-client.js';
import type { Leaving } from '../storage/activity.js';
import type { WalletStore } from '../storage/store.js';
import type { SignedTransaction, TransactionFate, TransactionRequest } from '../types.js';
import type { Credentials } from '../webauthn/credentials.js';
import type { SignerPool } from '../workers/signer-pool.js';
import type { VrfClient } from '../workers/vrf-client.js';
import type { LogoutSignal } from './session/logout-signal.js';
import type { TransactionContexts } from './signing/transaction-contexts.js';

export interface FlowContext {
  readonly config: ResolvedConfig;
  readonly rpId: string;
  /** Runs the passkey ceremonies. */
  readonly credentials: Credentials;
  readonly rpc: RpcClient;
  readonly relay: RelayClient;
  readonly store: WalletStore;
  readonly signers: SignerPool;
  readonly vrf: VrfClient;
  readonly contexts: TransactionContexts;
  /** Ends flows at the next logout. */
  readonly logout: LogoutSignal;
  /** The origin of the page that uses the wallet; that page's settings are stored under it. */
  readonly page: string;
  /** In a frame: that page may hand in the code of a new device (`linkCodeHosts`). */
  readonly isLinkCodeHost?: boolean;
  /** Set where that page could cover this document unseen: shows a key in a separate window of the wallet. */
  readonly showKeyInWindow?: ShowKey | undefined;
  /** Set in a frame: rejects if the registry would refuse a passkey's answer because of the page around the frame. */
  readonly assertHost?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Aborts when the wallet is closed, which ends background work. */
  readonly closing: AbortSignal;
  confirmer(): Confirmer | null;
  /** Holds back reports of the login state while a flow opens a session that it may still close again. */
  readonly openingSession?: <T>(flow: () => Promise<T>) => Promise<T>;
  /** Keeps what this wallet sends, for its user. */
  readonly activity?: ActivityLog;
  /** Returns what waits for this account's next approval, if anything does. */
  readonly joining?: (accountId: string) => Promise<Joining | undefined>;
}

/** Keeps what leaves this wallet, and what became of it. Never holds a transaction up, and never fails one. */
export interface ActivityLog {
  /** Called before a copy leaves. */
  leaves(leaving: Omit<Leaving, 'host'>): void;
  settles(accountId: string, transactionId: string, fate: TransactionFate): void;
}

/** Transactions that join the next approval of their account, such as a DeleteKey that came too late to be taken. */
export interface Joining {
  readonly transactions: readonly TransactionRequest[];
  /** The app keys among them. */
  readonly appKeys?: readonly AppKeyModel[];
  /** Takes them signed, after the user's own have been sent, and sends them when their time has come. */
  take(signed: readonly SignedTransaction[]): Promise<void>;
}

/**
 * Shows a key; resolves when the viewer that got it is closed. Rejects with CANCELLED or MODAL_TIMEOUT where the viewer
 * closed before, and with the error of a failure. Aborting `signal` removes the viewer.
 */
export type ShowKey = (key: KeyToShow, emit: Emit<'export'>, signal: AbortSignal) => Promise<void>;
