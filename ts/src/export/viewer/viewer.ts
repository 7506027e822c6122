/** The viewer's behaviour: warns, requests the key on a click, holds it hidden, and wipes it. */

import { guardClicks } from '../../confirm/guard.js';
import type { ClosedBy, FromViewer, KeyDelivery, ToViewer, ViewerModel } from '../contract.js';
import type { ViewerLook } from '../viewer-texts.js';
import { copyText } from './copy.js';
import { HeldKey } from './held-key.js';
import { drawViewer } from './view.js';

/** The user's time to decide, as in every confirmation. */
export const DECIDE_LIMIT_MS = 5 * 60_000;
/** How long the viewer holds the key. */
export const HOLD_LIMIT_MS = 3 * 60_000;
export const CLIPBOARD_LIMIT_MS = 30_000;

export function startViewer(model: ViewerModel, look: ViewerLook, page: MessagePort): void {
  const { texts } = look;
  const key = new HeldKey();
  let isClosed = false;
  let isWaiting = false;
  let limit = setTimeout(() => close('timeout'), DECIDE_LIMIT_MS);

  const tell = (message: FromViewer): void => page.postMessage(message);

  const view = drawViewer(model, look, {
    onContinue: () => {
      if (isWaiting || key.isHeld || !guard.isArmed) return;
      isWaiting = true;
      view.wait();
      tell({ type: 'KEY_REQUESTED' });
    },
    onShow: () => {
      if (key.isHeld) view.reveal(key.text());
    },
    onHide: () => view.hide(),
    onCopy: () => {
      if (!key.isHeld) return;
      // The viewer may close, or be removed, before the browser confirms the copy.
      tell({ type: 'COPYING', clearAfterMs: CLIPBOARD_LIMIT_MS });
      copyText(key.text()).then(
        () => {
          tell({ type: 'COPIED', clearAfterMs: CLIPBOARD_LIMIT_MS });
          view.say(texts.copied.replace('{seconds}', String(CLIPBOARD_LIMIT_MS / 1000)));
        },
        () => {
          tell({ type: 'NOT_COPIED' });
          view.say(texts.notCopied);
        },
      );
    },
    onClose: () => close(key.isHeld ? 'done' : 'cancel'),
  });

  // The wallet always frames this document; the guard needs to know whether the wallet itself is framed.
  const guard = guardClicks(view.dialog, {
    isFramed: parent !== top,
    onChange: view.seen,
    // Done ends the viewer and shows nothing, so it works the moment that the user wants it.
    isFree: (target) => key.isHeld && target === view.leave,
  });

  function take(event: MessageEvent<Partial<KeyDelivery> | null>): void {
    if (!isWaiting || isClosed || !key.take(event.data?.privateKey)) return;
    isWaiting = false;
    clearTimeout(limit);
    limit = setTimeout(() => close('timeout'), HOLD_LIMIT_MS);
    view.ready();
    // The user has not seen the dialog as it is now.
    guard.restart();
    tell({ type: 'KEY_RECEIVED' });
  }

  function close(by: ClosedBy): void {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(limit);
    guard.close();
    key.wipe();
    view.hide();
    tell({ type: 'WALLET_UI_CLOSED', by });
  }

  page.onmessage = ({ data, ports: [port] }: MessageEvent<ToViewer>) => {
    switch (data.type) {
      case 'KEY_PORT':
        // Accepts a port only while a request is pending.
        if (port && isWaiting) port.onmessage = take;
        return;
      case 'FAILED':
        isWaiting = false;
        view.warnAgain(data.message);
        return;
      case 'CLIPBOARD':
        view.say(data.isCleared ? texts.cleared : texts.notCleared);
        return;
    }
  };

  addEventListener('pagehide', () => close(key.isHeld ? 'done' : 'cancel'));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') view.hide();
  });
  tell({ type: 'WALLET_UI_OPENED' });
}
