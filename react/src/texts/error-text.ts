import type { DeviceCheck, ErrorValues, Outcome } from 'latchkey';
import { loadHeadlines, texts } from './current.js';

/** An error: its code and the values of its text, where `latchkey` made it, and its message in English. */
export interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
  readonly values?: ErrorValues | undefined;
}

/** The sentence for the user: the catalogue's headline of the code, or the message until the headlines are loaded. */
export function errorText({ code, message, values }: Failure): string {
  void loadHeadlines();
  return texts().errors?.(code, message, values) ?? message;
}

/** As {@link errorText}, once the headlines are loaded. */
export async function loadedErrorText(failure: Failure): Promise<string> {
  await loadHeadlines();
  return errorText(failure);
}

/** Whether the user ended it: that is no fault, and looks like none. */
export function isCancelled(code: string | undefined): boolean {
  return code !== undefined && /(^|_)CANCELLED(_|$)/.test(code);
}

/** The failure of a result that was no success. */
export function outcomeFailure({
  error = texts().common.unknownError,
  errorCode: code,
  errorValues: values,
}: Omit<Outcome, 'success'>): Failure {
  return { code, message: error, values };
}

/** As {@link errorText}, of a result that was no success. */
export const outcomeText = (outcome: Omit<Outcome, 'success'>): string => errorText(outcomeFailure(outcome));

/** What a check of the device refuses, or else warns about. */
export function adviceOf(device: DeviceCheck): Failure | undefined {
  const { error, errorCode, errorValues, warning, warningCode, warningValues } = device;
  if (error !== undefined) return { code: errorCode, message: error, values: errorValues };
  return warning === undefined ? undefined : { code: warningCode, message: warning, values: warningValues };
}

/** The failure in any thrown value. */
export function thrownFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { message, code, values } = thrown as Error & {
    readonly code?: unknown;
    readonly values?: ErrorValues;
  };
  return { message, values, ...(typeof code === 'string' && { code }) };
}

/** As {@link errorText}, of any thrown value. */
export const thrownText = (thrown: unknown): string => errorText(thrownFailure(thrown));
