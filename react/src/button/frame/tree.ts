/**
 * What a request signs, as a tree of plain elements: transactions, their actions and the details of each. It describes them
 * as the confirmation does; no React, because each button loads it in a frame of its own.
 */
import type { TransactionRequest } from 'latchkey';
import { amountsSent } from '../../confirm/describe-action.js';
import { drawAction, type Renderer } from '../../confirm/draw-action.js';
import { exactNear, showAmount } from '../../format/amount.js';
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
  const amounts = amountsSent(transactions.flatMap(({ actions }) => actions));
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
  const renderer = elementRenderer(words);
  return element(
    'li',
    'card',
    element('p', 'to', ...filledWith(words.to, { account })),
    element('ol', 'actions', ...actions.map((action) => drawAction(action, receiverId, renderer))),
  );
}

const elementRenderer = (words: FrameTexts): Renderer<HTMLElement> => ({
  words,
  wide: ['arguments', 'bytes', 'key'],
  element,
  untrusted: (text) => untrusted(text, words),
  amount: (yocto) => amountView(yocto, words),
  boxed: (_label, parts) => element('div', 'boxed', ...parts.map((part) => untrusted(part, words, true))),
  bytes: ({ count, hex }) =>
    element('div', 'boxed', element('strong', '', count), untrusted(hex, words, true)),
  warning: (text, isHigh) =>
    element(
      'p',
      isHigh ? 'warning' : 'warning note',
      element('span', '', element('strong', '', isHigh ? words.careful : words.note), ` ${text}`),
    ),
});

/** A rounded amount has its exact figure below it. */
function amountView(yocto: string, words: FrameTexts): HTMLElement {
  const amount = showAmount(yocto);
  if (!amount) return untrusted(yocto, words);
  if (amount.yocto === '0') return element('span', 'faint', words.none);
  const near = element('strong', '', `${amount.near} NEAR`);
  if (amount.exact) return near;
  return element('span', 'amount', near, element('span', 'exact', `${amount.yocto} yoctoNEAR`));
}
