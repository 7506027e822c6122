import type { DeviceCheck, ErrorValues, Outcome } from 'latchkey';
import { texts } from './current.js';

/** An error: its code and the values of its text, where `latchkey` made it, and its message in English. */
interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
  readonly values?: ErrorValues | undefined;
}

/** The text of a failure for the user: the catalogue's, or the message where the catalogue has none. */
export function errorText({ code, message, values }: Failure): string {
  return texts().errors?.(code, message, values) ?? message;
}

/** As {@link errorText}, of a result that was no success. */
export function outcomeText({
  error = texts().common.unknownError,
  errorCode: code,
  errorValues: values,
}: Omit<Outcome, 'success'>): string {
  return errorText({ code, message: error, values });
}

/** What a check of the device refuses, or else warns about. */
export function adviceOf(device: DeviceCheck): Failure | undefined {
  const { error, errorCode, errorValues, warning, warningCode, warningValues } = device;
  if (error !== undefined) return { code: errorCode, message: error, values: errorValues };
  return warning === undefined ? undefined : { code: warningCode, message: warning, values: warningValues };
}

/** As {@link errorText}, of any thrown value. */
export function thrownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, code, values } = thrown as Error & {
    readonly code?: unknown;
    readonly values?: ErrorValues;
  };
  return errorText({ message, values, ...(typeof code === 'string' && { code }) });
}
