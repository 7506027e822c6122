import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { deviceOf, field, go, menu, mode, showMenu } from '../testing/login-menu.js';
import { ALICE } from '../testing/manager.js';
import { unmount } from '../testing/render.js';

let known: string[];
beforeEach(() => {
  known = [];
});
afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

describe('the field of the login menu (kit 2, kit 4)', () => {
  it('draws the suffix right after the typed text, and the arrow on a round button that continues', async () => {
    await showMenu(deviceOf(() => known));
    const endOf = (text: string) => page.getByText(text, { exact: true }).element().getBoundingClientRect();
    for (const name of ['al', 'newcomer']) {
      await field.fill(name);
      const suffix = menu.getByText('.w3a-v1.testnet', { exact: true });
      await expect.element(suffix).toBeVisible();
      const { left, width, top, bottom } = suffix.element().getBoundingClientRect();
      expect(left).toBeCloseTo(endOf(name).right, 0);
      expect(width).toBeGreaterThan(50);
      // In the line that is typed.
      const typed = field.element().getBoundingClientRect();
      expect([top >= typed.top, bottom <= typed.bottom]).toEqual([true, true]);
    }
    const button = go.element() as HTMLButtonElement;
    expect([button.type, getComputedStyle(button).borderRadius]).toEqual(['submit', '50%']);
    const arrow = button.querySelector('svg path');
    // A line to the right, with a head.
    expect(arrow?.getAttribute('d')).toMatch(/^M4 10h12M/);
    expect(arrow?.getBoundingClientRect().width).toBeGreaterThan(8);
  });

  it('fills in the account last used whenever the user comes to login with an empty field, and only then', async () => {
    known = [ALICE];
    await showMenu(
      deviceOf(() => known),
      { defaultMode: 'register' },
    );
    await expect.element(field).toHaveValue('');
    await mode('Login').click();
    await expect.element(field).toHaveValue('alice');
    await mode('Recover').click();
    await expect.element(field).toHaveValue('');
    await mode('Login').click();
    await expect.element(field).toHaveValue('alice');
    // A name that the user typed is the user's.
    await mode('Register').click();
    await field.fill('newcomer');
    await mode('Login').click();
    await expect.element(field).toHaveValue('newcomer');
    await field.fill('');
    await mode('Register').click();
    await mode('Login').click();
    await expect.element(field).toHaveValue('alice');
  });

  it.each([
    ['Register', 'registerPasskey'],
    ['Recover', 'recoverAccountFlow'],
  ] as const)(
    'returns from a failed %s to its first mode, with the name typed there gone',
    async (name, call) => {
      known = [ALICE];
      const manager = deviceOf(() => known);
      const failed = { success: false, error: 'no', message: 'no' };
      vi.spyOn(manager, call).mockResolvedValue(failed as never);
      await showMenu(manager);
      await mode(name).click();
      await field.fill('newcomer');
      await go.click();
      await expect.element(menu.getByRole('alert')).toHaveTextContent('Something went wrong.');
      await expect.element(mode('Login')).toBeChecked();
      // Login with an empty field, so the account last used.
      await expect.element(field).toHaveValue('alice');
    },
  );

  it('returns from a failure to the mode that the page asks for', async () => {
    known = [ALICE];
    const manager = deviceOf(() => known);
    vi.spyOn(manager, 'registerPasskey').mockResolvedValue({ success: false, error: 'no' } as never);
    await showMenu(manager, { defaultMode: 'recover' });
    await mode('Register').click();
    await field.fill('newcomer');
    await go.click();
    await expect.element(menu.getByRole('alert')).toHaveTextContent('Something went wrong.');
    await expect.element(mode('Recover')).toBeChecked();
    await expect.element(field).toHaveValue('');
  });
});
