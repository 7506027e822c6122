import type { Theme } from 'latchkey';
import { createRoot } from 'react-dom/client';
import { Inline } from '../src/surface/inline.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { adoptCss } from '../src/tokens.js';

/** Hides the notice under an open dialog: a confirmation shows the same text itself. */
const pageCss = /* css */ `
.storage-notice:has(~ [data-latchkey-theme]) { display: none; }
`;

/**
 * In a corner without prompts and most pages' toasts; on a phone, whose prompt rises from the lower edge, below the toasts of the
 * upper one. Clicks pass through. A button-sized frame has no room for it.
 */
const noticeCss = /* css */ `
.kept {
  position: fixed; inset-inline-start: 20px; bottom: 20px; width: fit-content; max-width: 420px; margin: 0; padding: 12px 16px; box-sizing: border-box;
  pointer-events: none; text-wrap: pretty; font: 400 var(--lk-text-s)/1.5 var(--lk-font); color: var(--lk-text);
  background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m); box-shadow: var(--lk-shadow-2);
}
@media (max-width: 640px) { .kept { inset: 25% 12px auto; max-width: none; } }
@media (max-height: 240px) { .kept { display: none; } }
`;

/** Says that nothing is kept here, while the frame is visible for a passkey prompt. */
export function showStorageNotice(theme: Theme): void {
  adoptCss(document, pageCss);
  const place = document.createElement('div');
  place.className = 'storage-notice';
  document.body.append(place);
  createRoot(place).render(
    <Inline theme={theme} css={noticeCss}>
      <Kept />
    </Inline>,
  );
}

function Kept() {
  return (
    <p className="kept" role="status">
      {useConfirmTexts().walletPage.inMemory}
    </p>
  );
}
