/** Checks how long a call is to wait for what it sends. A node would refuse another level, but only after the prompt. */
import { INVALID_CONFIG, LatchkeyError } from '../errors/core.js';
import { WAIT_LEVELS } from '../near/wait-levels.js';
import type { ExecutionWait, WaitUntil } from '../types.js';

/** How a call waits, among its other options. */
export interface Waits {
  readonly waitUntil?: WaitUntil | undefined;
  readonly executionWait?: ExecutionWait | undefined;
}

const MODES: readonly ExecutionWait['mode'][] = ['sequential', 'parallelStaggered'];

/** Throws INVALID_CONFIG, which names the option and what it can be. */
export function assertWaits({ waitUntil, executionWait }: Waits): void {
  assertOneOf('waitUntil', WAIT_LEVELS, waitUntil);
  if (!executionWait) return;
  assertOneOf('executionWait.mode', MODES, executionWait.mode ?? '');
  assertOneOf('executionWait.waitUntil', WAIT_LEVELS, executionWait.waitUntil);
}

function assertOneOf(option: string, values: readonly string[], value: string | undefined): void {
  if (value === undefined || values.includes(value)) return;
  const reason = `${option} must be ${values.join(' or ')}`;
  throw new LatchkeyError(INVALID_CONFIG, { values: { reason }, details: { problems: [reason] } });
}
