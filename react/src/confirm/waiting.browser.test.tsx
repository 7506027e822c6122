import type { WaitingModel } from 'latchkey';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { asking, withButtonOutside } from '../testing/confirmation.js';
import { createReactConfirmer } from './react-confirmer.js';

const model: WaitingModel = { networkId: 'testnet', theme: 'dark' };
const asked = asking([{ type: 'CreateAccount' }]);

const waiting = page.getByRole('dialog', { name: 'Waiting for the network' });
const confirmation = page.getByRole('dialog', { name: 'Create this account' });
const host = () => document.querySelector<HTMLElement>('latchkey-waiting');

const outside = withButtonOutside();
let over: AbortController;
beforeEach(() => {
  over = new AbortController();
  outside().focus();
});
afterEach(() => over.abort());

describe('a wait before a confirmation (core 4)', () => {
  it('says what it waits for, and that nothing was sent', async () => {
    void createReactConfirmer({ theme: () => 'light' }).wait(model, over.signal);
    await expect.element(waiting).toHaveTextContent(/asks NEAR \(.?testnet.?\)/);
    await expect.element(waiting).toHaveTextContent('No transaction was signed or sent.');
    expect(host()?.dataset.latchkeyTheme).toBe('light');
  });

  it.each([
    ['Cancel', () => waiting.getByRole('button', { name: 'Cancel' }).click()],
    ['Escape', () => userEvent.keyboard('{Escape}')],
  ])('ends with %s, and the focus returns to the page when the flow is over', async (_, cancel) => {
    const wait = createReactConfirmer().wait(model, over.signal);
    await expect.poll(() => host()?.shadowRoot?.activeElement?.textContent).toBe('Cancel');
    await cancel();
    await wait;
    over.abort();
    await expect.poll(host).toBeNull();
    expect(document.activeElement).toBe(outside());
  });

  it('makes way for the confirmation of its flow', async () => {
    const confirmer = createReactConfirmer();
    const wait = confirmer.wait(model, over.signal);
    await expect.element(waiting).toBeVisible();
    over.abort();
    await wait;
    const flow = new AbortController();
    const decided = confirmer.show(asked, flow.signal);
    await expect.element(confirmation).toBeVisible();
    await expect.poll(host).toBeNull();
    flow.abort();
    expect(await decided).toBe('cancel');
  });

  it('never covers the confirmation of another flow', async () => {
    const confirmer = createReactConfirmer();
    const flow = new AbortController();
    const decided = confirmer.show(asked, flow.signal);
    await expect.element(confirmation).toBeVisible();
    void confirmer.wait(model, over.signal);
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    expect(await decided).toBe('cancel');
    expect(host()).toBeNull();
    flow.abort();
    await expect.element(waiting).toBeVisible();
  });
});
