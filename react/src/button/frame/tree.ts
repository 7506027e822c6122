/**
 * What a request signs, as a tree of plain elements: transactions, their actions and the details of each. It describes them
 * as the confirmation does; no React, because each button loads it in a frame of its own.
 */
import type { Action, TransactionRequest } from 'latchkey';
import { type Detail, describeAction, sentBy } from '../../confirm/describe-action.js';
import { exactNear, showAmount, showGas } from '../../format/amount.js';
import { readableJson } from '../../format/json.js';
import { clip, splitUntrusted } from '../../format/text.js';
import type { FrameTexts } from '../../texts/english-button.js';

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

/** The parts of a text whose names in braces are replaced by these. */
export function filledWith(text: string, values: Readonly<Record<string, Child>>): Child[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
}

/** Everything that these transactions do, in order. A text that is folded carries `data-folded`. */
export function transactionTree(transactions: readonly TransactionRequest[], words: FrameTexts): HTMLElement {
  return element('ol', 'tree', ...transactions.map((transaction) => transactionView(transaction, words)));
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
export function untrusted(text: string, { wholeText }: FrameTexts, multiline = false): HTMLElement {
  const { head, total } = clip(text, SHOWN_AT_FIRST);
  const shown = element('bdi', multiline ? 'untrusted lines' : 'untrusted', ...parts(head, multiline));
  if (head.length === text.length) return shown;
  const more = element('button', 'quiet', wholeText.replace('{count}', total.toLocaleString('en-US')));
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

function transactionView({ receiverId, actions }: TransactionRequest, words: FrameTexts): HTMLElement {
  const account = element('strong', '', untrusted(receiverId, words));
  return element(
    'li',
    'card',
    element('p', 'to', ...filledWith(words.to, { account })),
    element('ol', 'actions', ...actions.map((action) => actionView(action, words, receiverId))),
  );
}

function actionView(action: Action, words: FrameTexts, accountId: string): HTMLElement {
  const { title, subject, details, warning, risk } = describeAction(action, words, accountId);
  const heading = element('h3', '', title);
  if (subject !== undefined) heading.append(' ', element('code', '', untrusted(subject, words)));
  const view = element('li', 'action', heading);
  if (risk) view.dataset.risk = risk;
  if (warning !== undefined) {
    const word = element('strong', '', risk === 'high' ? words.careful : words.note);
    view.append(
      element('p', risk === 'high' ? 'warning' : 'warning note', element('span', '', word, ` ${warning}`)),
    );
  }
  if (details.length > 0)
    view.append(element('dl', 'details', ...details.map((detail) => detailView(detail, words))));
  return view;
}

function detailView(detail: Detail, words: FrameTexts): HTMLElement {
  const wide = detail.kind === 'arguments' || detail.kind === 'bytes' || detail.kind === 'key';
  return element(
    'div',
    wide ? 'wide' : '',
    element('dt', '', detail.label),
    element('dd', '', detailValue(detail, words)),
  );
}

function detailValue(detail: Detail, words: FrameTexts): Child {
  switch (detail.kind) {
    case 'amount':
      return amountView(detail.yocto, words);
    case 'gas':
      return untrusted(showGas(detail.gas), words);
    case 'arguments':
      return argumentsView(detail.json, words);
    case 'bytes':
      if (detail.hex === '') return element('span', 'faint', words.none);
      return element('div', 'boxed', element('strong', '', detail.count), untrusted(detail.hex, words, true));
    case 'note':
      return element('strong', '', detail.value);
    case 'key':
      return element('code', '', untrusted(detail.value, words));
    default:
      return untrusted(detail.value, words);
  }
}

/** A rounded amount has its exact figure below it. */
function amountView(yocto: string, words: FrameTexts): Child {
  const amount = showAmount(yocto);
  if (!amount) return untrusted(yocto, words);
  if (amount.yocto === '0') return element('span', 'faint', words.none);
  const near = element('strong', '', `${amount.near} NEAR`);
  if (amount.exact) return near;
  return element('span', 'amount', near, element('span', 'exact', `${amount.yocto} yoctoNEAR`));
}

function argumentsView(json: string, words: FrameTexts): Child {
  if (json.trim() === '' || json.trim() === '{}') return element('span', 'faint', words.none);
  return element(
    'div',
    'boxed',
    ...(readableJson(json) ?? [json]).map((part) => untrusted(part, words, true)),
  );
}
