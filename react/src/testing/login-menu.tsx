import type { PasskeyManager, ResumeResult } from 'latchkey';
import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { LoginMenu } from '../login-menu/login-menu.js';
import type { LoginMenuProps } from '../login-menu/props.js';
import { managerOf } from './manager.js';
import { render } from './render.js';

export const menu = page.getByRole('region', { name: /^(Register Account|Login|Recover Account)$/ });
export const field = page.getByRole('textbox', { name: 'Username' });
export const go = page.getByRole('button', { name: 'Continue' });
export const mode = (name: string) => page.getByRole('radio', { name });

export const NOTHING: ResumeResult = { committed: [], dropped: [], pending: [], mismatched: [] };

/** A manager whose flows wait for the test, on a device with a passkey of these accounts, the last used first. */
export function deviceOf(known: () => string[], config: Parameters<typeof managerOf>[1] = {}) {
  const manager = managerOf(null, config);
  vi.spyOn(manager, 'resume').mockImplementation(async () => NOTHING);
  vi.spyOn(manager, 'hasPasskeyCredential').mockImplementation(async (id) => known().includes(id));
  vi.spyOn(manager, 'getRecentLogins').mockImplementation(async () => {
    const [last] = known();
    return {
      accountIds: known(),
      lastUsedAccountId: last === undefined ? null : { nearAccountId: last, deviceNumber: 1 },
    };
  });
  return manager;
}

/** Shows the menu alone on a page: no router and no toaster. */
export async function showMenu<M extends PasskeyManager>(manager: M, props: LoginMenuProps = {}): Promise<M> {
  render(manager, <LoginMenu {...props} />);
  await expect.element(field).toBeVisible();
  // A wallet that has not started takes no name.
  await expect.poll(() => vi.mocked(manager.getRecentLogins).mock.calls.length).toBeGreaterThan(1);
  return manager;
}
