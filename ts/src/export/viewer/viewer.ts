/** The viewer's behaviour: warns, requests the key on a click, holds it hidden, and wipes it. */

import { guardClicks } from '../../confirm/guard.js';
import type { KeyDelivery, ViewerModel } from '../contract.js';
import type { ViewerLook } from '../viewer-texts.js';
import { copyText } from './copy.js';
import { HeldKey } from './held-key.js';
import { DECIDE_LIMIT_MS, startSession } from './session.js';
import { drawViewer } from './view.js';

/** How long the viewer holds the key. */
export const HOLD_LIMIT_MS = 3 * 60_000;
export const CLIPBOARD_LIMIT_MS = 30_000;

export function startViewer(model: ViewerModel, look: ViewerLook, page: MessagePort): void {
  const { texts } = look;
  const key = new HeldKey();
  const doneOrCancel = () => (key.isHeld ? 'done' : 'cancel');
  const session = startSession(page, {
    limitMs: DECIDE_LIMIT_MS,
    onPort: (port) => {
      port.onmessage = take;
    },
    onFailed: (message) => view.warnAgain(message),
    onClipboard: (isCleared) => view.say(isCleared ? texts.cleared : texts.notCleared),
    onClose: () => {
      guard.close();
      key.wipe();
      view.hide();
    },
    leftBy: doneOrCancel,
  });

  const view = drawViewer(model, look, {
    onContinue: () => {
      if (key.isHeld || !guard.isArmed || !session.request()) return;
      view.wait();
    },
    onShow: () => {
      if (key.isHeld) view.reveal(key.text());
    },
    onHide: () => view.hide(),
    onCopy: () => {
      if (!key.isHeld) return;
      // The viewer may close, or be removed, before the browser confirms the copy.
      session.tell({ type: 'COPYING', clearAfterMs: CLIPBOARD_LIMIT_MS });
      copyText(key.text()).then(
        () => {
          session.tell({ type: 'COPIED', clearAfterMs: CLIPBOARD_LIMIT_MS });
          view.say(texts.copied.replace('{seconds}', String(CLIPBOARD_LIMIT_MS / 1000)));
        },
        () => {
          session.tell({ type: 'NOT_COPIED' });
          view.say(texts.notCopied);
        },
      );
    },
    onClose: () => session.close(doneOrCancel()),
  });

  // The wallet always frames this document; the guard needs to know whether the wallet itself is framed.
  const guard = guardClicks(view.dialog, {
    isFramed: parent !== top,
    onChange: view.seen,
    // Done ends the viewer and shows nothing, so it works the moment that the user wants it.
    isFree: (target) => key.isHeld && target === view.leave,
  });

  function take(event: MessageEvent<Partial<KeyDelivery> | null>): void {
    if (!session.isWaiting || !key.take(event.data?.privateKey)) return;
    session.hold(HOLD_LIMIT_MS);
    view.ready();
    // The user has not seen the dialog as it is now.
    guard.restart();
    session.tell({ type: 'KEY_RECEIVED' });
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') view.hide();
  });
  session.tell({ type: 'WALLET_UI_OPENED' });
}
