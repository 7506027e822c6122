import { texts } from './current.js';

/** An error, or the failure of a result: its code, where `latchkey` made it, and its message in English. */
interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
}

/** The text of a failure for the user: the catalogue's, or the message where the catalogue has none. */
export function errorText({ code, message }: Failure): string {
  return texts().errors?.(code, message) ?? message;
}

/** As {@link errorText}, of any thrown value. */
export function thrownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code } = thrown as { readonly code?: unknown };
  return errorText({ message: thrown.message, ...(typeof code === 'string' && { code }) });
}
