/** Footnotes as GitHub writes them: `text[^name]`, and `[^name]: the note`. The package has no types. */
declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it';

  export default function footnotes(markdown: MarkdownIt): void;
}
