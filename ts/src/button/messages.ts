/**
 * The messages between a page and the frame of its embedded transaction button (interop, section 9). Both are of one
 * origin; each end takes a message only from the other's window, of that origin, and of its shape.
 *
 * 1. frame → page: READY; page → frame: HS1_INIT
 * 2. frame → page: HS2_POSITIONED, the button lies where it was told to
 * 3. page → frame: HS3_GEOMETRY_REQUEST
 * 4. the frame measures itself
 * 5. frame → page: HS5_GEOMETRY_RESULT
 *
 * ETX_DEFINED says that the element exists; the page answers with SET_TX_DATA, SET_LOADING and SET_STYLE.
 */
import * as v from 'valibot';
import {
  accountId,
  exact,
  flag,
  NAME,
  oneOf,
  only,
  optional,
  requestId,
  type Schema,
  sentence,
  text,
  theme,
} from '../frame/protocol/schemas.js';
import { transactionRequests } from '../frame/protocol/transactions.js';
import type { Theme, TransactionRequest } from '../types.js';
import { type Point, type Rect, type Size, TOOLTIP_POSITIONS, type TooltipPlace } from './geometry.js';
import { FRAME_TAG } from './names.js';

/**
 * How a finger confirms. `tap`: a tap opens the tooltip, the next one confirms. `press`: the tooltip opens while the finger
 * rests on the button, and lifting it there confirms. A mouse and a keyboard confirm by a click in both.
 */
export type ActivationMode = 'tap' | 'press';

export interface ButtonInit {
  readonly size: Size;
  readonly tooltip: TooltipPlace;
  /** Where the button lies in the frame. */
  readonly buttonPosition: Point;
  /** A CSS colour, painted behind the button. */
  readonly backgroundColor: string;
  readonly tagName: typeof FRAME_TAG;
  /** The page's origin, to which the frame sends. */
  readonly targetOrigin?: string;
}

export interface ButtonStyle {
  /** Where it is absent, the button keeps the size of HS1_INIT. */
  readonly buttonSizing?: Size | undefined;
  readonly tooltipPosition: TooltipPlace;
  /** Where it is absent, the operating system's preference counts. */
  readonly theme?: Theme | undefined;
  /** Default `tap`. */
  readonly activationMode?: ActivationMode | undefined;
  /** The words on the button; at most 80 characters. */
  readonly label?: string | undefined;
  /** The other texts, by their names in the frame; English where one is absent. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /** CSS over the design tokens: the page's brand. At most 200 000 characters. */
  readonly css?: string | undefined;
}

/** What the button is about. The transactions are complete in every field: the tooltip shows and hashes them. */
export interface ButtonTransactions {
  readonly nearAccountId: string;
  readonly txSigningRequests: readonly TransactionRequest[];
}

/** What the element measured of itself, in pixels of the frame. */
export interface ButtonGeometry {
  readonly button: Rect;
  readonly tooltip: Rect;
  readonly visible: boolean;
}

/** Of what was drawn at the last click that counted; before any, of what is drawn now. */
export interface UiDigest {
  readonly ok: boolean;
  /** base64url of 32 bytes, no padding. */
  readonly digest?: string;
  readonly error?: string;
  readonly requestId?: string;
}

interface None {
  readonly payload?: undefined;
}
interface With<P> {
  readonly payload: P;
}

/** From the page to the frame. */
export type ToButton =
  | ({ readonly type: 'HS1_INIT' } & With<ButtonInit>)
  | ({ readonly type: 'HS3_GEOMETRY_REQUEST' } & None)
  | ({ readonly type: 'SET_TX_DATA' } & With<ButtonTransactions>)
  | ({ readonly type: 'SET_LOADING' } & With<{ readonly loading: boolean }>)
  | ({ readonly type: 'SET_STYLE' } & With<ButtonStyle>)
  | ({ readonly type: 'SET_TOOLTIP_VISIBILITY' } & With<{ readonly visible: boolean }>)
  | ({ readonly type: 'REQUEST_UI_DIGEST' } & With<{ readonly requestId?: string }>);

/** From the frame to the page. */
export type FromButton =
  | ({ readonly type: 'READY' } & None)
  | ({ readonly type: 'ETX_DEFINED' } & None)
  | ({ readonly type: 'HS2_POSITIONED' } & With<Point>)
  | ({ readonly type: 'HS5_GEOMETRY_RESULT' } & With<ButtonGeometry>)
  | ({ readonly type: 'TOOLTIP_STATE' } & With<ButtonGeometry>)
  | ({ readonly type: 'BUTTON_HOVER' } & With<{ readonly hovering: boolean }>)
  | ({ readonly type: 'BUTTON_FOCUS' } & With<{ readonly focused: boolean }>)
  | ({ readonly type: 'UI_INTENT_DIGEST' } & With<UiDigest>)
  | ({ readonly type: 'CONFIRM' } & None)
  | ({ readonly type: 'IFRAME_ERROR' } & With<{ readonly message: string }>)
  | ({ readonly type: 'IFRAME_UNHANDLED_REJECTION' } & With<{ readonly message: string }>);

/** Larger than any screen. */
const MOST_PX = 10_000;
const MAX_LABEL = 80;
const MAX_TEXT = 400;
/** Holds a picture as data. */
const MAX_CSS = 200_000;

const pixels: Schema<number> = v.pipe(
  v.number(),
  v.finite(),
  v.check((px) => Math.abs(px) <= MOST_PX, `more than ${MOST_PX} pixels`),
);
const length: Schema<number> = v.pipe(pixels, v.minValue(0));
const size = only<Size>({ width: length, height: length });
const point = only<Point>({ x: pixels, y: pixels });
const rect = only<Rect>({ x: pixels, y: pixels, width: length, height: length });
const place = only<TooltipPlace>({
  width: length,
  height: length,
  position: oneOf(...TOOLTIP_POSITIONS),
  offset: length,
});
const geometry = only<ButtonGeometry>({ button: rect, tooltip: rect, visible: flag });
const failure = only<{ readonly message: string }>({ message: sentence });

const none = { payload: v.optional(v.undefined()) };
const message = <T extends string>(type: T, entries: v.ObjectEntries) =>
  v.object({ type: v.literal(type), ...entries });

const toButton = v.variant('type', [
  message('HS1_INIT', {
    payload: exact<ButtonInit>({
      size,
      tooltip: place,
      buttonPosition: point,
      backgroundColor: text(NAME),
      tagName: oneOf(FRAME_TAG),
      targetOrigin: optional(text(NAME)),
    }),
  }),
  message('HS3_GEOMETRY_REQUEST', none),
  message('SET_TX_DATA', {
    payload: exact<ButtonTransactions>({
      nearAccountId: accountId,
      txSigningRequests: transactionRequests,
    }),
  }),
  message('SET_LOADING', { payload: exact<{ readonly loading: boolean }>({ loading: flag }) }),
  message('SET_STYLE', {
    payload: exact<ButtonStyle>({
      buttonSizing: optional(size),
      tooltipPosition: place,
      theme: optional(theme),
      activationMode: optional(oneOf('tap', 'press')),
      label: optional(text(MAX_LABEL)),
      texts: optional(v.record(v.pipe(v.string(), v.maxLength(MAX_LABEL)), text(MAX_TEXT))),
      css: optional(v.pipe(v.string(), v.maxLength(MAX_CSS))),
    }),
  }),
  message('SET_TOOLTIP_VISIBILITY', { payload: exact<{ readonly visible: boolean }>({ visible: flag }) }),
  message('REQUEST_UI_DIGEST', {
    payload: exact<{ readonly requestId?: string }>({ requestId: optional(requestId) }),
  }),
]) as unknown as Schema<ToButton>;

const fromButton = v.variant('type', [
  message('READY', none),
  message('ETX_DEFINED', none),
  message('HS2_POSITIONED', { payload: point }),
  message('HS5_GEOMETRY_RESULT', { payload: geometry }),
  message('TOOLTIP_STATE', { payload: geometry }),
  message('BUTTON_HOVER', { payload: only<{ readonly hovering: boolean }>({ hovering: flag }) }),
  message('BUTTON_FOCUS', { payload: only<{ readonly focused: boolean }>({ focused: flag }) }),
  message('UI_INTENT_DIGEST', {
    payload: only<UiDigest>({
      ok: flag,
      digest: optional(v.pipe(v.string(), v.regex(/^[\w-]{43}$/))),
      error: optional(sentence),
      requestId: optional(requestId),
    }),
  }),
  message('CONFIRM', none),
  message('IFRAME_ERROR', { payload: failure }),
  message('IFRAME_UNHANDLED_REJECTION', { payload: failure }),
]) as unknown as Schema<FromButton>;

/** The window and origin at the other end. */
export interface OtherEnd {
  readonly source: MessageEventSource | null;
  readonly origin: string;
}

/** Returns the page's message if it is from exactly this window and origin, and of its shape; else undefined. */
export function readByButton(event: MessageEvent<unknown>, page: OtherEnd): ToButton | undefined {
  return readFrom(toButton, event, page);
}

/** Returns the frame's message if it is from exactly this window and origin, and of its shape; else undefined. */
export function readByPage(event: MessageEvent<unknown>, frame: OtherEnd): FromButton | undefined {
  return readFrom(fromButton, event, frame);
}

function readFrom<T>(
  schema: Schema<T>,
  { source, origin, data }: MessageEvent<unknown>,
  from: OtherEnd,
): T | undefined {
  if (from.source === null || source !== from.source || origin !== from.origin) return undefined;
  const { success, output } = v.safeParse(schema, data, { abortEarly: true });
  return success ? output : undefined;
}
