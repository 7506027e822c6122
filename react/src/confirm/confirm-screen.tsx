import type { ConfirmModel, Decision, Theme, WaitingModel } from 'latchkey';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { openLayer } from '../surface/layer.js';
import type { LayerDialogProps } from '../surface/layer-dialog.js';
import { surfaceCss } from '../surface/layer-styles.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { actionCss, dialogCss, newDeviceCss, readingCss, summaryCss, valueCss } from './styles.js';
import { WaitingDialog } from './waiting-dialog.js';

const confirmCss = surfaceCss + dialogCss + actionCss + valueCss + newDeviceCss + summaryCss + readingCss;

/** Draws one flow's confirmations, from its first question to its end. */
export interface ConfirmScreen {
  /** Draws the model and resolves with the decision; 'cancel' when the signal aborts first. */
  ask(model: ConfirmModel, signal: AbortSignal): Promise<Decision>;
  /** Draws what is open in another theme. */
  setTheme(theme: Theme): void;
  /** Returns page and focus immediately, and removes the screen after its closing animation. */
  close(): void;
}

/** Opens a screen in the browser's top layer, above the whole page; `notice` is at the foot of each question. */
export function openConfirmScreen(notice?: string): ConfirmScreen {
  let asked: { model: ConfirmModel; attempt: number; answer: (decision: Decision) => void } | undefined;
  let answered = false;
  const dialog = openDialog(
    'latchkey-confirm',
    () => decide('cancel'),
    (layer) =>
      asked && (
        <ConfirmDialog
          {...layer}
          model={asked.model}
          attempt={asked.attempt}
          answered={answered}
          notice={notice}
          onDecision={decide}
        />
      ),
  );

  function decide(decision: Decision) {
    if (!asked || answered) return;
    answered = true;
    asked.answer(decision);
    dialog.draw();
  }

  return {
    ask(model, signal) {
      decide('cancel');
      // Another try has the theme of the first: what is open keeps the one that it was given since.
      if (asked?.model.theme !== model.theme) dialog.setTheme(model.theme);
      return new Promise((resolve) => {
        asked = { model, attempt: (asked?.attempt ?? 0) + 1, answer: resolve };
        answered = false;
        signal.addEventListener('abort', () => resolve('cancel'), { once: true });
        flushSync(dialog.draw);
      });
    },
    setTheme: dialog.setTheme,
    close() {
      answered = true;
      dialog.close();
    },
  };
}

/** Draws what a request waits for until the returned function is called. */
export function openWaitingScreen(model: WaitingModel, onCancel: () => void): () => void {
  const dialog = openDialog('latchkey-waiting', onCancel, (layer) => (
    <WaitingDialog {...layer} model={model} onCancel={onCancel} />
  ));
  dialog.setTheme(model.theme);
  flushSync(dialog.draw);
  return dialog.close;
}

/** A layer with what `render` makes of it, at each `draw` and while it closes. */
function openDialog(
  name: string,
  onForced: () => void,
  render: (layer: Pick<LayerDialogProps, 'open' | 'container' | 'onClosed'>) => ReactNode,
) {
  const layer = openLayer({ name, css: [confirmCss], onForced });
  const root = createRoot(layer.tree);
  let open = true;
  const remove = (): void => {
    root.unmount();
    layer.remove();
  };
  const draw = (): void => root.render(render({ open, container: layer.container, onClosed: remove }));
  return {
    setTheme: layer.setTheme,
    draw,
    close(): void {
      open = false;
      flushSync(draw);
      layer.release(remove);
    },
  };
}
