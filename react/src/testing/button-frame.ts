/** A page with an embedded transaction button, and a pointer that works across its frame. */
import type { ActionResult, TransactionInput } from 'latchkey';
import {
  type ConfirmedTransactions,
  mountTransactionButton,
  type TransactionButton,
  type TransactionButtonOptions,
} from 'latchkey/button';
import { afterEach, beforeEach, expect } from 'vitest';
import { cdp, page as view } from 'vitest/browser';

/** The built scripts, which the tests' server serves from the repository. */
export const SDK = '/react/dist/wallet/sdk';

export const done: ActionResult = { success: true, transactionId: 'AbC', result: null, fate: 'executed' };
export const transfers: readonly TransactionInput[] = [
  { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '100000000000000000000' }] },
  { receiverId: 'carol.testnet', actions: [{ type: 'Transfer', amount: '200000000000000000000' }] },
];

export interface OpenPage {
  readonly container: HTMLElement;
  readonly mounted: TransactionButton;
  readonly frame: HTMLIFrameElement;
  /** What the page was asked to sign. */
  readonly asked: ConfirmedTransactions[];
  /** The callbacks in the order in which they ran. */
  readonly told: unknown[][];
  update(options: Partial<TransactionButtonOptions>): void;
  remove(): void;
}

export interface PageOptions extends Partial<TransactionButtonOptions> {
  readonly at?: { readonly left: number; readonly top: number };
  /** What becomes of a confirmed request. */
  readonly answer?: (confirmed: ConfirmedTransactions) => Promise<readonly ActionResult[]>;
}

/** The page of the running test. */
export let page: OpenPage;

/** Before each test: moves the pointer away from the button. After it: removes the page. */
export function onePageEach(): void {
  beforeEach(async () => {
    await view.viewport(1280, 1000);
    await moveTo({ x: 5, y: 5 });
  });
  afterEach(() => page?.remove());
}

/** Mounts a button for two transfers, in the middle of the view. */
export async function openPage(options?: PageOptions): Promise<OpenPage> {
  page = mount(options);
  await expect.poll(() => parts(page).head?.textContent ?? '', { timeout: 20_000 }).not.toBe('');
  return page;
}

function mount({ at = { left: 500, top: 450 }, answer, ...given }: PageOptions = {}): OpenPage {
  const container = document.createElement('div');
  container.style.cssText = `position:absolute;left:${at.left}px;top:${at.top}px`;
  document.body.append(container);
  const asked: ConfirmedTransactions[] = [];
  const told: unknown[][] = [];
  const tell =
    (name: string) =>
    (...values: unknown[]): void =>
      void told.push([name, ...values]);
  let options: TransactionButtonOptions = {
    nearAccountId: 'alice.testnet',
    transactions: transfers,
    sdkBasePath: SDK,
    theme: 'light',
    onConfirm: async (confirmed) => {
      asked.push(confirmed);
      return answer ? answer(confirmed) : confirmed.transactions.map(() => done);
    },
    onSuccess: tell('success'),
    onCancel: tell('cancel'),
    onError: tell('error'),
    onLoading: tell('loading'),
    ...given,
  };
  const mounted = mountTransactionButton(container, options);
  const frame = container.querySelector('iframe');
  if (!frame) throw new Error('The button has no frame');
  return {
    container,
    mounted,
    frame,
    asked,
    told,
    update(change) {
      options = { ...options, ...change };
      mounted.update(options);
    },
    remove() {
      mounted.remove();
      container.remove();
    },
  };
}

/** The elements inside the frame. */
export function parts({ frame }: Pick<OpenPage, 'frame'>) {
  const root = frame.contentDocument?.querySelector('w3a-button-with-tooltip')?.shadowRoot;
  const find = (selector: string) => root?.querySelector<HTMLElement>(selector) ?? null;
  return {
    both: find('.both'),
    button: find('.activate'),
    tooltip: find('.tooltip'),
    head: find('.head'),
    body: find('.seen'),
    hint: find('.hint'),
  };
}

export const isOpen = (page: OpenPage): boolean => parts(page).tooltip?.hidden === false;
export const isArmed = (page: Pick<OpenPage, 'frame'>): boolean => parts(page).both?.dataset.armed === 'true';
export const armed = (page: Pick<OpenPage, 'frame'>) =>
  expect.poll(() => isArmed(page), { interval: 20, timeout: 15_000 }).toBe(true);

/** The middle of an element of the frame, in the coordinates of the whole window. */
export function middleOf(element: Element | null): { x: number; y: number } {
  if (!element) throw new Error('There is no such element');
  const { left, top, width, height } = element.getBoundingClientRect();
  let at = { x: left + width / 2, y: top + height / 2 };
  let view: Window | null = element.ownerDocument.defaultView;
  while (view && view !== view.parent) {
    const around = view.frameElement?.getBoundingClientRect();
    if (around) at = { x: at.x + around.left, y: at.y + around.top };
    view = view.parent;
  }
  return at;
}

const mouse = (
  type: 'mouseMoved' | 'mousePressed' | 'mouseReleased',
  at: { x: number; y: number },
  pressed = false,
) =>
  cdp().send('Input.dispatchMouseEvent', {
    type,
    ...at,
    button: type === 'mouseMoved' ? 'none' : 'left',
    buttons: pressed ? 1 : 0,
    clickCount: type === 'mouseMoved' ? 0 : 1,
  });

/** Moves the mouse there in two steps, as a hand does. */
export async function moveTo(at: { x: number; y: number }): Promise<void> {
  await mouse('mouseMoved', { x: at.x - 3, y: at.y });
  await mouse('mouseMoved', at);
}

export async function clickAt(at: { x: number; y: number }): Promise<void> {
  await mouse('mousePressed', at, true);
  await mouse('mouseReleased', at);
}

export async function touchAt(at: { x: number; y: number }): Promise<void> {
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
}
export async function liftFinger(): Promise<void> {
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Moves the mouse to the button, waits until a click counts, and clicks. Repeats it, as a user does. */
export async function confirm(page: Pick<OpenPage, 'frame' | 'told'>): Promise<void> {
  const before = page.told.length;
  const click = async () => {
    await moveTo(middleOf(parts(page).button));
    await armed(page);
    await clickAt(middleOf(parts(page).button));
    return page.told.length > before;
  };
  await expect.poll(click, { interval: 100, timeout: 20_000 }).toBe(true);
}
