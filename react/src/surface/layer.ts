import type { Theme } from 'latchkey';
import { adoptCss, tokensCss } from '../tokens.js';

/** After this time the closing animation is over, or none runs. */
const FADE_LIMIT_MS = 400;

/** A place in the browser's top layer, with its own shadow root. */
export interface Layer {
  /** Render into this. */
  readonly tree: HTMLElement;
  /** Put portals into this: it lies in the shadow root and in the top layer. */
  readonly container: HTMLElement;
  setTheme(theme: Theme): void;
  /** Gives page and focus back at once; calls back when the content has faded away, in a frame at once. */
  release(faded: () => void): void;
  /** Takes the element out of the page. */
  remove(): void;
}

export interface LayerOptions {
  /** The name of the element in the page. */
  name: string;
  /** Style sheets beside the tokens. */
  css: readonly string[];
  /** The browser closed the layer by its own will (Escape pressed twice, say). It is shown again right after. */
  onForced: () => void;
}

/**
 * Opens a layer above every stacking context and every dialog of the page: a native modal dialog inside a shadow
 * root, so that the page's styles do not reach in and its content is inert meanwhile. Styles are constructed sheets,
 * which a strict CSP allows.
 */
export function openLayer({ name, css, onForced }: LayerOptions): Layer {
  const host = document.createElement(name);
  const shadow = host.attachShadow({ mode: 'open' });
  adoptCss(shadow, tokensCss, ...css);
  const dialog = document.createElement('dialog');
  dialog.className = 'layer';
  // The named dialog is the popup inside; this one only lends its place in the top layer.
  dialog.setAttribute('role', 'none');
  const tree = document.createElement('div');
  dialog.append(tree);
  shadow.append(dialog);
  document.body.append(host);
  // Also notes which element has the focus, for release() to give it back.
  dialog.showModal();

  let open = true;
  let removal: ReturnType<typeof setTimeout> | undefined;

  // Base UI's own guards give the focus back a frame later: enough for a quick second Tab to slip out.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && open) keepTabInside(event, shadow);
  });
  // The popup inside handles Escape; a browser may all the same close a modal dialog when Escape is pressed twice.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  dialog.addEventListener('close', () => {
    if (!open) return;
    onForced();
    if (open) dialog.showModal();
  });

  return {
    tree,
    container: dialog,
    setTheme(theme) {
      host.dataset.latchkeyTheme = theme;
    },
    release(faded) {
      if (!open) return;
      open = false;
      // At once, not after the closing animation: the page goes on, and may move the focus itself.
      dialog.close();
      dialog.inert = true;
      if (isInForeignPage()) return faded();
      removal = setTimeout(faded, FADE_LIMIT_MS);
    },
    remove() {
      open = false;
      clearTimeout(removal);
      host.remove();
    },
  };
}

/**
 * The page around hides its frame once a request is over, and a hidden frame draws nothing: what had not faded away by
 * then would still be there when the next request shows it.
 */
const isInForeignPage = (): boolean => globalThis.top !== globalThis.self && globalThis.frameElement === null;

/** Moves the focus from the last stop to the first and back, so that it never leaves the dialog. */
function keepTabInside(event: KeyboardEvent, shadow: ShadowRoot): void {
  const stops = [...shadow.querySelectorAll<HTMLElement>('.popup :is(button, select, [tabindex="0"])')];
  const at = shadow.activeElement instanceof HTMLElement ? stops.indexOf(shadow.activeElement) : -1;
  const leaving = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!leaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
