import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { type ClickGuard, guardClicks, tellsVisibility } from './guard.js';

let outer: HTMLElement;
let dialog: HTMLElement;
let button: HTMLButtonElement;
let guard: ClickGuard;
let changes: boolean[];
let accepted: boolean[];

function open({ tracksVisibility = true, armingMs = 50 } = {}) {
  guard = guardClicks(dialog, { tracksVisibility, armingMs, onChange: (isArmed) => changes.push(isArmed) });
}
const armed = () => expect.poll(() => guard.isArmed, { interval: 10 }).toBe(true);
const disarmed = () => expect.poll(() => guard.isArmed, { interval: 10 }).toBe(false);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => {
  changes = [];
  accepted = [];
  outer = document.createElement('div');
  dialog = document.createElement('div');
  dialog.style.cssText = 'position:fixed;left:20px;top:20px;width:200px;height:120px;background:white';
  button = document.createElement('button');
  button.textContent = 'Confirm';
  button.addEventListener('click', (event) => accepted.push(guard.accepts(event)));
  dialog.append(button);
  outer.append(dialog);
  document.body.append(outer);
});
afterEach(() => {
  guard.close();
  outer.remove();
});

function cover(): HTMLElement {
  const element = document.createElement('div');
  element.style.cssText = 'position:fixed;left:60px;top:40px;width:20px;height:20px;background:red';
  element.style.pointerEvents = 'none';
  document.body.append(element);
  return element;
}

describe('a guarded click', () => {
  it('counts once the dialog has been seen: by the pointer and by Enter, and never from a script', async () => {
    expect(tellsVisibility()).toBe(true);
    open();
    expect(guard.isArmed).toBe(false);
    await armed();
    button.click();
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(accepted).toEqual([false, false]);
    await userEvent.click(button);
    button.focus();
    await userEvent.keyboard('{Enter}');
    expect(accepted).toEqual([false, false, true, true]);
    expect(changes).toEqual([true]);
  });

  it('does not count before', async () => {
    open({ armingMs: 60_000 });
    await userEvent.click(button);
    expect(accepted).toEqual([false]);
  });

  it('does not count while something that lets the pointer through lies over a part of the dialog', async () => {
    open();
    await armed();
    const cloth = cover();
    await disarmed();
    await userEvent.click(button);
    expect(accepted).toEqual([false]);
    cloth.remove();
    await armed();
    await userEvent.click(button);
    expect(accepted).toEqual([false, true]);
  });

  it.each([
    ['an opacity', (element: HTMLElement) => element.style.setProperty('opacity', '0.5')],
    ['a filter', (element: HTMLElement) => element.style.setProperty('filter', 'blur(1px)')],
    ['a rotation', (element: HTMLElement) => element.style.setProperty('transform', 'rotate(3deg)')],
  ])('does not count where what the dialog lies in has %s', async (_, spoil) => {
    spoil(outer);
    open();
    await pause(400);
    expect(guard.isArmed).toBe(false);
    outer.removeAttribute('style');
    await armed();
  });

  it('does not count while a part of the dialog is out of sight', async () => {
    dialog.style.left = '-150px';
    open();
    await pause(400);
    expect(guard.isArmed).toBe(false);
    dialog.style.left = '20px';
    await armed();
  });

  it('waits anew when the dialog was moved, was made larger, or asks for something else', async () => {
    open({ tracksVisibility: false });
    for (const change of [
      () => dialog.style.setProperty('left', '60px'),
      () => dialog.style.setProperty('height', '200px'),
      () => guard.restart(),
      () => dispatchEvent(new Event('resize')),
    ]) {
      await armed();
      changes = [];
      change();
      await expect.poll(() => changes, { interval: 10 }).toEqual([false, true]);
    }
  });

  it('counts where nobody frames the wallet, whatever the browser could tell', async () => {
    outer.style.opacity = '0.5';
    open({ tracksVisibility: false });
    await armed();
    await userEvent.click(button);
    expect(accepted).toEqual([true]);
  });

  it('does not count when the guard is closed', async () => {
    open();
    await armed();
    guard.close();
    await userEvent.click(button);
    expect(accepted).toEqual([false]);
  });
});
