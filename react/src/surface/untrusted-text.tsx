import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { clip, splitUntrusted } from '../format/text.js';
import { useTexts } from '../texts/use-texts.js';

const SHOWN_AT_FIRST = 1200;

interface UntrustedTextProps {
  text: string;
  multiline?: boolean | undefined;
  /** How many characters show at first. */
  limit?: number | undefined;
}

/** Shows untrusted text safely: isolates its direction, marks hidden characters, folds long text. */
export function UntrustedText({ text, multiline = false, limit = SHOWN_AT_FIRST }: UntrustedTextProps) {
  const words = useTexts().common;
  const [whole, setWhole] = useState(false);
  const { head, total } = useMemo(
    () => clip(text, whole ? Number.POSITIVE_INFINITY : limit),
    [text, whole, limit],
  );
  const folded = head.length < text.length;
  const fold = useFold(() => setWhole(true));
  const parts = useMemo(() => splitUntrusted(head, { multiline }), [head, multiline]);
  return (
    <>
      <bdi className={multiline ? 'untrusted lines' : 'untrusted'}>
        {parts.map((part, index) =>
          part.kind === 'text' ? (
            part.value
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
            <mark key={index} title={words.hiddenCharacter}>
              {part.value}
            </mark>
          ),
        )}
        {folded && '…'}
      </bdi>
      {folded && (
        <button ref={fold} type="button" className="quiet" onClick={() => setWhole(true)}>
          {words.wholeText(total.toLocaleString('en-US'))}
        </button>
      )}
    </>
  );
}

/** A text that shows only its beginning. */
export interface Fold {
  element: HTMLElement;
  open: () => void;
}

/** Takes a fold, until the returned function is called. */
export type AddFold = (fold: Fold) => () => void;

const Folds = createContext<AddFold | null>(null);

/** Passes the folds of what it contains to `add`. */
export function FoldsOf({ add, children }: { add: AddFold; children: ReactNode }) {
  return <Folds.Provider value={add}>{children}</Folds.Provider>;
}

/** Attach to an element that exists while a text is folded. */
function useFold(open: () => void): (element: HTMLElement | null) => void {
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
