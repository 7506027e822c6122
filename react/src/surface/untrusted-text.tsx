import { filled } from 'latchkey/internal';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
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
  const parts = useMemo(() => splitUntrusted(head, { multiline }), [head, multiline]);
  return (
    <>
      <bdi className={multiline ? 'untrusted lines' : 'untrusted'}>
        {parts.map((part, index) =>
          part.kind === 'text' ? (
            multiline ? (
              part.value
            ) : (
              breakable(part.value)
            )
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
        <button type="button" className="quiet" data-folded onClick={() => setWhole(true)}>
          {filled(words.wholeText, { total: total.toLocaleString('en-US') })}
        </button>
      )}
    </>
  );
}

/** A name breaks after its dots before it breaks within a word. */
const breakable = (text: string): ReactNode =>
  text.split(/\.(?=[a-z])/i).map((part, at) =>
    at === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
      <Fragment key={at}>
        .<wbr />
        {part}
      </Fragment>
    ),
  );
