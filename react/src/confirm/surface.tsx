import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ConfirmModel, Decision } from 'latchkey';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { adoptCss, tokensCss } from '../tokens.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { confirmCss } from './styles.js';

const FADE_LIMIT_MS = 400;

/** Where one flow's confirmations are drawn, from its first question to its end. */
export interface ConfirmSurface {
  /** Draws the model and resolves with the decision; 'cancel' when the signal aborts first. */
  ask(model: ConfirmModel, signal: AbortSignal): Promise<Decision>;
  /** Gives page and focus back at once, and takes the surface away with its closing animation. */
  close(): void;
}

/**
 * Opens a surface in the browser's top layer, above every stacking context and every dialog of the page: a native
 * modal dialog inside a shadow root, so that the page's styles do not reach in and its content is inert meanwhile.
 * Styles are constructed sheets, which a strict CSP allows.
 */
export function openSurface(): ConfirmSurface {
  const host = document.createElement('latchkey-confirm');
  const shadow = host.attachShadow({ mode: 'open' });
  adoptCss(shadow, tokensCss, confirmCss);
  const layer = document.createElement('dialog');
  layer.className = 'layer';
  // The named dialog is the popup inside; this one only lends its place in the top layer.
  layer.setAttribute('role', 'none');
  const tree = document.createElement('div');
  layer.append(tree);
  shadow.append(layer);
  document.body.append(host);
  // Also notes which element has the focus, for close() to give it back.
  layer.showModal();

  const root = createRoot(tree);
  let asked: { model: ConfirmModel; attempt: number; answer: (decision: Decision) => void } | undefined;
  let answered = false;
  let open = true;
  let removal: ReturnType<typeof setTimeout> | undefined;

  function draw() {
    if (!asked) return;
    host.dataset.latchkeyTheme = asked.model.theme;
    root.render(
      <CSPProvider disableStyleElements>
        <ConfirmDialog
          model={asked.model}
          attempt={asked.attempt}
          answered={answered}
          open={open}
          container={layer}
          onDecision={decide}
          onClosed={remove}
        />
      </CSPProvider>,
    );
  }

  function decide(decision: Decision) {
    if (!asked || answered) return;
    answered = true;
    asked.answer(decision);
    draw();
  }

  function remove() {
    clearTimeout(removal);
    root.unmount();
    host.remove();
  }

  // Base UI's own guards give the focus back a frame later: enough for a quick second Tab to slip out.
  layer.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && open) keepTabInside(event, shadow);
  });

  // The popup inside handles Escape; a browser may all the same close a modal dialog when Escape is pressed twice.
  layer.addEventListener('cancel', (event) => event.preventDefault());
  layer.addEventListener('close', () => {
    if (!open) return;
    decide('cancel');
    layer.showModal();
  });

  return {
    ask(model, signal) {
      decide('cancel');
      return new Promise((resolve) => {
        asked = { model, attempt: (asked?.attempt ?? 0) + 1, answer: resolve };
        answered = false;
        signal.addEventListener('abort', () => resolve('cancel'), { once: true });
        flushSync(draw);
      });
    },
    close() {
      open = false;
      answered = true;
      flushSync(draw);
      // At once, not after the closing animation: the page goes on, and may move the focus itself.
      layer.close();
      layer.inert = true;
      // Where no animation runs, none ends.
      removal = setTimeout(remove, FADE_LIMIT_MS);
    },
  };
}

/** Moves the focus from the last stop to the first and back, so that it never leaves the dialog. */
function keepTabInside(event: KeyboardEvent, shadow: ShadowRoot): void {
  const stops = [...shadow.querySelectorAll<HTMLElement>('.popup :is(button, [tabindex="0"])')];
  const at = shadow.activeElement instanceof HTMLElement ? stops.indexOf(shadow.activeElement) : -1;
  const leaving = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!leaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
