/** A day and its time in the words of the user's language. */
export function dateOf(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
