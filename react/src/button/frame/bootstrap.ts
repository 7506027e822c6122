/**
 * The first script of the button's frame: it speaks with the page. The second one defines the element; this one makes it
 * as soon as it is defined, and passes on what the page says and what the element reports.
 */
import { type ButtonInit, FRAME_TAG, type FromButton, readByButton, type ToButton } from 'latchkey/internal';
import type { ButtonElement } from './element.js';

const page = window.parent;
/** In a srcdoc document `location.origin` is not the page's. */
const pageOrigin = self.origin;
let button: ButtonElement | undefined;
let init: ButtonInit | undefined;

const tell = (message: FromButton): void => page.postMessage(message, pageOrigin);

/** An error that the page made is no instance of this window's Error. */
function textOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
    ? String(thrown.message)
    : String(thrown);
}

function place(): void {
  if (button && init) tell({ type: 'HS2_POSITIONED', payload: button.place(init) });
}

function take(message: ToButton): void {
  switch (message.type) {
    case 'HS1_INIT':
      // The frame speaks with its own origin alone.
      if (message.payload.targetOrigin !== undefined && message.payload.targetOrigin !== pageOrigin) return;
      init = message.payload;
      place();
      return;
    case 'HS3_GEOMETRY_REQUEST':
      if (button) tell({ type: 'HS5_GEOMETRY_RESULT', payload: button.measure() });
      return;
    case 'SET_TX_DATA':
      button?.show(message.payload);
      return;
    case 'SET_LOADING':
      button?.setLoading(message.payload.loading);
      return;
    case 'SET_STYLE':
      button?.dress(message.payload);
      return;
    case 'SET_TOOLTIP_VISIBILITY':
      button?.setVisible(message.payload.visible);
      return;
    case 'REQUEST_UI_DIGEST':
      void tellDigest(message.payload.requestId);
  }
}

async function tellDigest(requestId: string | undefined): Promise<void> {
  const asked = requestId === undefined ? {} : { requestId };
  try {
    if (!button) throw new Error('The button is not drawn yet');
    tell({ type: 'UI_INTENT_DIGEST', payload: { ok: true, digest: await button.digest(), ...asked } });
  } catch (error) {
    tell({ type: 'UI_INTENT_DIGEST', payload: { ok: false, error: textOf(error), ...asked } });
  }
}

addEventListener(
  'error',
  (event) => {
    // A script that does not load gives an event without a message.
    const failed = event.target instanceof HTMLScriptElement ? `${event.target.src} did not load` : undefined;
    tell({ type: 'IFRAME_ERROR', payload: { message: failed ?? event.message } });
  },
  true,
);
addEventListener('unhandledrejection', ({ reason }) =>
  tell({ type: 'IFRAME_UNHANDLED_REJECTION', payload: { message: textOf(reason) } }),
);
addEventListener('message', (event) => {
  const message = readByButton(event, { source: page, origin: pageOrigin });
  if (!message) return;
  try {
    take(message);
  } catch (error) {
    tell({ type: 'IFRAME_ERROR', payload: { message: textOf(error) } });
  }
});

tell({ type: 'READY' });
customElements.whenDefined(FRAME_TAG).then(() => {
  button = document.createElement(FRAME_TAG) as ButtonElement;
  button.tell = tell;
  document.body.append(button);
  tell({ type: 'ETX_DEFINED' });
  place();
});
