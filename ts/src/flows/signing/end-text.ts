import type { ActionResult } from '../../types.js';

/** What the end of an action says: the chain executed all of it, or has it. */
export function endText(...results: readonly ActionResult[]): string {
  return results.every(({ fate }) => fate === 'executed') ? 'Executed by the chain' : 'Sent to the chain';
}
