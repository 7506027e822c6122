import { useTexts } from '../texts/use-texts.js';

/** The code that both devices of a linking show: four groups in two rows of large letters. */
export function CheckCode({ code }: { code: string }) {
  const { checkCode } = useTexts().common;
  return (
    <p className="check">
      <span className="eyebrow">{checkCode}</span>{' '}
      <strong className="letters" translate="no">
        {code.replace(/.{4}(?=.)/g, '$& ')}
      </strong>
    </p>
  );
}

export const checkCodeCss = /* css */ `
.check { display: grid; justify-items: center; gap: 2px; margin: 0; text-align: center; }
.letters {
  font: 650 clamp(25px, 8vw, 32px)/1.3 var(--lk-mono); letter-spacing: 0.09em; margin-inline-end: -0.09em; color: var(--lk-text);
  font-variant-ligatures: none; max-width: calc(11 * (1ch + 0.09em));
}
.time {
  display: block; font-size: clamp(25px, 8vw, 32px); line-height: 1.3; font-variant-numeric: tabular-nums; font-weight: 600;
  color: var(--lk-text);
}
`;
