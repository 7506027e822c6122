/**
 * The page's side of the embedded transaction button: its frame, where the frame lies, and what the two say to each other.
 * The frame's document is the page's own: it has the page's origin and its Content-Security-Policy.
 */
import { LatchkeyError } from '../errors/button.js';
import { frameHtml } from './frame-html.js';
import {
  BUTTON_MARGIN,
  clipPath,
  fittingPosition,
  frameLayout,
  type Size,
  type TooltipPlace,
  UNION_MARGIN,
  union,
} from './geometry.js';
import {
  type ButtonGeometry,
  type ButtonStyle,
  type ButtonTransactions,
  readByPage,
  type ToButton,
} from './messages.js';
import { FRAME_TAG } from './names.js';

/** How long the frame may take to say what it shows. */
const DIGEST_TIMEOUT_MS = 3_000;
/** Above what the page lays next to the button, and below the wallet's own frame. */
const OPEN_Z_INDEX = '2147483000';

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
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.allow = 'publickey-credentials-get; publickey-credentials-create; clipboard-write';
  frame.title = 'Transaction button';
  // A frame whose colour scheme differs from its document's is opaque. The document declares none, which means light.
  frame.style.cssText = 'position:absolute;border:0;max-width:none;max-height:none;color-scheme:light';
  // A page scrolls to all of a frame, whatever its clip path: while the tooltip is closed, its room is cut off here.
  const room = document.createElement('div');
  room.style.cssText = `position:absolute;inset:${-BUTTON_MARGIN}px`;
  room.append(frame);

  let look = first;
  let place = first.tooltip;
  let layout = frameLayout(first.size, place);
  let geometry: ButtonGeometry | undefined;
  let transactions: ButtonTransactions | undefined;
  let isLoading = false;
  let isReady = false;
  let isDefined = false;
  let digest: { readonly requestId: string; settle(outcome: string | LatchkeyError): void } | undefined;
  let asked = 0;

  const send = (message: ToButton): void => frame.contentWindow?.postMessage(message, self.origin);

  function init(): void {
    const { size, backgroundColor } = look;
    send({
      type: 'HS1_INIT',
      payload: {
        size,
        tooltip: place,
        buttonPosition: layout.buttonPosition,
        backgroundColor,
        tagName: FRAME_TAG,
        targetOrigin: self.origin,
      },
    });
  }

  function dress(): void {
    const { size, tooltip, backgroundColor, ...style } = look;
    send({
      type: 'SET_STYLE',
      payload: { buttonSizing: size, tooltipPosition: place, ...style },
    });
  }

  /** Lays the frame such that its button covers the container. */
  function lay(): void {
    const { width, height, buttonPosition } = layout;
    container.style.width = `${look.size.width}px`;
    container.style.height = `${look.size.height}px`;
    Object.assign(frame.style, {
      width: `${width}px`,
      height: `${height}px`,
      left: `${BUTTON_MARGIN - buttonPosition.x}px`,
      top: `${BUTTON_MARGIN - buttonPosition.y}px`,
    });
    clip();
  }

  function clip(): void {
    const button = { ...layout.buttonPosition, ...look.size };
    const open = geometry?.visible ? geometry : undefined;
    const shown = open ? union(open.button, open.tooltip) : button;
    frame.style.clipPath = clipPath(layout, shown, open ? UNION_MARGIN : BUTTON_MARGIN);
    frame.style.zIndex = open ? OPEN_Z_INDEX : 'auto';
    room.style.overflow = open ? 'visible' : 'clip';
  }

  /** Chooses a side with room before the tooltip opens; an open one stays where it is. */
  function fit(): void {
    if (geometry?.visible) return;
    const { x, y } = container.getBoundingClientRect();
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    const position = fittingPosition({ x, y, ...look.size }, look.tooltip, view);
    if (position === place.position) return;
    place = { ...look.tooltip, position };
    relay();
  }

  function relay(): void {
    layout = frameLayout(look.size, place);
    lay();
    if (isReady) init();
    if (isDefined) dress();
  }

  function setGeometry(measured: ButtonGeometry): void {
    geometry = measured;
    clip();
    fit();
  }

  addEventListener(
    'message',
    (event) => {
      const message = readByPage(event, { source: frame.contentWindow, origin: self.origin });
      if (!message) return;
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
          setGeometry(message.payload);
          break;
        case 'BUTTON_HOVER':
          onHover(message.payload.hovering);
          break;
        case 'BUTTON_FOCUS':
          onFocus(message.payload.focused);
          break;
        case 'UI_INTENT_DIGEST': {
          const { ok, digest: found, error, requestId } = message.payload;
          if (!digest || requestId !== digest.requestId) break;
          digest.settle(
            ok && found !== undefined
              ? found
              : new LatchkeyError('UI_DIGEST_FAILED', {
                  cause: error === undefined ? error : new Error(error),
                }),
          );
          break;
        }
        case 'CONFIRM':
          if (isLoading) break;
          if (hadClick()) onConfirm();
          else {
            onError(new LatchkeyError('BUTTON_CLICK_REQUIRED'));
            send({ type: 'SET_LOADING', payload: { loading: false } });
          }
          break;
        case 'IFRAME_ERROR':
        case 'IFRAME_UNHANDLED_REJECTION':
          onError(new LatchkeyError('BUTTON_FAILED', { values: { reason: message.payload.message } }));
      }
    },
    { signal },
  );

  /** Whether the user just acted in the frame, where its browser tells. */
  function hadClick(): boolean {
    return frame.contentWindow?.navigator.userActivation?.isActive ?? true;
  }

  // The frame sees no event of the page around it.
  const close = (): void => {
    if (geometry?.visible) send({ type: 'SET_TOOLTIP_VISIBILITY', payload: { visible: false } });
  };
  document.addEventListener('pointerdown', close, { capture: true, signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { capture: true, signal });
  /** Whether the window became too narrow for the open tooltip. */
  const isOpenBeyondView = (): boolean => {
    if (!geometry?.visible) return false;
    const { left } = frame.getBoundingClientRect();
    const { x, width } = union(geometry.button, geometry.tooltip);
    return left + x < 0 || left + x + width > document.documentElement.clientWidth;
  };
  /** Closes without waiting for the frame, which may open again on another side. */
  const shut = (): void => {
    close();
    if (geometry) setGeometry({ ...geometry, visible: false });
  };
  const fitSoon = (): void => {
    requestAnimationFrame(() => !signal.aborted && fit());
  };
  addEventListener('scroll', fitSoon, { capture: true, passive: true, signal });
  addEventListener('resize', () => (isOpenBeyondView() ? shut() : fitSoon()), { passive: true, signal });

  if (getComputedStyle(container).position === 'static') container.style.position = 'relative';
  lay();
  frame.srcdoc = frameHtml(sdkBasePath);
  container.append(room);
  fit();

  return {
    element: frame,
    get geometry() {
      return geometry;
    },
    setLook(next) {
      if (JSON.stringify(next) === JSON.stringify(look)) return;
      look = next;
      place = { ...next.tooltip, position: geometry?.visible ? place.position : next.tooltip.position };
      fit();
      relay();
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
    uiDigest() {
      digest?.settle(new LatchkeyError('UI_DIGEST_SUPERSEDED'));
      if (!isDefined) return Promise.reject(new LatchkeyError('BUTTON_NOT_READY'));
      asked += 1;
      const requestId = `${Date.now()}-${asked}`;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(new LatchkeyError('UI_DIGEST_TIMEOUT')), DIGEST_TIMEOUT_MS);
        const settle = (outcome: string | LatchkeyError): void => {
          clearTimeout(timer);
          if (digest?.requestId === requestId) digest = undefined;
          if (typeof outcome === 'string') resolve(outcome);
          else reject(outcome);
        };
        digest = { requestId, settle };
        send({ type: 'REQUEST_UI_DIGEST', payload: { requestId } });
      });
    },
    remove() {
      ending.abort();
      digest?.settle(new LatchkeyError('BUTTON_NOT_READY'));
      room.remove();
    },
  };
}
