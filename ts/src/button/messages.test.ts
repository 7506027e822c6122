import { describe, expect, it } from 'vitest';
import type { TransactionRequest } from '../types.js';
import { BUTTON_SIZE, TOOLTIP } from './geometry.js';
import { type FromButton, readByButton, readByPage, type ToButton } from './messages.js';
import { FRAME_TAG } from './names.js';

const other = {} as Window;
const page = 'https://app.example';
const event = (data: unknown, { source = other, origin = page }: { source?: Window; origin?: string } = {}) =>
  ({ source, origin, data }) as unknown as MessageEvent<unknown>;
const byButton = (data: unknown) => readByButton(event(data), { source: other, origin: page });
const byPage = (data: unknown) => readByPage(event(data), { source: other, origin: page });

const rect = { x: 8, y: 314, width: 200, height: 48 };
const geometry = { button: rect, tooltip: { ...rect, y: 8 }, visible: true };
const init = {
  size: BUTTON_SIZE,
  tooltip: TOOLTIP,
  buttonPosition: { x: 8, y: 8 },
  backgroundColor: 'transparent',
  tagName: FRAME_TAG,
} as const;
const transfer: TransactionRequest = {
  receiverId: 'bob.testnet',
  actions: [{ type: 'Transfer', amount: '1' }],
};
const transactions = { nearAccountId: 'alice.testnet', txSigningRequests: [transfer] };

const TO_BUTTON: readonly ToButton[] = [
  { type: 'HS1_INIT', payload: init },
  { type: 'HS1_INIT', payload: { ...init, targetOrigin: page } },
  { type: 'HS3_GEOMETRY_REQUEST' },
  { type: 'SET_TX_DATA', payload: transactions },
  { type: 'SET_LOADING', payload: { loading: true } },
  { type: 'SET_STYLE', payload: { tooltipPosition: TOOLTIP } },
  {
    type: 'SET_STYLE',
    payload: {
      buttonSizing: BUTTON_SIZE,
      tooltipPosition: TOOLTIP,
      theme: 'light',
      activationMode: 'press',
      label: 'Pay',
      texts: { sum: 'Du sendest {amount}' },
      css: ':host { --lk-radius-m: 4px; }',
    },
  },
  { type: 'SET_TOOLTIP_VISIBILITY', payload: { visible: false } },
  { type: 'REQUEST_UI_DIGEST', payload: { requestId: '1763900000000-1' } },
];

const FROM_BUTTON: readonly FromButton[] = [
  { type: 'READY' },
  { type: 'ETX_DEFINED' },
  { type: 'HS2_POSITIONED', payload: { x: 8, y: 8 } },
  { type: 'HS5_GEOMETRY_RESULT', payload: geometry },
  { type: 'TOOLTIP_STATE', payload: { ...geometry, visible: false } },
  { type: 'BUTTON_HOVER', payload: { hovering: true } },
  { type: 'BUTTON_FOCUS', payload: { focused: false } },
  {
    type: 'UI_INTENT_DIGEST',
    payload: { ok: true, digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ', requestId: '1-1' },
  },
  { type: 'UI_INTENT_DIGEST', payload: { ok: false, error: 'No transactions' } },
  { type: 'CONFIRM' },
  { type: 'IFRAME_ERROR', payload: { message: 'lost' } },
  { type: 'IFRAME_UNHANDLED_REJECTION', payload: { message: 'lost' } },
];

describe("The messages to the button's frame (button 2, button 7)", () => {
  it.each(TO_BUTTON.map((message) => [message.type, message] as const))(
    'cross unchanged: %s',
    (_, message) => {
      expect(byButton(message)).toEqual(message);
    },
  );

  it.each([
    ['another window', { source: {} as Window }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
  ])('are ignored from %s', (_, from) => {
    for (const message of TO_BUTTON)
      expect(readByButton(event(message, from), { source: other, origin: page })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['a type that does not exist', { type: 'HS2_INIT', payload: init }],
    ['no object', 'HS3_GEOMETRY_REQUEST'],
    ['another element', { type: 'HS1_INIT', payload: { ...init, tagName: 'script' } }],
    [
      'an unknown position',
      { type: 'HS1_INIT', payload: { ...init, tooltip: { ...TOOLTIP, position: 'middle' } } },
    ],
    [
      'a size that is no number',
      { type: 'HS1_INIT', payload: { ...init, size: { width: '200', height: 48 } } },
    ],
    ['an endless size', { type: 'HS1_INIT', payload: { ...init, size: { width: 1e9, height: 48 } } }],
    ['an unknown field', { type: 'SET_LOADING', payload: { loading: true, html: '<b>' } }],
    [
      'an action that is not complete',
      {
        type: 'SET_TX_DATA',
        payload: {
          ...transactions,
          txSigningRequests: [
            { receiverId: 'a.testnet', actions: [{ type: 'FunctionCall', methodName: 'pay' }] },
          ],
        },
      },
    ],
    [
      'an unknown action',
      {
        type: 'SET_TX_DATA',
        payload: {
          ...transactions,
          txSigningRequests: [{ receiverId: 'a.testnet', actions: [{ type: 'Mint' }] }],
        },
      },
    ],
    [
      'an amount that is no number',
      {
        type: 'SET_TX_DATA',
        payload: {
          ...transactions,
          txSigningRequests: [{ receiverId: 'a.testnet', actions: [{ type: 'Transfer', amount: '1e24' }] }],
        },
      },
    ],
    [
      'an unknown activation',
      {
        type: 'SET_STYLE',
        payload: { tooltipPosition: TOOLTIP, activationMode: 'glance' },
      },
    ],
  ])('are ignored with %s', (_, message) => {
    expect(byButton(message)).toBeUndefined();
  });
});

describe("The messages of the button's frame (button 7)", () => {
  it.each(FROM_BUTTON.map((message) => [message.type, message] as const))(
    'cross unchanged: %s',
    (_, message) => {
      expect(byPage(message)).toEqual(message);
    },
  );

  it.each([
    ['another window', { source: {} as Window }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
  ])('are ignored from %s', (_, from) => {
    for (const message of FROM_BUTTON)
      expect(readByPage(event(message, from), { source: other, origin: page })).toBeUndefined();
  });

  it('are ignored while there is no frame', () => {
    const noFrame = { source: null, origin: page };
    expect(
      readByPage({ source: null, origin: page, data: { type: 'CONFIRM' } } as never, noFrame),
    ).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['a digest that is none', { type: 'UI_INTENT_DIGEST', payload: { ok: true, digest: 'abc' } }],
    ['a rectangle that is none', { type: 'HS5_GEOMETRY_RESULT', payload: { ...geometry, button: {} } }],
    ['a place that is no number', { type: 'HS2_POSITIONED', payload: { x: Number.NaN, y: 0 } }],
    ['a message of the page', { type: 'SET_LOADING', payload: { loading: true } }],
  ])('are ignored with %s', (_, message) => {
    expect(byPage(message)).toBeUndefined();
  });
});
