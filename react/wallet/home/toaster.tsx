import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { TOASTER } from '../../src/toasts/toast.js';
import type { PasskeyToaster, ToastOptions } from '../../src/toasts/use-passkey-toasts.js';

interface Shown {
  readonly id: string;
  readonly kind: 'blank' | 'loading' | 'success' | 'error';
  readonly text: string;
}

const NOTHING = Object.assign(() => undefined, {
  success: () => undefined,
  error: () => undefined,
  loading: () => undefined,
  dismiss: () => undefined,
}) as PasskeyToaster;

const ToasterContext = createContext<PasskeyToaster>(NOTHING);

/** Shows short texts at the edge of the page. A new one replaces the earlier one of its id. */
export const useToaster = (): PasskeyToaster => useContext(ToasterContext);

/** The toasts of this page, without a style tag: its policy allows none. */
export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  const toaster = useMemo<PasskeyToaster>(() => {
    const dismiss = (id: string): void => {
      clearTimeout(timers.current.get(id));
      timers.current.delete(id);
      setShown((before) => before.filter((each) => each.id !== id));
    };
    const show =
      (kind: Shown['kind']) =>
      (text: string, { id, duration }: ToastOptions) => {
        clearTimeout(timers.current.get(id));
        setShown((before) => [...before.filter((each) => each.id !== id), { id, kind, text }].slice(-3));
        if (Number.isFinite(duration))
          timers.current.set(
            id,
            setTimeout(() => dismiss(id), duration),
          );
      };
    return Object.assign(show('blank'), {
      success: show('success'),
      error: show('error'),
      loading: show('loading'),
      dismiss,
    });
  }, []);

  return (
    <ToasterContext.Provider value={toaster}>
      {/* Above the page, which makes room for them where it is narrow. */}
      <div className="toasts" role="status">
        {shown.map(({ id, kind, text }) => (
          <p key={id} className="toast" data-kind={kind}>
            {kind === 'loading' && <span className="spinner" aria-hidden="true" />}
            <span>{text}</span>
          </p>
        ))}
      </div>
      {children}
    </ToasterContext.Provider>
  );
}

/** Says one sentence, for as long as such texts stay. */
export function useSay(): (text: string) => void {
  const toaster = useToaster();
  return useMemo(
    () => (text) => toaster.success(text, { id: 'said', duration: TOASTER.durationMs }),
    [toaster],
  );
}
