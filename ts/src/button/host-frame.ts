/**
 * The page's side of the embedded transaction button: its frame, and what the two say to each other.
 * The frame's document is the page's own: it has the page's origin and its Content-Security-Policy.
 */
import { BUTTON_CLICK_REQUIRED, BUTTON_FAILED, BUTTON_NOT_READY, LatchkeyError } from '../errors/frame.js';
import { DigestQuestion } from './digest-question.js';
import { frameHtml } from './frame-html.js';
import { FramePlace } from './frame-place.js';
import type { Size, TooltipPlace } from './geometry.js';
import {
  type ButtonGeometry,
  type ButtonStyle,
  type ButtonTransactions,
  type FromButton,
  readByPage,
  type ToButton,
} from './messages.js';
import { FRAME_TAG } from './names.js';

export interface HostFrameOptions {
  /** The page's element that gets the button's size and holds its frame. */
  readonly container: HTMLElement;
  /** Where the two scripts are, without a slash at the end. */
  readonly sdkBasePath: string;
  readonly onHover: (hovering: boolean) => void;
  readonly onFocus: (focused: boolean) => void;
  /** The user clicked, by what the frame says and what its browser says of that click. */
  readonly onConfirm: () => void;
  /** Something failed in the frame, or it sent a confirmation that no click led to. */
  readonly onError: (error: LatchkeyError) => void;
}

export interface Look extends Omit<ButtonStyle, 'buttonSizing' | 'tooltipPosition'> {
  readonly size: Size;
  readonly tooltip: TooltipPlace;
  /** A CSS colour. */
  readonly backgroundColor: string;
}

export interface HostFrame {
  readonly element: HTMLIFrameElement;
  /** What the element last measured of itself. */
  readonly geometry: ButtonGeometry | undefined;
  setLook(look: Look): void;
  setTransactions(transactions: ButtonTransactions): void;
  setLoading(loading: boolean): void;
  setTooltipVisibility(visible: boolean): void;
  /**
   * Asks the frame for the digest of what it showed at the click. Rejects with BUTTON_NOT_READY, UI_DIGEST_FAILED,
   * UI_DIGEST_TIMEOUT after 3 seconds, or UI_DIGEST_SUPERSEDED when it is asked again.
   */
  uiDigest(): Promise<string>;
  remove(): void;
}

export function mountHostFrame(options: HostFrameOptions, first: Look): HostFrame {
  const { container, sdkBasePath, onHover, onFocus, onConfirm, onError } = options;
  const ending = new AbortController();
  const { signal } = ending;
  let look = first;
  let transactions: ButtonTransactions | undefined;
  let isLoading = false;
  /** The frame's script runs. */
  let isReady = false;
  /** Its element exists. */
  let isDefined = false;

  const place = new FramePlace(container, look, () => {
    if (isReady) init();
    if (isDefined) dress();
  });
  const { frame } = place;
  const send = (message: ToButton): void => frame.contentWindow?.postMessage(message, self.origin);
  const digest = new DigestQuestion((requestId) =>
    send({ type: 'REQUEST_UI_DIGEST', payload: { requestId } }),
  );

  function init(): void {
    const { size, backgroundColor } = look;
    const { tooltip, buttonPosition } = place;
    send({
      type: 'HS1_INIT',
      payload: {
        size,
        tooltip,
        buttonPosition,
        backgroundColor,
        tagName: FRAME_TAG,
        targetOrigin: self.origin,
      },
    });
  }

  function dress(): void {
    const { size, tooltip, backgroundColor, ...style } = look;
    send({ type: 'SET_STYLE', payload: { buttonSizing: size, tooltipPosition: place.tooltip, ...style } });
  }

  function onMessage(message: FromButton): void {
    switch (message.type) {
      case 'READY':
        isReady = true;
        init();
        break;
      case 'ETX_DEFINED':
        isDefined = true;
        dress();
        if (transactions) send({ type: 'SET_TX_DATA', payload: transactions });
        send({ type: 'SET_LOADING', payload: { loading: isLoading } });
        break;
      case 'HS2_POSITIONED':
        send({ type: 'HS3_GEOMETRY_REQUEST' });
        break;
      case 'HS5_GEOMETRY_RESULT':
      case 'TOOLTIP_STATE':
        place.setGeometry(message.payload);
        break;
      case 'BUTTON_HOVER':
        onHover(message.payload.hovering);
        break;
      case 'BUTTON_FOCUS':
        onFocus(message.payload.focused);
        break;
      case 'UI_INTENT_DIGEST':
        digest.answer(message.payload);
        break;
      case 'CONFIRM':
        if (!isLoading) confirm();
        break;
      case 'IFRAME_ERROR':
      case 'IFRAME_UNHANDLED_REJECTION':
        onError(new LatchkeyError(BUTTON_FAILED, { values: { reason: message.payload.message } }));
    }
  }

  function confirm(): void {
    // Whether the user just acted in the frame, where its browser tells.
    const hadClick = frame.contentWindow?.navigator.userActivation?.isActive ?? true;
    if (hadClick) onConfirm();
    else {
      onError(new LatchkeyError(BUTTON_CLICK_REQUIRED));
      send({ type: 'SET_LOADING', payload: { loading: false } });
    }
  }

  addEventListener(
    'message',
    (event) => {
      const message = readByPage(event, { source: frame.contentWindow, origin: self.origin });
      if (message) onMessage(message);
    },
    { signal },
  );
  // The frame sees no event of the page around it.
  const close = (): void => {
    if (place.geometry?.visible) send({ type: 'SET_TOOLTIP_VISIBILITY', payload: { visible: false } });
  };
  document.addEventListener('pointerdown', close, { capture: true, signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { capture: true, signal });
  place.follow(close, signal);
  place.mount(frameHtml(sdkBasePath));

  return {
    element: frame,
    get geometry() {
      return place.geometry;
    },
    setLook(next) {
      if (JSON.stringify(next) === JSON.stringify(look)) return;
      look = next;
      place.setWanted(next);
    },
    setTransactions(next) {
      transactions = next;
      if (isDefined) send({ type: 'SET_TX_DATA', payload: next });
    },
    setLoading(loading) {
      isLoading = loading;
      if (isDefined) send({ type: 'SET_LOADING', payload: { loading } });
    },
    setTooltipVisibility(visible) {
      if (isDefined) send({ type: 'SET_TOOLTIP_VISIBILITY', payload: { visible } });
    },
    uiDigest: () => (isDefined ? digest.ask() : Promise.reject(new LatchkeyError(BUTTON_NOT_READY))),
    remove() {
      ending.abort();
      digest.end(new LatchkeyError(BUTTON_NOT_READY));
      place.remove();
    },
  };
}
