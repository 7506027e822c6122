// Specification: button 2
import type { Brand } from 'latchkey/brand';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page as view } from 'vitest/browser';
import { PasskeyContextProvider } from '../provider.js';
import { THEME_STORAGE_KEY } from '../stored-theme.js';
import {
  confirm,
  done,
  middleOf,
  moveTo,
  type OpenPage,
  parts,
  SDK,
  transfers,
} from '../testing/button-frame.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { TransactionButton } from './transaction-button.js';

const told: unknown[][] = [];
const tell =
  (name: string) =>
  (...values: unknown[]): void =>
    void told.push([name, ...values]);
const shown = (): OpenPage => {
  const [frame, ...more] = document.querySelectorAll('iframe');
  if (!frame || more.length > 0) throw new Error(`${more.length} frames too many`);
  return { frame, told } as unknown as OpenPage;
};
const head = () => parts(shown()).head?.textContent ?? '';

beforeEach(async () => {
  told.length = 0;
  await view.viewport(1280, 1000);
  await moveTo({ x: 5, y: 5 });
});
afterEach(unmount);

function Page({ transactions = transfers }: { transactions?: typeof transfers }) {
  return (
    <div style={{ padding: '400px 300px' }}>
      <TransactionButton
        transactions={[...transactions]}
        sdkBasePath={SDK}
        options={{ waitUntil: 'FINAL' }}
        onSuccess={tell('success')}
        onLoading={tell('loading')}
      />
    </div>
  );
}

it('TransactionButton signs with the account and the wallet of the provider, and reads blocks ahead', async () => {
  const manager = managerOf();
  const sign = vi.spyOn(manager, 'signAndSendTransactions').mockResolvedValue([done, done]);
  const prefetch = vi.spyOn(manager, 'prefetchBlockheight').mockResolvedValue();
  render(manager, <Page />);
  await expect.poll(head, { timeout: 20_000 }).toContain(`signed by ${ALICE}`);
  await moveTo(middleOf(parts(shown()).button));
  await expect.poll(() => prefetch.mock.calls.length).toBe(1);
  await confirm(shown());
  await expect
    .poll(() => told)
    .toEqual([
      ['loading', true],
      ['success', [done, done]],
      ['loading', false],
    ]);
  expect(sign.mock.calls).toEqual([
    [
      {
        nearAccountId: ALICE,
        transactions: transfers,
        options: { waitUntil: 'FINAL', uiDigest: expect.stringMatching(/^[\w-]{43}$/) },
      },
    ],
  ]);
});

it('TransactionButton has the accent and the radius of the provider’s brand, and follows a change of it', async () => {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  const manager = managerOf();
  const show = (brand: Brand) =>
    root.render(
      <PasskeyContextProvider manager={manager} brand={brand}>
        <Page />
      </PasskeyContextProvider>,
    );
  const look = () => {
    const frame = document.querySelector('iframe');
    const { button } = frame ? parts({ frame }) : {};
    if (!button) return [];
    const { backgroundColor, borderTopLeftRadius } = getComputedStyle(button);
    return [backgroundColor, borderTopLeftRadius];
  };
  localStorage.setItem(THEME_STORAGE_KEY, 'light');
  show({ accent: '#7a1f4b', radius: 3 });
  await expect.poll(look, { timeout: 20_000 }).toEqual(['rgb(122, 31, 75)', '3px']);
  show({ accent: '#0b5d3b', radius: 20 });
  await expect.poll(look).toEqual(['rgb(11, 93, 59)', '20px']);
  root.unmount();
  place.remove();
  localStorage.removeItem(THEME_STORAGE_KEY);
});

it('TransactionButton has the theme of the provider where its own is undefined', async () => {
  localStorage.setItem(THEME_STORAGE_KEY, 'dark');
  render(managerOf(), <TransactionButton transactions={transfers} sdkBasePath={SDK} theme={undefined} />);
  const element = () =>
    document.querySelector('iframe')?.contentDocument?.querySelector<HTMLElement>('w3a-button-with-tooltip');
  await expect.poll(() => element()?.dataset.latchkeyTheme, { timeout: 20_000 }).toBe('dark');
  localStorage.removeItem(THEME_STORAGE_KEY);
});

it('TransactionButton follows its props in the frame that it has, and removes it with itself', async () => {
  const manager = managerOf();
  render(manager, <Page />);
  await expect.poll(head, { timeout: 20_000 }).toContain('You send 0.0003 NEAR');
  const { frame } = shown();
  render(manager, <Page transactions={transfers.slice(0, 1)} />);
  await expect.poll(head).toContain('You send 0.0001 NEAR');
  expect(shown().frame).toBe(frame);
  unmount();
  expect(document.querySelector('iframe')).toBeNull();
});
