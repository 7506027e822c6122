/** The code that both devices of a linking show, in large letters that are easy to compare. */
export function CheckCode({ code }: { code: string }) {
  return (
    <p className="check">
      <span className="eyebrow">Check code</span>{' '}
      <strong className="letters" translate="no">
        {code.slice(0, 4)} {code.slice(4)}
      </strong>
    </p>
  );
}

export const checkCodeCss = /* css */ `
.check { display: grid; justify-items: center; gap: 2px; margin: 0; text-align: center; }
.letters {
  font: 650 clamp(25px, 8vw, 32px)/1.2 var(--lk-mono); letter-spacing: 0.09em; margin-inline-end: -0.09em; color: var(--lk-text);
  font-variant-ligatures: none; white-space: nowrap;
}
.time { font-variant-numeric: tabular-nums; font-weight: 600; color: var(--lk-text); }
`;
