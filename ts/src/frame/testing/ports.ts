/** Both ends of a port for a test, closed after it, and flows whose outcome the test sets. */
import { afterEach, vi } from 'vitest';
import type { Wallet } from '../../wallet.js';
import type { Progress } from '../protocol/index.js';
import { CASES } from './cases.js';
import { type Answers, connect, rawHost } from './recording-wallet.js';

const open: { close(): void }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of open.splice(0)) one.close();
});

/** Is closed after the test. */
export function opened<T extends { close(): void }>(both: T): T {
  open.push(both);
  return both;
}
export const connected = (answers: Answers, requestTimeoutMs?: number) =>
  opened(connect(answers, requestTimeoutMs === undefined ? {} : { requestTimeoutMs }));
export const raw = (answers: Answers) => opened(rawHost(answers));

export type LoginArgs = Required<Parameters<Wallet['loginPasskey']>>;
export type ActionArgs = Parameters<Wallet['executeAction']>;
export const LOGIN = CASES.PM_LOGIN.payload;
export const ACTION = CASES.PM_EXECUTE_ACTION.payload;
export const CANCELLED_REPORT = {
  type: 'PROGRESS',
  payload: { step: 0, phase: 'cancelled', status: 'error' },
};

/** A flow that ends when it is cancelled, with this result or error. */
export const untilAborted =
  (end: () => unknown) =>
  async (...args: unknown[]) => {
    const { signal } = optionsOf(args);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return end();
  };
function optionsOf(args: readonly unknown[]): { signal: AbortSignal; onEvent: (event: Progress) => void } {
  const last = args.at(-1) as { options?: unknown };
  return (last.options ?? last) as { signal: AbortSignal; onEvent: (event: Progress) => void };
}
export const never = () => new Promise<never>(() => undefined);
export const throwing = (error: unknown) => async () => {
  throw error;
};
