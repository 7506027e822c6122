import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ConfirmModel, Decision, WaitingModel } from 'latchkey';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { openLayer } from '../surface/layer.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { confirmCss } from './styles.js';
import { WaitingDialog } from './waiting-dialog.js';

/** Draws one flow's confirmations, from its first question to its end. */
export interface ConfirmSurface {
  /** Draws the model and resolves with the decision; 'cancel' when the signal aborts first. */
  ask(model: ConfirmModel, signal: AbortSignal): Promise<Decision>;
  /** Returns page and focus immediately, and removes the surface after its closing animation. */
  close(): void;
}

/** Opens a surface in the browser's top layer, above the whole page; `notice` is at the foot of each question. */
export function openSurface(notice?: string): ConfirmSurface {
  const layer = openLayer({
    name: 'latchkey-confirm',
    css: [confirmCss],
    onForced: () => decide('cancel'),
  });
  const root = createRoot(layer.tree);
  let asked: { model: ConfirmModel; attempt: number; answer: (decision: Decision) => void } | undefined;
  let answered = false;
  let open = true;

  function draw() {
    if (!asked) return;
    layer.setTheme(asked.model.theme);
    root.render(
      <CSPProvider disableStyleElements>
        <ConfirmDialog
          model={asked.model}
          attempt={asked.attempt}
          answered={answered}
          open={open}
          notice={notice}
          container={layer.container}
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
    root.unmount();
    layer.remove();
  }

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
      layer.release(remove);
    },
  };
}

/** Draws what a request waits for until the returned function is called. */
export function openWaiting(model: WaitingModel, onCancel: () => void): () => void {
  const layer = openLayer({ name: 'latchkey-waiting', css: [confirmCss], onForced: onCancel });
  layer.setTheme(model.theme);
  const root = createRoot(layer.tree);
  const remove = (): void => {
    root.unmount();
    layer.remove();
  };
  const draw = (open: boolean): void =>
    root.render(
      <CSPProvider disableStyleElements>
        <WaitingDialog
          model={model}
          open={open}
          container={layer.container}
          onCancel={onCancel}
          onClosed={remove}
        />
      </CSPProvider>,
    );
  flushSync(() => draw(true));
  return () => {
    flushSync(() => draw(false));
    layer.release(remove);
  };
}
