/**
 * The embedded transaction button inside its frame: a button, and a tooltip that shows what it signs. A click counts while
 * the tooltip is open and the rule of the confirmation accepts the click: all of the tooltip was read, nothing covers or moves
 * the two, and they were in view for a while.
 */
import type { Theme, TransactionRequest } from 'latchkey';
import {
  type ActivationMode,
  BUTTON_SIZE,
  type ButtonGeometry,
  type ButtonInit,
  type ButtonStyle,
  type ButtonTransactions,
  FRAME_TAG,
  type FromButton,
  type Point,
  type Rect,
  type Size,
  TOOLTIP,
  type TooltipPlace,
  tooltipRect,
  transactionsDigest,
  union,
} from 'latchkey/internal';
import { ruleClicks } from '../../confirm/click-rule.js';
import { englishFrame, type FrameTexts } from '../../texts/english-button.js';
import { adoptCss, tokensCss } from '../../tokens.js';
import { frameCss } from './styles.js';
import { element, filledWith, spentText, transactionTree, untrusted } from './tree.js';

/** How long the mouse may be off button and tooltip, on its way from one to the other. */
const LEAVING_MS = 200;

/** Why the tooltip is open; it is as long as any of these holds. */
type Reason = 'hover' | 'focus' | 'asked' | 'held';

/** What the frame's other script does with the element. */
export interface ButtonElement extends HTMLElement {
  /** Takes what the element reports. Set before anything else. */
  tell: (message: FromButton) => void;
  /** Returns where the button lies now. */
  place(init: ButtonInit): Point;
  show(transactions: ButtonTransactions): void;
  dress(style: ButtonStyle): void;
  setLoading(loading: boolean): void;
  setVisible(visible: boolean): void;
  measure(): ButtonGeometry;
  /** Digests what was drawn at the click that is being carried out; without one, what is drawn now. */
  digest(): Promise<string>;
}

class ButtonWithTooltip extends HTMLElement implements ButtonElement {
  tell: (message: FromButton) => void = () => undefined;

  readonly #both = element('div', 'both');
  readonly #behind = element('div', '');
  readonly #label = element('span', 'label');
  readonly #button = element('button', 'button primary activate', this.#label);
  readonly #head = element('div', 'head');
  readonly #body = element('div', 'seen');
  readonly #hint = element('p', 'hint');
  readonly #tooltip = element('section', 'panel tooltip', this.#head, this.#body, this.#hint);

  readonly #reasons = new Set<Reason>();
  #size: Size = BUTTON_SIZE;
  #place: TooltipPlace = TOOLTIP;
  #at: Point = { x: 0, y: 0 };
  #mode: ActivationMode = 'tap';
  #theme: Theme | undefined;
  #words: FrameTexts = englishFrame;
  readonly #brand = new CSSStyleSheet();
  #drawn: ButtonTransactions | undefined;
  #shown: readonly TransactionRequest[] = [];
  #confirmed: readonly TransactionRequest[] | undefined;
  #isLoading = false;
  readonly #clicks = ruleClicks(
    ({ isArmed }) => {
      this.#both.dataset.armed = String(isArmed);
      this.#paintHint();
    },
    { isFramed: true },
  );
  #leaving: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.#button.type = 'button';
    this.#button.setAttribute('aria-describedby', 'hint');
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.setAttribute('aria-controls', 'tooltip');
    this.#hint.id = 'hint';
    this.#tooltip.id = 'tooltip';
    this.#tooltip.hidden = true;
    this.#body.tabIndex = 0;
    this.#body.setAttribute('role', 'group');
    this.#both.append(this.#behind, this.#button, this.#tooltip);
    const root = this.attachShadow({ mode: 'open' });
    adoptCss(root, tokensCss, frameCss);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.#brand];
    root.append(this.#both);
    this.#listen();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paintTheme());
    this.#say();
    this.#lay();
  }

  // A constructor may set no attribute.
  connectedCallback(): void {
    this.#paintTheme();
  }

  place({ size, tooltip, buttonPosition, backgroundColor }: ButtonInit): Point {
    this.#size = size;
    this.#place = tooltip;
    this.#at = buttonPosition;
    this.#behind.style.backgroundColor = backgroundColor;
    this.#lay();
    const { x, y } = this.#button.getBoundingClientRect();
    return { x, y };
  }

  show(transactions: ButtonTransactions): void {
    const { nearAccountId, txSigningRequests } = transactions;
    const words = this.#words;
    this.#drawn = transactions;
    const count = txSigningRequests.length;
    const sum = spentText(txSigningRequests);
    const what = count === 1 ? words.oneTransaction : words.transactions.replace('{count}', String(count));
    const signedBy = sum === undefined ? words.signedBy : words.bothSignedBy;
    this.#head.replaceChildren(
      element('h2', '', sum === undefined ? what : words.sum.replace('{amount}', sum)),
      element('p', '', ...filledWith(signedBy, { what, account: untrusted(nearAccountId, words) })),
    );
    const end = element('div', '');
    end.dataset.end = '';
    this.#body.replaceChildren(transactionTree(txSigningRequests, words), end);
    this.#body.scrollTop = 0;
    this.#shown = txSigningRequests;
    // A user who was about to confirm looked at something else.
    this.#clicks.reset();
  }

  dress(style: ButtonStyle): void {
    const { buttonSizing, tooltipPosition, theme, activationMode = 'tap', label, texts, css = '' } = style;
    if (buttonSizing) this.#size = buttonSizing;
    this.#place = tooltipPosition;
    this.#theme = theme;
    this.#mode = activationMode;
    const words = { ...englishFrame, ...texts };
    const isNew = JSON.stringify(words) !== JSON.stringify(this.#words);
    this.#words = words;
    if (isNew && this.#drawn) this.show(this.#drawn);
    this.#say(label);
    this.#paintTheme();
    this.#brand.replaceSync(css);
    this.#lay();
  }

  /** Everything that it says apart from the transactions. */
  #say(label = this.#words.send): void {
    this.#label.textContent = label;
    this.#tooltip.setAttribute('aria-label', this.#words.whatSigned);
    this.#body.setAttribute('aria-label', this.#words.details);
    this.#paintHint();
  }

  setLoading(loading: boolean): void {
    this.#isLoading = loading;
    if (!loading) this.#confirmed = undefined;
    this.#button.setAttribute('aria-busy', String(loading));
    this.#button.setAttribute('aria-disabled', String(loading));
    const spinner = this.#button.querySelector('.spinner');
    if (loading && !spinner) {
      const turning = element('span', 'spinner');
      turning.setAttribute('aria-hidden', 'true');
      this.#button.prepend(turning);
    }
    if (!loading) spinner?.remove();
    if (loading) this.#close();
  }

  setVisible(visible: boolean): void {
    if (visible) this.#open('asked');
    else this.#close();
  }

  measure(): ButtonGeometry {
    const button = rectOf(this.#button);
    const visible = !this.#tooltip.hidden;
    return { button, tooltip: visible ? rectOf(this.#tooltip) : tooltipRect(button, this.#place), visible };
  }

  async digest(): Promise<string> {
    const transactions = this.#confirmed ?? this.#shown;
    if (transactions.length === 0) throw new Error('The button has no transaction');
    return transactionsDigest(transactions);
  }

  // ---------------------------------------------------------------- what the user does

  #listen(): void {
    const both = this.#both;
    const button = this.#button;
    const isMouse = ({ pointerType }: PointerEvent): boolean => pointerType === 'mouse';
    both.addEventListener('pointerenter', (event) => {
      clearTimeout(this.#leaving);
      if (!isMouse(event) || this.#reasons.has('hover')) return;
      this.tell({ type: 'BUTTON_HOVER', payload: { hovering: true } });
      this.#open('hover');
    });
    both.addEventListener('pointerleave', (event) => {
      if (!isMouse(event)) return;
      clearTimeout(this.#leaving);
      this.#leaving = setTimeout(() => {
        this.tell({ type: 'BUTTON_HOVER', payload: { hovering: false } });
        this.#withdraw('hover');
      }, LEAVING_MS);
    });
    button.addEventListener('focus', () => {
      this.tell({ type: 'BUTTON_FOCUS', payload: { focused: true } });
      if (button.matches(':focus-visible')) this.#open('focus');
    });
    button.addEventListener('blur', () => this.tell({ type: 'BUTTON_FOCUS', payload: { focused: false } }));
    both.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && both.contains(relatedTarget))) this.#withdraw('focus');
    });
    both.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#close();
    });
    document.addEventListener('pointerdown', (event) => {
      if (!event.composedPath().includes(both)) this.#close();
    });

    button.addEventListener('click', (event) => this.#activate(event));
    // A finger that rests makes no click.
    button.addEventListener('pointerdown', (event) => {
      if (this.#mode === 'press' && !isMouse(event)) this.#open('held');
    });
    button.addEventListener('pointerup', (event) => {
      if (this.#mode !== 'press' || isMouse(event)) return;
      const { left, top, right, bottom } = button.getBoundingClientRect();
      const { clientX: x, clientY: y } = event;
      if (x >= left && x <= right && y >= top && y <= bottom) this.#activate(event);
    });
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    this.#clicks.follow(this.#body);
  }

  /** Confirms where the click counts; otherwise opens the tooltip and leaves it open. */
  #activate(event: Event): void {
    if (this.#isLoading) return;
    const isEmpty = this.#shown.length === 0;
    // The page says what is missing.
    const counts = isEmpty ? event.isTrusted : this.#counts(event);
    if (!counts) {
      this.#open('asked');
      return;
    }
    this.#confirmed = this.#shown;
    this.setLoading(true);
    this.tell({ type: 'CONFIRM' });
  }

  #counts(event: Event): boolean {
    return !this.#tooltip.hidden && this.#clicks.accepts(event);
  }

  // ---------------------------------------------------------------- the tooltip

  #open(reason: Reason): void {
    if (this.#isLoading || this.#shown.length === 0) return;
    this.#reasons.add(reason);
    if (!this.#tooltip.hidden) return;
    this.#tooltip.hidden = false;
    this.#lay();
    this.#paintHint();
    this.#clicks.guard(this.#both);
    this.#tellState();
  }

  #withdraw(reason: Reason): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#close();
  }

  #close(): void {
    this.#reasons.clear();
    if (this.#tooltip.hidden) return;
    this.#tooltip.hidden = true;
    this.#clicks.guard(null);
    this.#lay();
    this.#tellState();
  }

  #tellState(): void {
    this.#button.setAttribute('aria-expanded', String(!this.#tooltip.hidden));
    this.tell({ type: 'TOOLTIP_STATE', payload: this.measure() });
  }

  /** Lays button and tooltip out in a box that holds just the two: the guard watches the box. */
  #lay(): void {
    const button: Rect = { ...this.#at, ...this.#size };
    const tooltip = tooltipRect(button, this.#place);
    const box = this.#tooltip.hidden ? button : union(button, tooltip);
    setRect(this.#both, box);
    setRect(this.#behind, button, box);
    setRect(this.#button, button, box);
    setRect(this.#tooltip, tooltip, box);
  }

  #paintTheme(): void {
    const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    this.dataset.latchkeyTheme = this.#theme ?? preferred;
  }

  #paintHint(): void {
    const isUnread = !this.#clicks.state.isRead && !this.#tooltip.hidden;
    this.#hint.toggleAttribute('data-unread', isUnread);
    const { scroll, byHold, byPress } = this.#words;
    const toConfirm = this.#mode === 'press' ? byHold : byPress;
    this.#hint.textContent = isUnread ? scroll : toConfirm;
  }
}

function rectOf(of: Element): Rect {
  const { x, y, width, height } = of.getBoundingClientRect();
  return { x, y, width, height };
}

function setRect({ style }: HTMLElement, { x, y, width, height }: Rect, from: Point = { x: 0, y: 0 }): void {
  style.left = `${x - from.x}px`;
  style.top = `${y - from.y}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}

if (!customElements.get(FRAME_TAG)) customElements.define(FRAME_TAG, ButtonWithTooltip);
