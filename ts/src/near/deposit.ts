import type { Action } from '../types.js';

/** yoctoNEAR that an action transfers or attaches. A stake is no deposit: the chain locks it when the action runs. */
export function depositOf(action: Action): bigint {
  switch (action.type) {
    case 'FunctionCall':
    case 'DeterministicStateInit':
      return BigInt(action.deposit);
    case 'Transfer':
      return BigInt(action.amount);
    default:
      return 0n;
  }
}

/** yoctoNEAR that several actions transfer or attach. */
export function depositOfAll(actions: readonly Action[]): bigint {
  return actions.reduce((sum, action) => sum + depositOf(action), 0n);
}
