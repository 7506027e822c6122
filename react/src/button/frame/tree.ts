/**
 * What a request signs, as a tree of plain elements: transactions, their actions and the details of each. It describes them
 * as the confirmation does; no React, because each button loads it in a frame of its own.
 */
import type { Action, TransactionRequest } from 'latchkey';
import { type Detail, describeAction, sentBy } from '../../confirm/describe-action.js';
import { exactNear, showAmount, showGas } from '../../format/amount.js';
import { readableJson } from '../../format/json.js';
import { clip, splitUntrusted } from '../../format/text.js';
import { englishActions } from '../../texts/english-actions.js';

/** A longer text shows its start, and the rest at a press. */
const SHOWN_AT_FIRST = 4_000;

type Child = Node | string;

/** Makes an element; a class of '' sets none. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** Everything that these transactions do, in order. A text that is folded carries `data-folded`. */
export function transactionTree(transactions: readonly TransactionRequest[]): HTMLElement {
  return element('ol', 'tree', ...transactions.map(transactionView));
}

/** The NEAR that leaves the account, exactly: undefined where no transaction sends any, or an amount is unreadable. */
export function spentText(transactions: readonly TransactionRequest[]): string | undefined {
  const amounts = transactions
    .flatMap(({ actions }) => actions)
    .flatMap((action) => {
      const amount = sentBy(action);
      return amount === '0' && action.type !== 'Transfer' ? [] : [amount];
    });
  if (amounts.length === 0 || amounts.some((amount) => exactNear(amount) === undefined)) return undefined;
  return exactNear(String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)));
}

/** Text that a stranger wrote: its direction is isolated, and hidden characters become marks. */
export function untrusted(text: string, multiline = false): HTMLElement {
  const { head, total } = clip(text, SHOWN_AT_FIRST);
  const shown = element('bdi', multiline ? 'untrusted lines' : 'untrusted', ...parts(head, multiline));
  if (head.length === text.length) return shown;
  const more = element('button', 'quiet', `Show all ${total.toLocaleString('en-US')} characters`);
  more.type = 'button';
  more.dataset.folded = '';
  more.addEventListener('click', () => {
    shown.replaceChildren(...parts(text, multiline));
    more.remove();
  });
  return element('span', '', shown, more);
}

function parts(text: string, multiline: boolean): Child[] {
  return splitUntrusted(text, { multiline }).map(({ kind, value }) =>
    kind === 'text' ? value : element('mark', '', value),
  );
}

function transactionView({ receiverId, actions }: TransactionRequest): HTMLElement {
  return element(
    'li',
    'card',
    element('p', 'to', 'To ', element('strong', '', untrusted(receiverId))),
    element('ol', 'actions', ...actions.map(actionView)),
  );
}

function actionView(action: Action): HTMLElement {
  const { title, subject, details, warning, risk } = describeAction(action, englishActions);
  const heading = element('h3', '', title);
  if (subject !== undefined) heading.append(' ', element('code', '', untrusted(subject)));
  const view = element('li', 'action', heading);
  if (risk) view.dataset.risk = risk;
  if (warning !== undefined) {
    const word = element('strong', '', risk === 'high' ? 'Careful.' : 'Note.');
    view.append(
      element('p', risk === 'high' ? 'warning' : 'warning note', element('span', '', word, ` ${warning}`)),
    );
  }
  if (details.length > 0) view.append(element('dl', 'details', ...details.map(detailView)));
  return view;
}

function detailView(detail: Detail): HTMLElement {
  const wide = detail.kind === 'arguments' || detail.kind === 'bytes' || detail.kind === 'key';
  return element(
    'div',
    wide ? 'wide' : '',
    element('dt', '', detail.label),
    element('dd', '', detailValue(detail)),
  );
}

function detailValue(detail: Detail): Child {
  switch (detail.kind) {
    case 'amount':
      return amountView(detail.yocto);
    case 'gas':
      return untrusted(showGas(detail.gas));
    case 'arguments':
      return argumentsView(detail.json);
    case 'bytes':
      if (detail.hex === '') return element('span', 'faint', 'None');
      return element('div', 'boxed', element('strong', '', detail.count), untrusted(detail.hex, true));
    case 'note':
      return element('strong', '', detail.value);
    case 'key':
      return element('code', '', untrusted(detail.value));
    default:
      return untrusted(detail.value);
  }
}

/** A rounded amount has its exact figure below it. */
function amountView(yocto: string): Child {
  const amount = showAmount(yocto);
  if (!amount) return untrusted(yocto);
  if (amount.yocto === '0') return element('span', 'faint', 'None');
  const near = element('strong', '', `${amount.near} NEAR`);
  if (amount.exact) return near;
  return element('span', 'amount', near, element('span', 'exact', `${amount.yocto} yoctoNEAR`));
}

function argumentsView(json: string): Child {
  if (json.trim() === '' || json.trim() === '{}') return element('span', 'faint', 'None');
  return element('div', 'boxed', ...(readableJson(json) ?? [json]).map((part) => untrusted(part, true)));
}
