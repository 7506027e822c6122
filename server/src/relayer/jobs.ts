/**
 * The jobs of all relays: one relay at a time works on a job, and what it signed outlives it.
 *
 * A transaction is stored before it is sent. A relay that takes over a job from one that died, or lost its claim,
 * sends the same bytes: the chain executes them once.
 */
import type { Refusal } from '../http/refusal.js';
import type { SignedCall } from './relayer.js';
import type { SpendReservation } from './spend.js';

/** A signed transaction of a job, and its cost at most. */
export interface KeptJob {
  readonly call: SignedCall;
  readonly mostYocto: bigint;
  readonly depositYocto: bigint;
  /** Those of the reservation. */
  readonly tickets: readonly string[];
}

/** A transaction that a relay signed for a job and may have sent. */
export interface StoredJob extends Omit<KeptJob, 'tickets'> {
  readonly reservation: SpendReservation;
}

/** A relay's hold on a job. */
export interface JobClaim {
  readonly sent: StoredJob | null;
  /**
   * Stores what was signed, before it is sent. False: another relay has taken the job over or ended its reservation, and
   * nothing is stored. Where it rejects, the store may have it.
   */
  keep(job: KeptJob): Promise<boolean>;
  release(): Promise<void>;
}

export interface JobStore {
  /**
   * Claims a job, whose name begins with its noun and a colon. Rejects with `underWay`, which gets the transaction's id if
   * there is one, while another relay works on it.
   */
  claim(name: string, underWay: (transactionHash: string | null) => Refusal): Promise<JobClaim>;
  /** Whether a relay signed something for this job whose outcome no relay has seen. */
  isOpen(name: string): Promise<boolean>;
  /**
   * The outcome of this transaction is known, or it was never sent. A `done` one stays for two minutes, for relays that ask
   * meanwhile. `freed` are tickets of reservations that the caller ends next; they end by themselves if it dies before. Resolves
   * with whether the store knows it now.
   */
  settled(
    name: string,
    transactionHash: string,
    end: 'done' | 'failed',
    freed?: readonly string[],
  ): Promise<boolean>;
  /** What this transaction cost is counted: no relay has to look for its outcome. */
  counted(name: string, transactionHash: string): void;
  /** Names of jobs with this noun whose transaction no relay has counted, a few at a time; the next call names others. */
  due(noun: string): Promise<string[]>;
  /** Ends the reservations of relays that were killed before they stored what they signed. Resolves with their number. */
  endUnkept(): Promise<number>;
}
