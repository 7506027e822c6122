import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { AddFold, Fold } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';

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
