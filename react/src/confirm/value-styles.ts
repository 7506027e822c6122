/** Styles amounts and untrusted texts, with the quiet button that shows more of them. */
export const valueCss = /* css */ `
.untrusted { unicode-bidi: isolate; overflow-wrap: anywhere; }
.untrusted.lines { white-space: pre-wrap; tab-size: 2; }
mark {
  font: 600 10px/1 var(--lk-mono); color: var(--lk-danger); background: var(--lk-danger-soft);
  border: 1px solid var(--lk-danger-line); border-radius: 4px; padding: 1px 3px; margin: 0 1px; white-space: nowrap;
}
.amount { display: inline-flex; flex-wrap: wrap; gap: 2px 8px; align-items: baseline; }
.exact { flex-basis: 100%; font-family: var(--lk-mono); font-size: var(--lk-text-xs); color: var(--lk-muted); }
.quiet {
  font: 500 var(--lk-text-xs)/1.4 var(--lk-font); color: var(--lk-accent); background: none; border: 0; padding: 2px 4px; margin: -2px -4px;
  border-radius: 4px; cursor: pointer; text-decoration: underline; text-underline-offset: 2px; text-decoration-thickness: 1px;
}
.quiet:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
`;
