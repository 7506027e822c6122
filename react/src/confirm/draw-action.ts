/**
 * What an action shows, drawn once for two renderers: React in the confirmation and on the wallet's own transaction button,
 * plain elements in the frame of an embedded one.
 */
import type { Action } from 'latchkey';
import { showGas } from '../format/amount.js';
import { readableJson } from '../format/json.js';
import type { ActionTexts } from '../texts/english-actions.js';
import { type ActionDescription, type Detail, describeAction } from './describe-action.js';

export interface Renderer<View> {
  readonly words: ActionTexts;
  /** The details whose value stands below its label. */
  readonly wide: readonly Detail['kind'][];
  element(
    tag: 'li' | 'h3' | 'code' | 'dl' | 'div' | 'dt' | 'dd' | 'strong' | 'span',
    className: string,
    ...children: readonly (View | string)[]
  ): View;
  /** Text that a stranger wrote. */
  untrusted(text: string): View;
  amount(yocto: string): View;
  /** The parts of a long text that a stranger wrote. */
  boxed(label: string, parts: readonly string[]): View;
  bytes(detail: Extract<Detail, { kind: 'bytes' }>): View;
  warning(text: string, isHigh: boolean): View;
}

/** `accountId` is the receiver of the action's transaction. Draws all of its details, or these. */
export function drawAction<View>(
  action: Action,
  accountId: string,
  to: Renderer<View>,
  details?: readonly Detail[],
): View {
  const described = describeAction(action, to.words, accountId);
  const { title, subject } = described;
  const name = subject === undefined ? [] : [' ', to.element('code', '', to.untrusted(subject))];
  return to.element(
    'li',
    'action',
    to.element('h3', '', title, ...name),
    ...drawBody(described, details ?? described.details, to),
  );
}

/** What stands below the name of an action. */
export function drawBody<View>(
  { warning, risk }: Pick<ActionDescription, 'warning' | 'risk'>,
  details: readonly Detail[],
  to: Renderer<View>,
): View[] {
  const drawn = details.map((detail) => drawDetail(detail, to));
  return [
    ...(warning === undefined ? [] : [to.warning(warning, risk === 'high')]),
    ...(drawn.length === 0 ? [] : [to.element('dl', 'details', ...drawn)]),
  ];
}

export function drawDetail<View>(detail: Detail, to: Renderer<View>): View {
  return to.element(
    'div',
    to.wide.includes(detail.kind) ? 'wide' : '',
    to.element('dt', '', detail.label),
    to.element('dd', '', drawValue(detail, to)),
  );
}

function drawValue<View>(detail: Detail, to: Renderer<View>): View {
  const none = (): View => to.element('span', 'faint', to.words.none);
  switch (detail.kind) {
    case 'amount':
      return to.amount(detail.yocto);
    case 'gas':
      return to.untrusted(showGas(detail.gas));
    case 'arguments': {
      const json = detail.json.trim();
      if (json === '' || json === '{}') return none();
      return to.boxed(detail.label, readableJson(detail.json) ?? [detail.json]);
    }
    case 'bytes':
      return detail.hex === '' ? none() : to.bytes(detail);
    case 'note':
      return to.element('strong', '', detail.value);
    case 'key':
      return to.element('code', '', to.untrusted(detail.value));
    default:
      return to.untrusted(detail.value);
  }
}
