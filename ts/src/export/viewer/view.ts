/** The viewer's markup. Every text in it is set as text. */
import { adoptCss, markPath, tokensCss } from '../../styles.js';
import type { ViewerModel } from '../contract.js';
import type { ViewerLook } from '../viewer-texts.js';
import { viewerCss } from './styles.js';

/** Trusted events only: a scripted click or key press does nothing. */
export interface ViewerHandlers {
  onContinue(): void;
  onShow(): void;
  onHide(): void;
  onCopy(): void;
  onClose(): void;
}

export interface View {
  /** The part that the user must see before clicking. */
  readonly dialog: HTMLElement;
  /** Whether the user has seen the dialog; until then, its first button ignores clicks. */
  seen(isSeen: boolean): void;
  /** Shows that the browser asks for the passkey. */
  wait(): void;
  /** Returns to the warning, with the error. */
  warnAgain(error: string): void;
  /** Shows that the key has arrived, hidden. */
  ready(): void;
  reveal(key: string): void;
  hide(): void;
  /** Reports the result of a copy. */
  say(text: string): void;
}

const MASK = '•'.repeat(24);
export function drawViewer(
  document: Document,
  model: ViewerModel,
  { language, texts, css = '' }: ViewerLook,
  handlers: ViewerHandlers,
): View {
  adoptCss(document, tokensCss, viewerCss, css);
  document.documentElement.lang = language;
  document.documentElement.dataset.latchkeyTheme = model.theme;
  document.title = texts.title;

  const title = element('h1', { id: 'title', className: 'title' }, texts.title);
  const lead = element('p', { id: 'lead', className: 'lead' }, texts.lead);
  const error = element('p', { className: 'error', role: 'alert', hidden: true });
  const warning = element(
    'ul',
    { className: 'warning' },
    ...texts.warnings.map(([first, rest]) => element('li', {}, element('strong', {}, first), ` ${rest}`)),
  );

  const text = element('code', { className: 'text', ariaLabel: texts.hidden, role: 'img' }, MASK);
  const show = button(texts.show, 'button', () => (isRevealed() ? handlers.onHide() : handlers.onShow()));
  const copy = button(texts.copy, 'button', handlers.onCopy);
  const held = element(
    'section',
    { className: 'held', ariaLabel: texts.privateKey, hidden: true },
    text,
    element('div', { className: 'buttons' }, show, copy),
  );

  const status = element('p', { className: 'status', role: 'status' });
  const leave = button(texts.cancel, 'button', handlers.onClose);
  const go = button(texts.continue, 'button primary danger', handlers.onContinue);
  const body = element(
    'section',
    { className: 'body', ariaLabel: texts.label, tabIndex: 0 },
    error,
    held,
    warning,
    facts([
      [texts.account, model.accountId],
      [texts.network, model.networkId],
      [texts.publicKey, model.publicKey],
    ]),
  );
  const dialog = element(
    'main',
    { className: `popup ${model.variant}`, role: 'dialog', ariaModal: 'true' },
    element('header', {}, mark(), element('div', {}, title, lead)),
    body,
    element('footer', {}, status, element('div', { className: 'buttons' }, leave, go)),
  );
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.setAttribute('aria-describedby', lead.id);
  document.body.replaceChildren(dialog);

  document.addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    if (event.key === 'Escape') handlers.onClose();
    else if (event.key === 'Tab') keepTabInside(event, dialog);
  });
  // A frame that receives the focus from the page starts at its body, so restore the last focused element.
  let focused: HTMLElement = leave;
  dialog.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) focused = target;
  });
  addEventListener('focus', () => {
    if (document.activeElement === document.body) focused.focus();
  });
  leave.focus();

  let isSeen = false;
  let isBusy = false;
  const drawGo = (): void => {
    go.ariaDisabled = isSeen && !isBusy ? null : 'true';
  };
  drawGo();

  const isRevealed = (): boolean => text.classList.contains('revealed');

  function hide(): void {
    text.classList.remove('revealed');
    text.textContent = MASK;
    text.role = 'img';
    text.ariaLabel = texts.hidden;
    show.textContent = texts.show;
  }

  return {
    dialog,
    seen(next) {
      isSeen = next;
      drawGo();
    },
    wait() {
      error.hidden = true;
      dialog.ariaBusy = 'true';
      isBusy = true;
      drawGo();
      status.textContent = texts.busy;
    },
    warnAgain(message) {
      error.textContent = message;
      error.hidden = false;
      body.scrollTop = 0;
      dialog.ariaBusy = null;
      isBusy = false;
      drawGo();
      go.textContent = texts.again;
      status.textContent = '';
      go.focus();
    },
    ready() {
      dialog.ariaBusy = null;
      title.textContent = texts.keyTitle;
      lead.textContent = texts.keyLead;
      status.textContent = texts.keyHere;
      held.hidden = false;
      body.ariaLabel = texts.keyTitle;
      body.scrollTop = 0;
      go.remove();
      leave.textContent = texts.done;
      leave.classList.add('primary');
      show.focus();
    },
    reveal(key) {
      text.classList.add('revealed');
      text.textContent = key;
      text.role = null;
      text.ariaLabel = null;
      show.textContent = texts.hide;
      status.textContent = '';
    },
    hide,
    say(words) {
      status.textContent = words;
    },
  };

  function button(label: string, className: string, act: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', className }, label);
    made.addEventListener('click', (event) => {
      if (event.isTrusted && made.ariaDisabled !== 'true') act();
    });
    return made;
  }

  function element<K extends keyof HTMLElementTagNameMap>(
    name: K,
    properties: Partial<HTMLElementTagNameMap[K]>,
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[K] {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  function facts(rows: readonly (readonly [string, string])[]): HTMLElement {
    const made = rows.map(([label, value]) =>
      element('div', {}, element('dt', {}, label), element('dd', {}, value)),
    );
    return element('dl', { className: 'facts' }, ...made);
  }
}

/** The same mark as in the confirmations. */
function mark(): SVGElement {
  const draw = (name: string, attributes: Record<string, string>): SVGElement => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const made = draw('svg', { class: 'mark', viewBox: '0 0 40 40', 'aria-hidden': 'true' });
  made.append(
    draw('rect', { width: '40', height: '40', rx: '11', class: 'plate' }),
    draw('path', { class: 'key', d: markPath }),
  );
  return made;
}

/** Wraps the focus from the last stop to the first and back, so that it never reaches the page behind. */
function keepTabInside(event: KeyboardEvent, dialog: HTMLElement): void {
  const stops = [...dialog.querySelectorAll<HTMLElement>('button, [tabindex="0"]')].filter(
    (stop) => stop.offsetParent !== null,
  );
  const at = stops.indexOf(dialog.ownerDocument.activeElement as HTMLElement);
  const isLeaving = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!isLeaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
