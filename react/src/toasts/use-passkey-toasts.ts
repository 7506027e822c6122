'use client';
import { useMemo, useRef } from 'react';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { type PasskeyToast, type ToastAbout, toastOf } from './toast-of.js';

/** What a toaster gets with a text. */
export interface ToastOptions {
  readonly id: string;
  /** In milliseconds. */
  readonly duration: number;
}

/** A toaster: the `toast` of sonner and of react-hot-toast fit. */
export interface PasskeyToaster {
  (text: string, options: ToastOptions): unknown;
  loading(text: string, options: ToastOptions): unknown;
  success(text: string, options: ToastOptions): unknown;
  error(text: string, options: ToastOptions): unknown;
  dismiss(id: string): unknown;
}

/** Shows the wallet's toasts. Both functions stay the same over renders. */
export interface PasskeyToasts {
  /** Shows a toast in place of the earlier one with its id, or removes it. Undefined changes nothing. */
  readonly show: (toast: PasskeyToast | undefined) => void;
  /** Shows what an event says: pass it as `onEvent`. */
  readonly onEvent: (event: AnyFlowEvent, about?: ToastAbout) => void;
}

/** Connects the wallet's events to a toaster: `const toasts = usePasskeyToasts(toast)`. */
export function usePasskeyToasts(toaster: PasskeyToaster): PasskeyToasts {
  const latest = useRef(toaster);
  latest.current = toaster;
  return useMemo(() => {
    const toastWithId = rememberingTransaction();
    const show = (toast: PasskeyToast | undefined): void => showIn(latest.current, toast);
    return { show, onEvent: (event, about) => show(toastWithId(event, about)) };
  }, []);
}

/** As `toastOf`, and names the transaction at the end of a registration: an event in its middle has the id. */
export function rememberingTransaction(): typeof toastOf {
  let transactionId: string | null = null;
  return (event, about) => {
    if (event.flow !== 'registration') return toastOf(event, about);
    if (event.phase === 'webauthn-verification') transactionId = null;
    const id = event.data?.transactionId;
    if (typeof id === 'string') transactionId = id;
    return toastOf(event, { transactionId, ...about });
  };
}

function showIn(toaster: PasskeyToaster, toast: PasskeyToast | undefined): void {
  if (!toast) return;
  const { id, kind, text, durationMs: duration } = toast;
  if (kind === 'dismiss') toaster.dismiss(id);
  else if (kind === 'blank') toaster(text, { id, duration });
  else toaster[kind](text, { id, duration });
}
