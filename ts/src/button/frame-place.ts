/** Where the embedded transaction button's frame lies in the page: its button covers the container, its tooltip has room. */
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
import type { ButtonGeometry } from './messages.js';

/** Above what the page lays next to the button, and below the wallet's own frame. */
const OPEN_Z_INDEX = '2147483000';

export interface PlaceWanted {
  readonly size: Size;
  readonly tooltip: TooltipPlace;
}

export class FramePlace {
  readonly frame = document.createElement('iframe');
  readonly #container: HTMLElement;
  // A page scrolls to all of a frame, whatever its clip path: while the tooltip is closed, its room is cut off here.
  readonly #room = document.createElement('div');
  readonly #onLaid: () => void;
  #wanted: PlaceWanted;
  #tooltip: TooltipPlace;
  #layout: ReturnType<typeof frameLayout>;
  #geometry: ButtonGeometry | undefined;

  /** `onLaid` is called when frame and tooltip have got another place. */
  constructor(container: HTMLElement, wanted: PlaceWanted, onLaid: () => void) {
    this.#container = container;
    this.#onLaid = onLaid;
    this.#wanted = wanted;
    this.#tooltip = wanted.tooltip;
    this.#layout = frameLayout(wanted.size, wanted.tooltip);
    const { frame } = this;
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
    frame.allow = 'publickey-credentials-get; publickey-credentials-create; clipboard-write';
    frame.title = 'Transaction button';
    // A frame whose colour scheme differs from its document's is opaque. The document declares none, which means light.
    frame.style.cssText = 'position:absolute;border:0;max-width:none;max-height:none;color-scheme:light';
    this.#room.style.cssText = `position:absolute;inset:${-BUTTON_MARGIN}px`;
    this.#room.append(frame);
  }

  /** Where the tooltip opens: on the side that is wanted, or on one that has room. */
  get tooltip(): TooltipPlace {
    return this.#tooltip;
  }

  /** Where the button lies in the frame. */
  get buttonPosition(): ReturnType<typeof frameLayout>['buttonPosition'] {
    return this.#layout.buttonPosition;
  }

  /** What the element in the frame last measured of itself. */
  get geometry(): ButtonGeometry | undefined {
    return this.#geometry;
  }

  mount(html: string): void {
    const { style } = this.#container;
    if (getComputedStyle(this.#container).position === 'static') style.position = 'relative';
    this.#lay();
    this.frame.srcdoc = html;
    this.#container.append(this.#room);
    this.#fit();
  }

  setWanted(wanted: PlaceWanted): void {
    const { position } = this.#geometry?.visible ? this.#tooltip : wanted.tooltip;
    this.#wanted = wanted;
    this.#tooltip = { ...wanted.tooltip, position };
    this.#fit();
    this.#layAgain();
  }

  setGeometry(measured: ButtonGeometry): void {
    this.#geometry = measured;
    this.#clip();
    this.#fit();
  }

  /**
   * Keeps the tooltip in view while the page scrolls and the window changes its size, until the signal aborts. `close` tells
   * the frame to close a tooltip that no longer has room.
   */
  follow(close: () => void, signal: AbortSignal): void {
    const fitSoon = (): void => {
      requestAnimationFrame(() => !signal.aborted && this.#fit());
    };
    const onResize = (): void => {
      if (!this.#geometry || !this.#isOpenBeyondView()) fitSoon();
      else {
        close();
        // Without waiting for the frame, which may open again on another side.
        this.setGeometry({ ...this.#geometry, visible: false });
      }
    };
    addEventListener('scroll', fitSoon, { capture: true, passive: true, signal });
    addEventListener('resize', onResize, { passive: true, signal });
  }

  remove(): void {
    this.#room.remove();
  }

  #isOpenBeyondView(): boolean {
    if (!this.#geometry?.visible) return false;
    const { left } = this.frame.getBoundingClientRect();
    const { x, width } = union(this.#geometry.button, this.#geometry.tooltip);
    return left + x < 0 || left + x + width > document.documentElement.clientWidth;
  }

  /** Chooses a side with room before the tooltip opens; an open one stays where it is. */
  #fit(): void {
    if (this.#geometry?.visible) return;
    const { size, tooltip } = this.#wanted;
    const { x, y } = this.#container.getBoundingClientRect();
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    const position = fittingPosition({ x, y, ...size }, tooltip, view);
    if (position === this.#tooltip.position) return;
    this.#tooltip = { ...tooltip, position };
    this.#layAgain();
  }

  #layAgain(): void {
    this.#layout = frameLayout(this.#wanted.size, this.#tooltip);
    this.#lay();
    this.#onLaid();
  }

  /** Lays the frame such that its button covers the container. */
  #lay(): void {
    const { size } = this.#wanted;
    const { width, height, buttonPosition } = this.#layout;
    this.#container.style.width = `${size.width}px`;
    this.#container.style.height = `${size.height}px`;
    Object.assign(this.frame.style, {
      width: `${width}px`,
      height: `${height}px`,
      left: `${BUTTON_MARGIN - buttonPosition.x}px`,
      top: `${BUTTON_MARGIN - buttonPosition.y}px`,
    });
    this.#clip();
  }

  #clip(): void {
    const button = { ...this.#layout.buttonPosition, ...this.#wanted.size };
    const open = this.#geometry?.visible ? this.#geometry : undefined;
    const shown = open ? union(open.button, open.tooltip) : button;
    this.frame.style.clipPath = clipPath(this.#layout, shown, open ? UNION_MARGIN : BUTTON_MARGIN);
    this.frame.style.zIndex = open ? OPEN_Z_INDEX : 'auto';
    this.#room.style.overflow = open ? 'visible' : 'clip';
  }
}
