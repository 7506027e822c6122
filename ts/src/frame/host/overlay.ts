/**
 * The place of the wallet's frame in the host's page: hidden, over a container, or over the whole page. The frame
 * stays at one place in the document and is only styled, because moving it would reload it.
 *
 * Styles are set through the CSSOM alone, which the page's strict CSP allows, inside a shadow root, which the page's
 * own rules do not reach. Nothing here is animated: a confirmer must be fully visible from the first frame on, and so
 * reduced motion needs no special case.
 */

import { coverCss, unzoom } from '../../styles/cover.js';

/** One below the maximum: above almost everything that a page puts on top. */
const Z_INDEX = 2_147_483_646;

/**
 * A frame whose colour scheme differs from its document's is opaque. The wallet page declares none, which means
 * light.
 */
const CSS = /* css */ `
${coverCss}
.cover { display: block; z-index: ${Z_INDEX}; min-width: 0; min-height: 0; color-scheme: normal; }
.cover:not([data-at='fullscreen']) { inset: auto; overflow: hidden; }
.cover[data-at='hidden'] { left: 0; top: 0; width: 0; height: 0; visibility: hidden; pointer-events: none; }
.cover-stage { display: block; border: 0; background: none; color-scheme: light; }
`;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One request's wish to have the frame cover the page. */
export interface Hold {
  show(): void;
  hide(): void;
  /** Withdraws the wish for good. */
  release(): void;
}

export interface Overlay {
  /** Puts a frame into the page, hidden, in place of the previous one. */
  mount(frame: HTMLIFrameElement): void;
  /** Removes everything from the page. Wishes remain for the next frame. */
  unmount(): void;
  /**
   * While any hold shows, the frame covers the page. The first one to show owns it: Escape pressed in the page calls
   * its `cancel`; when it hides, the next one owns the page.
   */
  hold(cancel: () => void): Hold;
  /** Handles an Escape pressed in the frame as if pressed in the page. */
  escape(): void;
  /** Sets where the frame is while it does not cover the page, in pixels of the viewport; null hides it. */
  anchor(at: Rectangle | null): void;
}

export function createOverlay(): Overlay {
  const showing = new Set<() => void>();
  let anchored: Rectangle | null = null;
  let surface: Surface | undefined;
  const place = (): void => surface?.place(showing.size > 0, anchored);
  const cancelOwner = (): void => {
    const [owner] = showing;
    owner?.();
  };

  return {
    mount(frame) {
      surface?.remove();
      surface = drawSurface(frame, cancelOwner);
      place();
    },
    unmount() {
      surface?.remove();
      surface = undefined;
    },
    hold(cancel) {
      // Unique to this hold, even if two holds share one `cancel`.
      const wish = (): void => cancel();
      let isReleased = false;
      const hide = (): void => {
        if (showing.delete(wish)) place();
      };
      return {
        show: () => {
          if (isReleased || showing.has(wish)) return;
          showing.add(wish);
          place();
        },
        hide,
        release: () => {
          isReleased = true;
          hide();
        },
      };
    },
    escape: cancelOwner,
    anchor(at) {
      anchored = at;
      place();
    },
  };
}

interface Surface {
  place(isFullscreen: boolean, anchored: Rectangle | null): void;
  remove(): void;
}

/**
 * A native dialog. Shown as modal, it is above every other dialog of the page, makes the page behind inert, takes the
 * focus and gives it back. Closed, it remains in the page, without a size or over its container.
 */
function drawSurface(frame: HTMLIFrameElement, onEscape: () => void): Surface {
  const host = document.createElement('latchkey-wallet');
  host.style.setProperty('all', 'initial', 'important');
  host.style.setProperty('display', 'contents', 'important');
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  shadow.adoptedStyleSheets = [sheet];
  const dialog = document.createElement('dialog');
  // The dialogs with accessible names are in the frame; this one only provides its place in the top layer.
  dialog.setAttribute('role', 'none');
  dialog.className = 'cover';
  frame.className = 'cover-stage';
  dialog.dataset.at = 'hidden';
  dialog.inert = true;
  let isFullscreen = false;
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onEscape();
  });
  dialog.addEventListener('close', () => {
    // The browser closes the dialog at a second Escape by itself, even if the first was prevented.
    if (!isFullscreen || dialog.open) return;
    onEscape();
    if (isFullscreen) open();
  });
  dialog.append(frame);
  shadow.append(dialog);
  document.body.append(host);

  const open = (): void => {
    dialog.showModal();
    frame.focus({ preventScroll: true });
  };
  const close = (): void => {
    if (dialog.open) dialog.close();
  };
  return {
    place(fullscreen, anchored) {
      const at = fullscreen ? 'fullscreen' : anchored ? 'anchored' : 'hidden';
      dialog.dataset.at = at;
      dialog.inert = at === 'hidden';
      unzoom(dialog, host);
      if (isFullscreen && !fullscreen) {
        isFullscreen = false;
        close();
      }
      for (const side of ['left', 'top', 'width', 'height'] as const) {
        if (at === 'anchored' && anchored) dialog.style[side] = `${anchored[side]}px`;
        else dialog.style.removeProperty(side);
      }
      if (!isFullscreen && fullscreen) {
        isFullscreen = true;
        open();
      }
    },
    remove() {
      isFullscreen = false;
      close();
      host.remove();
    },
  };
}
