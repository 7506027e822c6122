/** What the registry takes, in bytes of UTF-8. */
const MAX_GREETING_BYTES = 280;

/** The greeting that is stored for what was typed: it says when it was set. */
export function stampedGreeting(typed: string, setAt: Date): string {
  return `${typed.trim()} [updated: ${setAt.toLocaleTimeString()}]`;
}

/** How many bytes too long the greeting would be for the registry, which would refuse it; 0 when it fits. */
export function excessBytes(greeting: string): number {
  return Math.max(0, new TextEncoder().encode(greeting).length - MAX_GREETING_BYTES);
}
