/** How settled a transaction is: the levels of `wait_until` (nearcore, `TxExecutionStatus`). */
import type { WaitUntil } from '../types.js';

/**
 * The levels that meet a wanted one. They are in no single order: a transaction is executed before or after its block
 * is final (nearcore, `tx_execution_status_meets_expectations`).
 */
const MET_BY: Readonly<Record<WaitUntil, readonly WaitUntil[]>> = {
  NONE: ['NONE', 'INCLUDED', 'EXECUTED_OPTIMISTIC', 'INCLUDED_FINAL', 'EXECUTED', 'FINAL'],
  INCLUDED: ['INCLUDED', 'EXECUTED_OPTIMISTIC', 'INCLUDED_FINAL', 'EXECUTED', 'FINAL'],
  INCLUDED_FINAL: ['INCLUDED_FINAL', 'EXECUTED', 'FINAL'],
  EXECUTED: ['EXECUTED', 'FINAL'],
  FINAL: ['FINAL'],
  EXECUTED_OPTIMISTIC: ['EXECUTED_OPTIMISTIC', 'EXECUTED', 'FINAL'],
};

/** Every level. */
export const WAIT_LEVELS = Object.keys(MET_BY) as readonly WaitUntil[];

/** Whether a transaction at level `reached` meets `wanted`. */
export function hasReached(reached: WaitUntil, wanted: WaitUntil): boolean {
  return MET_BY[wanted].includes(reached);
}
