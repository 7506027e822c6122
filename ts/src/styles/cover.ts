/** A modal dialog that covers the page and takes nothing from its layout: no scroll position, scrollbar or size. */

/**
 * Styles a dialog `.cover` and the one `.cover-stage` in it. The dialog itself scrolls, by one pixel, beneath a stage that stays:
 * a wheel or a finger that nothing on the stage takes ends there, so the page behind rests (`overscroll-behavior`).
 * Percentages, since `100vw` reaches below a scrollbar of the page.
 */
export const coverCss = /* css */ `
.cover {
  position: fixed; inset: 0; width: 100%; height: 100%; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; outline: none; background: none;
  overflow: auto; overscroll-behavior: contain; scrollbar-width: none;
}
.cover::-webkit-scrollbar { display: none; }
.cover::after { content: ''; display: block; height: 1px; }
.cover::backdrop { background: none; }
.cover-stage { position: sticky; top: 0; width: 100%; height: 100%; }
`;

/**
 * Undoes the `zoom` that the page gives `host` and its ancestors (CSS Viewport 1) for `dialog` in its shadow: a length in
 * it is one of the window, and a click in a frame lies where the frame reads it.
 */
export function unzoom(dialog: HTMLElement, host: Element): void {
  let zoom = 1;
  for (let at: Element | null = host; at; at = at.parentElement)
    zoom *= Number(getComputedStyle(at).zoom) || 1;
  dialog.style.zoom = zoom === 1 ? '' : String(1 / zoom);
}
