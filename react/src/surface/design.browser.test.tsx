// Specification: core 2
import type { Brand } from 'latchkey/brand';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createReactConfirmer } from '../confirm/react-confirmer.js';
import { ProfileButton } from '../profile/profile-button.js';
import { PasskeyContextProvider } from '../provider.js';
import { THEME_STORAGE_KEY } from '../stored-theme.js';
import { agree, asking, button, dialog, flow, gone, transfer } from '../testing/confirmation.js';
import { managerOf } from '../testing/manager.js';

let root: Root | undefined;
let place: HTMLElement;
afterEach(() => {
  root?.unmount();
  place.remove();
  vi.restoreAllMocks();
});

const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;

it('is on every surface, changes live, and is gone with its provider', async () => {
  await createReactConfirmer().preload();
  place = document.createElement('div');
  document.body.append(place);
  root = createRoot(place);
  const manager = managerOf();
  const show = (brand?: Brand) =>
    root?.render(
      <PasskeyContextProvider manager={manager} {...(brand && { brand })}>
        <ProfileButton />
      </PasskeyContextProvider>,
    );
  show({ accent: '#b28', radius: 4, font: 'Georgia, serif', logo: LOGO });
  const trigger = page.getByRole('button', { name: 'alice' });
  await expect.element(trigger).toBeVisible();
  const token = (of: Element, name: string) => getComputedStyle(of).getPropertyValue(name);
  await expect.poll(() => token(trigger.element(), '--lk-font')).toBe('Georgia, serif');

  const { show: ask, end } = flow();
  const decision = ask(asking([transfer('1')]));
  const confirm = button('Send');
  await expect.element(confirm).toBeVisible();
  expect(getComputedStyle(confirm.element()).fontFamily).toBe('Georgia, serif');
  expect(getComputedStyle(confirm.element()).borderRadius).toBe('4px');
  expect(token(confirm.element(), '--lk-primary')).toBe('light-dark(#bb2288, #c03492)');
  const mark = dialog.element().querySelector('.mark') as Element;
  expect(getComputedStyle(mark).backgroundImage).toContain('data:image/svg+xml');
  expect(getComputedStyle(mark.querySelector('.key') as Element).display).toBe('none');

  show({ accent: '#06c' });
  await expect.poll(() => token(confirm.element(), '--lk-primary')).toContain('light-dark(#0066cc, ');
  expect(getComputedStyle(confirm.element()).borderRadius).toBe('12px');
  root.unmount();
  root = undefined;
  await expect.poll(() => token(confirm.element(), '--lk-primary')).toContain('#211d16');
  await agree('Send');
  expect(await decision).toBe('confirm');
  end();
  await gone();
});

it('has the theme of the page while it is open: a confirmation follows the operating system and another tab', async () => {
  await createReactConfirmer().preload();
  place = document.createElement('div');
  document.body.append(place);
  root = createRoot(place);
  const manager = managerOf(null);
  const confirmers = vi.spyOn(manager, 'setConfirmer');
  localStorage.setItem(THEME_STORAGE_KEY, 'light');
  root.render(<PasskeyContextProvider manager={manager} />);
  await expect.poll(() => confirmers.mock.lastCall?.[0]).toBeTruthy();
  const ended = new AbortController();
  const decision = confirmers.mock.lastCall?.[0]?.show(asking([transfer('1')]), ended.signal);
  const shown = () => document.querySelector<HTMLElement>('latchkey-confirm')?.dataset.latchkeyTheme;
  await expect.poll(shown).toBe('light');

  localStorage.setItem(THEME_STORAGE_KEY, 'dark');
  dispatchEvent(new StorageEvent('storage', { key: THEME_STORAGE_KEY }));
  await expect.poll(shown).toBe('dark');
  ended.abort();
  expect(await decision).toBe('cancel');
  localStorage.removeItem(THEME_STORAGE_KEY);
  await gone();
});

it('keeps the theme that an open confirmation was given when it asks again', async () => {
  const confirmer = createReactConfirmer();
  const ended = new AbortController();
  const model = { ...asking([transfer('1')]), theme: 'light' } as const;
  const shown = () => document.querySelector<HTMLElement>('latchkey-confirm')?.dataset.latchkeyTheme;
  const first = confirmer.show(model, ended.signal);
  await expect.poll(shown).toBe('light');
  confirmer.setTheme('dark');
  const again = confirmer.show({ ...model, behavior: 'requireClick', retry: 'timeout' }, ended.signal);
  expect(await first).toBe('cancel');
  await expect
    .poll(() => document.querySelector('latchkey-confirm')?.shadowRoot?.textContent)
    .toContain('Try again');
  expect(shown()).toBe('dark');
  ended.abort();
  expect(await again).toBe('cancel');
  await gone();
});
