// A confirmation on the test's page: what it asks, and what a test sees and presses of it.
import type { Action, ConfirmModel, TransactionsConfirmModel } from 'latchkey';
import { afterEach, beforeEach, expect } from 'vitest';
import { page } from 'vitest/browser';
import { createReactConfirmer } from '../confirm/react-confirmer.js';

export const YOCTO = '0'.repeat(24);
export const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

export const common = {
  accountId: 'alice.testnet',
  rpId: 'wallet.test',
  networkId: 'testnet',
  digest: '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ',
  uiMode: 'modal',
  behavior: 'requireClick',
  autoProceedDelayMs: 0,
  theme: 'dark',
} as const;

export const asking = (
  actions: Action[],
  over: Partial<TransactionsConfirmModel> = {},
): TransactionsConfirmModel => ({
  ...common,
  kind: 'transactions',
  transactions: [{ receiverId: 'bob.testnet', actions }],
  ...over,
});
export const transfer = (near: string): Action => ({ type: 'Transfer', amount: `${near}${YOCTO}` });

export const dialog = page.getByRole('dialog');
export const button = (name: string) => dialog.getByRole('button', { name, exact: true });
export const host = () => document.querySelector('latchkey-confirm');
export const shadowText = () => host()?.shadowRoot?.textContent ?? '';
export const focus = (name: string) => (button(name).element() as HTMLElement).focus();
export const focused = () => {
  const inner = host()?.shadowRoot?.activeElement;
  return inner instanceof HTMLElement ? inner : null;
};

/** Before each test: loads the confirmer and puts a button on the page, which this returns. After it: leaves nothing. */
export function withButtonOutside(): () => HTMLButtonElement {
  let outside: HTMLButtonElement;
  beforeEach(async () => {
    await createReactConfirmer().preload();
    outside = document.createElement('button');
    outside.textContent = 'Outside';
    document.body.append(outside);
  });
  afterEach(() => {
    outside.remove();
    for (const left of document.querySelectorAll('latchkey-waiting, latchkey-confirm')) left.remove();
  });
  return () => outside;
}

/** One flow: `show` asks a question, `end` ends the flow. */
export function flow(confirmer = createReactConfirmer()) {
  const ended = new AbortController();
  return { show: (model: ConfirmModel) => confirmer.show(model, ended.signal), end: () => ended.abort() };
}

/** Time limit of a press: one that hangs is made again. */
const PRESS_TIMEOUT_MS = 2_000;

/**
 * Sees all of it, then clicks until a click counts: in a frame, a mouse press counts only after an earlier mouse event.
 */
export async function agree(name: string) {
  const isAnswered = () => button(name).query() !== null && dialog.element().ariaBusy === 'true';
  const press = async () => {
    const more = button('Show more').query();
    if (more instanceof HTMLElement) {
      more.click();
      return null;
    }
    // A press can count and yet not return in time: once it counts, the button takes no other.
    if (!isAnswered()) await button(name).click({ timeout: PRESS_TIMEOUT_MS });
    return dialog.element().ariaBusy;
  };
  await expect.poll(press, { timeout: 20_000 }).toBe('true');
}

export async function gone() {
  await expect.poll(host).toBeNull();
}
