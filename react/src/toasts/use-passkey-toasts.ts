'use client';
import { useMemo, useRef } from 'react';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { loadHeadlines } from '../texts/current.js';
import { dismissalOf, type PasskeyToast, type ToastAbout, toastOf } from './toast-of.js';

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
    const toastAfter = rememberingSteps();
    const show = (toast: PasskeyToast | undefined): void => showIn(latest.current, toast);
    return {
      show,
      onEvent(event, about) {
        // So that a failure that follows has its sentence.
        void loadHeadlines();
        show(toastAfter(event, about));
      },
    };
  }, []);
}

/**
 * As `toastOf`, knowing the steps before: names the transaction at the end of a registration, where an event in its middle
 * has the id, and removes the toast of a scan that the user closed.
 */
export function rememberingSteps(): typeof toastOf {
  let transactionId: string | null = null;
  let isScanning = false;
  return (event, about) => {
    if (event.flow === 'linking') {
      const isClosed = isScanning && event.error?.code === 'CANCELLED';
      isScanning = event.phase === 'scanning';
      if (isClosed) return dismissalOf(about?.id ?? event.flow);
    }
    if (event.flow !== 'registration') return toastOf(event, about);
    if (event.phase === 'webauthn-verification') transactionId = null;
    const id = event.data?.transactionId;
    if (typeof id === 'string') transactionId = id;
    const { transactionId: named = transactionId } = about ?? {};
    return toastOf(event, { ...about, transactionId: named });
  };
}

function showIn(toaster: PasskeyToaster, toast: PasskeyToast | undefined): void {
  if (!toast) return;
  const { id, kind, text, durationMs: duration } = toast;
  if (kind === 'dismiss') toaster.dismiss(id);
  else if (kind === 'blank') toaster(text, { id, duration });
  else toaster[kind](text, { id, duration });
}
