/** How a run tells its steps on a terminal. */

export const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Prints a step's outcome and duration. */
export const line = (mark: '✓' | '✗', title: string, ms: number, text: string): void =>
  console.log(`${mark} ${title.padEnd(20)} ${String(ms).padStart(6)} ms   ${text}`);
