import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { COPIED_MS, copyCode } from '../copy-code.js';
import { texts } from '../texts/texts.js';

const words = texts.home.code;

/** The code of a file that runs in this page, with its name and a button that copies it. */
export function CodePanel({ file, of: Code }: { file: string; of: typeof import('*?code').default }) {
  const figure = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<boolean>();
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <figure ref={figure} className="code-panel" lang="en" aria-label={words.label(file)}>
      <figcaption>
        <span className="file">{file}</span>
        <button
          type="button"
          className="copy"
          lang={document.documentElement.lang}
          onClick={() => void copyCode(figure.current).then(setCopied)}
        >
          {copied === undefined ? words.copy : copied ? words.copied : words.notCopied}
        </button>
      </figcaption>
      <Code components={{ pre: Scrolling }} />
    </figure>
  );
}

/** Long lines scroll, also by keyboard. */
const Scrolling = (props: ComponentProps<'pre'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus of a keyboard
  <pre {...props} translate="no" tabIndex={0} />
);
