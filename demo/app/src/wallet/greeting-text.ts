/** The gas of a call that sets the greeting. */
export const SET_GREETING_GAS = '30000000000000';

/** The registry's limit, in bytes of UTF-8. */
const MAX_GREETING_BYTES = 280;

/** The greeting to store: the typed text with the time at which it was set. */
export function stampedGreeting(typed: string, setAt: Date): string {
  return `${typed.trim()} [updated: ${setAt.toLocaleTimeString()}]`;
}

/** The number of bytes over the registry's limit; 0 when the greeting fits. */
export function excessBytes(greeting: string): number {
  return Math.max(0, new TextEncoder().encode(greeting).length - MAX_GREETING_BYTES);
}
