/** What a key's permission lets it do, in one place for all four kinds. */
import type { AccessKeyPermission } from '../types.js';

/** Whether a key with it may do everything on the account; also of a permission that this version does not know. */
export function isFullAccess(permission: AccessKeyPermission): boolean {
  return callBoundsOf(permission) === undefined;
}

/** What a key with it may call; undefined for full access. */
export interface CallBounds {
  readonly receiverId: string;
  /** Empty for every method. */
  readonly methodNames: readonly string[];
}

/** The contract and the methods that a key with it may call; undefined for full access. */
export function callBoundsOf(permission: AccessKeyPermission): CallBounds | undefined {
  if (typeof permission !== 'object' || 'GasKeyFullAccess' in permission) return undefined;
  return 'FunctionCall' in permission ? permission.FunctionCall : permission.GasKeyFunctionCall;
}

/** The number of lanes of a gas key; undefined for any other key. */
export function lanesOf(permission: AccessKeyPermission): number | undefined {
  if (permission === 'FullAccess' || 'FunctionCall' in permission) return undefined;
  const { numNonces } =
    'GasKeyFullAccess' in permission ? permission.GasKeyFullAccess : permission.GasKeyFunctionCall;
  return numNonces;
}
