import type { Theme } from 'latchkey';
import { texts, watchTexts } from '../texts/current.js';
import { unzoom } from '../tokens.js';
import { adoptDesign } from './design.js';

/** By then the closing animation is over, or none runs. */
const FADE_LIMIT_MS = 400;

/** An element in the browser's top layer, with its own shadow root. */
export interface Layer {
  /** Render into this. */
  readonly tree: HTMLElement;
  /** Put portals into this: it is in the shadow root and in the top layer. */
  readonly container: HTMLElement;
  setTheme(theme: Theme): void;
  /** Returns page and focus immediately. Calls `faded` after the fade-out, or immediately in another page's frame. */
  release(faded: () => void): void;
  /** Removes the element from the page. */
  remove(): void;
}

export interface LayerOptions {
  /** The element's name in the page. */
  name: string;
  /** Style sheets in addition to the tokens. */
  css: readonly string[];
  /** The browser closed the layer by itself (on a double Escape, say). The layer opens again right after. */
  onForced: () => void;
}

/**
 * Opens a layer above every stacking context and dialog of the page: a native modal dialog inside a shadow root. The
 * page's styles do not reach in, and its content is inert meanwhile. Styles are constructed sheets, which a strict
 * CSP allows.
 */
export function openLayer({ name, css, onForced }: LayerOptions): Layer {
  const host = document.createElement(name);
  const direct = (): void => {
    host.dir = texts().direction;
  };
  direct();
  const unwatch = watchTexts(direct);
  const shadow = host.attachShadow({ mode: 'open' });
  adoptDesign(shadow, ...css);
  const dialog = document.createElement('dialog');
  dialog.className = 'cover';
  // The named dialog is the popup inside; this one only provides the top layer.
  dialog.setAttribute('role', 'none');
  const stage = document.createElement('div');
  stage.className = 'cover-stage';
  const tree = document.createElement('div');
  stage.append(tree);
  dialog.append(stage);
  shadow.append(dialog);
  document.body.append(host);
  unzoom(dialog, host);
  // Also remembers the focused element; close() in release() focuses it again.
  dialog.showModal();

  let open = true;
  let removal: ReturnType<typeof setTimeout> | undefined;

  // Base UI's guards return the focus one frame later, which lets a quick second Tab escape.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && open) keepTabInside(event, shadow);
  });
  // The popup inside handles Escape; a browser may still close a modal dialog on a double Escape.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  dialog.addEventListener('close', () => {
    if (!open) return;
    onForced();
    if (open) dialog.showModal();
  });

  return {
    tree,
    container: stage,
    setTheme(theme) {
      host.dataset.latchkeyTheme = theme;
    },
    release(faded) {
      if (!open) return;
      open = false;
      // Now, not after the closing animation: the page continues and may move the focus itself.
      dialog.close();
      dialog.inert = true;
      if (isInForeignPage()) return faded();
      removal = setTimeout(faded, FADE_LIMIT_MS);
    },
    remove() {
      open = false;
      clearTimeout(removal);
      unwatch();
      host.remove();
    },
  };
}

/**
 * A host page hides the frame once a request ends, and a hidden frame does not animate: a half-faded layer would still
 * be there when the next request shows the frame.
 */
const isInForeignPage = (): boolean => globalThis.top !== globalThis.self && globalThis.frameElement === null;

/** Where Tab stops. */
const STOPS = '.popup :is(a[href], button, input, select, summary, textarea, [tabindex="0"])';

/** Wraps the focus from the last stop to the first and back, so that it never leaves the dialog. */
function keepTabInside(event: KeyboardEvent, shadow: ShadowRoot): void {
  // What a closed part of the dialog holds takes no focus.
  const stops = [...shadow.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility());
  const at = shadow.activeElement instanceof HTMLElement ? stops.indexOf(shadow.activeElement) : -1;
  const leaving = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!leaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
