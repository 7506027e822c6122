import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';

/** A text that shows only its beginning. */
interface Fold {
  element: HTMLElement;
  open: () => void;
}

/** Takes a fold, until the returned function is called. */
type AddFold = (fold: Fold) => () => void;

const Folds = createContext<AddFold | null>(null);

/** How much of its height a press of the button scrolls. */
const PAGE = 0.85;
/** Rounding to whole pixels may hide this much of the end. */
const END_MARGIN_PX = 2;

export interface Reading {
  /** Whether the user has seen everything of this question: reached its end, and opened what is folded. */
  isRead: boolean;
  /** Whether that took the user a step. */
  hasWaited: boolean;
  /** How many folds are closed. */
  folded: number;
  /** Attach to the element that scrolls. */
  body: (element: HTMLElement | null) => void;
  /** Attach to the last thing that must be seen. */
  end: (element: HTMLElement | null) => void;
  /** Scrolls on, then opens what is folded. */
  more: () => void;
  addFold: AddFold;
}

/** Follows what the user has seen of a question; another `question` starts from the beginning. */
export function useReading(question: string): Reading {
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const [reached, setReached] = useState<string>();
  const [read, setRead] = useState<string>();
  const [waited, setWaited] = useState<string>();
  const [folds, setFolds] = useState<readonly Fold[]>([]);
  const pressed = useRef(false);

  const addFold = useCallback<AddFold>((fold) => {
    setFolds((before) => [...before, fold]);
    return () => setFolds((before) => before.filter((other) => other !== fold));
  }, []);

  useLayoutEffect(() => {
    if (!body || !end) return;
    const look = (): void => {
      if (body.clientHeight === 0) return;
      if (end.getBoundingClientRect().top <= body.getBoundingClientRect().bottom + END_MARGIN_PX)
        setReached(question);
      else setWaited(question);
    };
    look();
    const observer = new IntersectionObserver(look, { root: body, rootMargin: `${END_MARGIN_PX}px` });
    observer.observe(end);
    const sizes = new ResizeObserver(look);
    sizes.observe(body);
    return () => {
      observer.disconnect();
      sizes.disconnect();
    };
  }, [body, end, question]);

  const isAtEnd = reached === question;
  const isRead = read === question;
  const folded = folds.length;
  useLayoutEffect(() => {
    if (folded > 0) setWaited(question);
    else if (isAtEnd) setRead(question);
  }, [isAtEnd, folded, question]);
  useLayoutEffect(() => {
    // The button that was pressed is gone: the focus goes to what it showed, and not to Confirm.
    if (isRead && pressed.current) body?.focus();
    pressed.current = false;
  }, [isRead, body]);

  const more = (): void => {
    pressed.current = true;
    if (!isAtEnd) {
      body?.scrollBy({ top: body.clientHeight * PAGE });
      return;
    }
    const [first] = [...folds].sort(byPlace);
    first?.element.scrollIntoView({ block: 'nearest' });
    first?.open();
  };

  return {
    isRead,
    hasWaited: waited === question,
    folded,
    body: setBody,
    end: setEnd,
    more,
    addFold,
  };
}

function byPlace(a: Fold, b: Fold): number {
  return a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/** Takes the folds of what it contains. */
export function FoldsOf({ reading, children }: { reading: Reading; children: ReactNode }) {
  return <Folds.Provider value={reading.addFold}>{children}</Folds.Provider>;
}

/** Attach to an element that exists while a text is folded. */
export function useFold(open: () => void): (element: HTMLElement | null) => void {
  const addFold = useContext(Folds);
  const latest = useRef(open);
  latest.current = open;
  const removeFold = useRef<() => void>(undefined);
  return useCallback(
    (element) => {
      removeFold.current?.();
      removeFold.current =
        element && addFold ? addFold({ element, open: () => latest.current() }) : undefined;
    },
    [addFold],
  );
}

/** Says why the button named `confirm` waits, with another one that shows what was not seen yet. */
export function Unseen({ reading, confirm, id }: { reading: Reading; confirm: string; id: string }) {
  const words = useConfirmTexts().reading;
  const { folded, more } = reading;
  return (
    <div className="unseen">
      <p id={id}>
        <strong>{words.waits(confirm)}</strong> {folded > 0 ? words.unfold : words.scroll}
      </p>
      <button type="button" className="button small" onClick={more}>
        {words.more}
      </button>
    </div>
  );
}

export const readingCss = /* css */ `
/* The last thing that must be seen; takes no room in its grid. */
.end { height: 1px; margin-top: -14px; }
.unseen { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 12px; align-items: center; }
.unseen p { color: var(--lk-muted); font-size: var(--lk-text-s); line-height: 1.4; text-wrap: pretty; }
.unseen strong { color: var(--lk-text); }
[aria-busy='false'] .button.primary.waits[aria-disabled='true'] {
  color: var(--lk-muted); background: var(--lk-sunken); border: 1px dashed var(--lk-line-strong);
}
@media (max-width: 420px) { .unseen { gap: 10px; } .unseen p { font-size: var(--lk-text-xs); } }
.button.small { min-height: 40px; padding: 0 14px; font-size: 14px; white-space: nowrap; }
`;
