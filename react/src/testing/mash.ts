import { send } from './cdp.js';

const KEYS = { Enter: 13, ArrowLeft: 37, s: 83 } as const;

/**
 * Presses these keys in turn, 24 in all, as a user does in a game from which a page takes the focus with the
 * first press. Each press carries the time when it was made: a busy machine delivers them later, and then not as fast.
 */
export async function mash(...keys: readonly (keyof typeof KEYS)[]): Promise<void> {
  addEventListener('keydown', () => dispatchEvent(new FocusEvent('focus')), { capture: true, once: true });
  const begun = Date.now();
  const all = Array.from({ length: 24 / keys.length }, () => keys).flat();
  for (const [pressed, key] of all.entries()) {
    const press = { key, code: key === 's' ? 'KeyS' : key, windowsVirtualKeyCode: KEYS[key] };
    const timestamp = (begun + pressed * 60) / 1000;
    const text = { Enter: '\r', s: 's', ArrowLeft: undefined }[key];
    await send('Input.dispatchKeyEvent', { ...press, type: 'keyDown', text, timestamp });
    await send('Input.dispatchKeyEvent', { ...press, type: 'keyUp', timestamp });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
