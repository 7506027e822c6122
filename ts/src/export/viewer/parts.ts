/** What both viewers draw with. Every text is set as text, and only trusted events count. */
import { adoptCss, markPath, motionCss, tokensCss } from '../../styles.js';
import type { Theme, UiMode } from '../../types.js';
import { viewerCss } from './styles.js';

/** The part of a look that both viewers have. */
export interface CommonLook {
  readonly language: string;
  readonly direction?: string | undefined;
  readonly css?: string;
}

export interface Shell {
  /** The part that the user must see before clicking. */
  readonly dialog: HTMLElement;
  readonly title: HTMLElement;
  readonly lead: HTMLElement;
  /** Scrolls where it does not fit. */
  readonly body: HTMLElement;
  readonly status: HTMLElement;
  /** The first, which has the focus at the start, leaves. */
  readonly buttons: HTMLElement;
}

export interface ShellContent {
  readonly title: string;
  readonly lead: string;
  /** Names the body. */
  readonly label: string;
  readonly body: readonly Node[];
  readonly buttons: readonly [HTMLElement, ...HTMLElement[]];
}

/** Draws the dialog over the whole document. `onEscape` is called at the Escape key. */
export function drawShell(
  { theme, variant }: { readonly theme: Theme; readonly variant: Exclude<UiMode, 'skip'> },
  { language, direction = 'ltr', css = '' }: CommonLook,
  content: ShellContent,
  onEscape: () => void,
): Shell {
  adoptCss(document, tokensCss, viewerCss, motionCss, css);
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  document.documentElement.dataset.latchkeyTheme = theme;
  document.title = content.title;

  const title = element('h1', { id: 'title', className: 'title' }, content.title);
  const lead = element('p', { id: 'lead', className: 'lead' }, content.lead);
  const status = element('p', { className: 'status', role: 'status' });
  const body = element(
    'section',
    { className: 'body', ariaLabel: content.label, tabIndex: 0 },
    ...content.body,
  );
  const buttons = element('div', { className: 'buttons' }, ...content.buttons);
  const dialog = element(
    'main',
    { className: `popup ${variant}`, role: 'dialog', ariaModal: 'true' },
    element('header', {}, mark(), element('div', {}, title, lead)),
    body,
    element('footer', {}, status, buttons),
  );
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.setAttribute('aria-describedby', lead.id);
  document.body.replaceChildren(dialog);

  document.addEventListener('keydown', (event) => {
    if (!event.isTrusted) return;
    if (event.key === 'Escape') onEscape();
    else if (event.key === 'Tab') keepTabInside(event, dialog);
  });
  // A frame that receives the focus from the page starts at its body, so restore the last focused element.
  let [focused] = content.buttons;
  dialog.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) focused = target;
  });
  addEventListener('focus', () => {
    if (document.activeElement === document.body) focused.focus();
  });
  focused.focus();
  return { dialog, title, lead, body, status, buttons };
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A button that a scripted click does not press. */
export function button(label: string, className: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', className }, label);
  made.addEventListener('click', (event) => {
    if (event.isTrusted && made.ariaDisabled !== 'true') act();
  });
  return made;
}

/** A list of warnings, each in two parts: the beginning is bold. */
export function warningList(warnings: readonly (readonly string[])[]): HTMLElement {
  return element(
    'ul',
    { className: 'warning' },
    ...warnings.map(([first = '', rest = '']) => element('li', {}, element('strong', {}, first), ` ${rest}`)),
  );
}

export function facts(rows: readonly (readonly [string, string])[]): HTMLElement {
  const made = rows.map(([label, value]) =>
    element('div', {}, element('dt', {}, label), element('dd', {}, value)),
  );
  return element('dl', { className: 'facts' }, ...made);
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
  const stops = [...dialog.querySelectorAll<HTMLElement>('button, input, [tabindex="0"]')].filter(
    (stop) => stop.offsetParent !== null,
  );
  const at = stops.indexOf(dialog.ownerDocument.activeElement as HTMLElement);
  const isLeaving = event.shiftKey ? at <= 0 : at === -1 || at === stops.length - 1;
  if (!isLeaving) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}
