/** How a toast looks: `blank` has no sign, and `dismiss` removes the toast of its id. */
export type ToastKind = 'loading' | 'success' | 'error' | 'blank' | 'dismiss';

/** A text for a toaster. */
export interface PasskeyToast {
  /** Of the flow, unless the caller names another. A toast replaces the earlier one with its id. */
  readonly id: string;
  readonly kind: ToastKind;
  readonly text: string;
  /** How long it stays, in milliseconds; `Infinity` until another one replaces it. */
  readonly durationMs: number;
}

/** The most toasts on the screen, their place, their width, and how long one stays that says nothing about it. */
export const TOASTER = {
  limit: 20,
  position: 'bottom-right',
  width: 'min(90vw, 420px)',
  durationMs: 3500,
} as const;

const DURATION_MS: Readonly<Record<ToastKind, number>> = {
  loading: Number.POSITIVE_INFINITY,
  success: 2000,
  error: 4000,
  blank: 4000,
  dismiss: 0,
};

/** A toast with the duration of its kind. */
export function passkeyToast(id: string, kind: Exclude<ToastKind, 'dismiss'>, text: string): PasskeyToast {
  return { id, kind, text, durationMs: DURATION_MS[kind] };
}

/** Removes the toast with this id. */
export function dismissalOf(id: string): PasskeyToast {
  return { id, kind: 'dismiss', text: '', durationMs: DURATION_MS.dismiss };
}
