import { cdp } from 'vitest/browser';

/** What the browser needs to press each key. */
const KEYS = {
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  ArrowLeft: { key: 'ArrowLeft', code: 'ArrowLeft', windowsVirtualKeyCode: 37 },
  s: { key: 's', code: 'KeyS', windowsVirtualKeyCode: 83, text: 's' },
};

/**
 * Presses these keys in turn, 24 in all, as a user does in a game from which a page takes the focus with the
 * first press. Each press carries the time when it was made: a busy machine delivers them later, and then not as fast.
 */
export async function mash(...keys: readonly (keyof typeof KEYS)[]): Promise<void> {
  addEventListener('keydown', () => dispatchEvent(new FocusEvent('focus')), { capture: true, once: true });
  const begun = Date.now();
  const all = Array.from({ length: 24 / keys.length }, () => keys).flat();
  for (const [pressed, key] of all.entries()) {
    const press = { ...KEYS[key], timestamp: (begun + pressed * 60) / 1000 };
    await cdp().send('Input.dispatchKeyEvent', { ...press, type: 'keyDown' });
    await cdp().send('Input.dispatchKeyEvent', { ...press, type: 'keyUp' });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
