import {
  type DeviceCheck,
  type ErrorValues,
  type LatchkeyErrorCode,
  type Outcome,
  orOffline,
} from 'latchkey';
import { loadHeadlines, texts } from './current.js';
import { headlineOf } from './headlines.js';

/** An error: its code and the values of its text, where `latchkey` made it, and its message in English. */
export interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
  readonly values?: ErrorValues | undefined;
}

/** The sentence for the user: the catalogue's headline of the code, or the message until the headlines are loaded. */
export function errorText({ code, message, values }: Failure): string {
  void loadHeadlines();
  return headlineOf(texts().errors ?? {}, code, values) ?? message;
}

/** As {@link errorText}, once the headlines are loaded. */
export async function loadedErrorText(failure: Failure): Promise<string> {
  await loadHeadlines();
  return errorText(failure);
}

/** After these, the same try fails again: only the site's owner, or another browser, helps. */
const NOTHING_TO_TRY: ReadonlySet<string | undefined> = new Set<LatchkeyErrorCode>([
  'CONFIG_NOT_ALLOWED',
  'HOST_NOT_ALLOWED',
  'HOST_NOT_IN_REGISTRY',
  'HOST_STOPPED',
  'IN_APP_BROWSER',
  'INSECURE_CONTEXT',
  'INVALID_CONFIG',
  'NOT_A_WALLET',
  'OPENER_NOT_ALLOWED',
  'PASSKEYS_FORBIDDEN_HERE',
  'PASSKEYS_UNSUPPORTED',
  'PRF_UNSUPPORTED',
  'REGISTRY_LACKS',
  'REGISTRY_UNKNOWN',
  'RP_ID_MISMATCH',
  'STORAGE_UNAVAILABLE',
  'WALLET_FRAME_ISOLATED',
]);

/** Whether another try can end otherwise. */
export const canTryAgain = ({ code }: Failure): boolean => !NOTHING_TO_TRY.has(code);

/** Whether the user ended it: that is no fault, and looks like none. */
export function isCancelled(code: string | undefined): boolean {
  return code !== undefined && /(^|_)CANCELLED(_|$)/.test(code);
}

/** What a result says of its failure. */
type FailedOutcome = { readonly [Part in keyof Omit<Outcome, 'success'>]: Outcome[Part] | undefined };

/** The failure of a result that was no success. */
export function outcomeFailure({
  error = texts().common.unknownError,
  errorCode: code,
  errorValues: values,
}: FailedOutcome): Failure {
  return { code, message: error, values };
}

/** As {@link errorText}, of a result that was no success. */
export const outcomeText = (outcome: FailedOutcome): string => errorText(outcomeFailure(outcome));

/** What a check of the device refuses, or else warns about. */
export function adviceOf(device: DeviceCheck): Failure | undefined {
  const { error, errorCode, errorValues, warning, warningCode, warningValues } = device;
  if (error !== undefined) return { code: errorCode, message: error, values: errorValues };
  return warning === undefined ? undefined : { code: warningCode, message: warning, values: warningValues };
}

/** The failure in any thrown value; offline, that is what a part of this page that cannot load fails for. */
export function thrownFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { message, code, values } = orOffline(thrown) as Error & {
    readonly code?: unknown;
    readonly values?: ErrorValues;
  };
  return { message, values, ...(typeof code === 'string' && { code }) };
}

/** As {@link errorText}, of any thrown value. */
export const thrownText = (thrown: unknown): string => errorText(thrownFailure(thrown));
