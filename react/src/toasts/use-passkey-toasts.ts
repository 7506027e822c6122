'use client';
import { useMemo, useRef } from 'react';
import type { AnyFlowEvent } from '../any-flow-event.js';
import { loadHeadlines } from '../texts/current.js';
import { rememberingSteps } from './remembering-steps.js';
import type { PasskeyToast } from './toast.js';
import type { ToastAbout } from './toast-of.js';

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

function showIn(toaster: PasskeyToaster, toast: PasskeyToast | undefined): void {
  if (!toast) return;
  const { id, kind, text, durationMs: duration } = toast;
  if (kind === 'dismiss') toaster.dismiss(id);
  else if (kind === 'blank') toaster(text, { id, duration });
  else toaster[kind](text, { id, duration });
}
