import type { Action } from 'latchkey';
import { movesSayAll } from 'latchkey/confirm-moves';
import type { Detail } from './describe-action.js';

export interface SortedDetails {
  /** What no other line says: the user must see it. */
  readonly open: readonly Detail[];
  /** What the user need not see: gas, and the arguments that the lines of moves say in full. */
  readonly closed: readonly Detail[];
}

/** Sorts an action's details. What is in neither list stands in the title or in the action's line. */
export function sortDetails(receiverId: string, action: Action, details: readonly Detail[]): SortedDetails {
  const open: Detail[] = [];
  const closed: Detail[] = [];
  for (const detail of details) {
    if (isInLine(action, detail)) continue;
    (isExplained(receiverId, action, detail) ? closed : open).push(detail);
  }
  return { open, closed };
}

/** `steps.tsx` draws these itself, and an argument that is not there needs no line. */
function isInLine({ type }: Action, detail: Detail): boolean {
  switch (detail.kind) {
    case 'amount':
      return type === 'Transfer' || type === 'FunctionCall' || type === 'Stake';
    case 'account':
      return type === 'DeleteAccount';
    case 'arguments':
      return ['', '{}'].includes(detail.json.trim());
    case 'bytes':
      return detail.hex === '';
    default:
      return false;
  }
}

function isExplained(receiverId: string, action: Action, { kind }: Detail): boolean {
  if (kind === 'gas') return true;
  return kind === 'arguments' && action.type === 'FunctionCall' && movesSayAll(receiverId, action);
}
