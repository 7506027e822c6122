/** Checks how long a call is to wait for what it sends. A node would refuse another level, but only after the prompt. */
import { LatchkeyError } from '../errors/latchkey-error.js';
import type { ExecutionWait, WaitUntil } from '../types.js';

/** How a call waits, among its other options. */
export interface Waits {
  readonly waitUntil?: WaitUntil | undefined;
  readonly executionWait?: ExecutionWait | undefined;
}

const LEVELS: Readonly<Record<WaitUntil, true>> = {
  NONE: true,
  INCLUDED: true,
  INCLUDED_FINAL: true,
  EXECUTED: true,
  EXECUTED_OPTIMISTIC: true,
  FINAL: true,
};
const MODES: Readonly<Record<ExecutionWait['mode'], true>> = { sequential: true, parallelStaggered: true };

/** Throws INVALID_CONFIG, which names the option and what it can be. */
export function assertWaits({ waitUntil, executionWait }: Waits): void {
  assertOneOf('waitUntil', LEVELS, waitUntil);
  if (!executionWait) return;
  assertOneOf('executionWait.mode', MODES, executionWait.mode ?? '');
  assertOneOf('executionWait.waitUntil', LEVELS, executionWait.waitUntil);
}

function assertOneOf(
  option: string,
  values: Readonly<Record<string, true>>,
  value: string | undefined,
): void {
  if (value === undefined || Object.hasOwn(values, value)) return;
  const reason = `${option} must be ${Object.keys(values).join(' or ')}`;
  throw new LatchkeyError('INVALID_CONFIG', { values: { reason }, details: { problems: [reason] } });
}
