import { useMemo, useState } from 'react';
import { clip, splitUntrusted } from '../format/text.js';

const SHOWN_AT_FIRST = 1200;

interface UntrustedProps {
  text: string;
  multiline?: boolean;
}

/** Shows untrusted text safely: isolates its direction, marks hidden characters, folds long text. */
export function Untrusted({ text, multiline = false }: UntrustedProps) {
  const [whole, setWhole] = useState(false);
  const { head, total } = useMemo(
    () => clip(text, whole ? Number.POSITIVE_INFINITY : SHOWN_AT_FIRST),
    [text, whole],
  );
  const folded = head.length < text.length;
  const parts = useMemo(() => splitUntrusted(head, { multiline }), [head, multiline]);
  return (
    <>
      <bdi className={multiline ? 'untrusted lines' : 'untrusted'}>
        {parts.map((part, index) =>
          part.kind === 'text' ? (
            part.value
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
            <mark key={index} title="A character that would not be visible, or would reorder the text">
              {part.value}
            </mark>
          ),
        )}
        {folded && '…'}
      </bdi>
      {folded && (
        <button type="button" className="quiet" onClick={() => setWhole(true)}>
          Show all {total.toLocaleString('en-US')} characters
        </button>
      )}
    </>
  );
}
