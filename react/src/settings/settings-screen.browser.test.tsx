// Specification: frame 8, frame 10, kit 2
import { DEFAULT_CONFIRMATION, type UserPreferences, type UserPreferencesChange } from 'latchkey';
import { errorFrom } from 'latchkey/internal';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loggedOut } from '../context.js';
import { mash } from '../testing/mash.js';
import { SettingsScreen, type SettingsScreenProps, type SettingsWallet } from './settings-screen.js';

let root: Root | undefined;
afterEach(() => root?.unmount());

function show(props: Pick<SettingsScreenProps, 'wallet' | 'stopped'>): void {
  root?.unmount();
  root = createRoot(document.createElement('div'));
  root.render(<SettingsScreen open onClose={() => undefined} {...props} />);
}

/** A wallet with one account, or none, that records each stored change. */
function walletOf(accountId: string | null, preferences: Partial<UserPreferences> = {}) {
  const stored: UserPreferencesChange[] = [];
  const wallet: SettingsWallet = {
    getLoginState: async () => ({ ...loggedOut, isLoggedIn: accountId !== null, nearAccountId: accountId }),
    getConfirmationConfig: async () => ({ ...DEFAULT_CONFIRMATION, ...preferences.confirmationConfig }),
    getUserPreferences: async () => ({ useRelayer: true, useNetwork: 'testnet', ...preferences }),
    setUserPreferences: async (change) => {
      stored.push(change);
    },
  };
  return { wallet, stored };
}

const mode = () => page.getByLabelText('Confirmation Options');
const behavior = () => page.getByLabelText('When a request comes');
const delay = () => page.getByLabelText('Delay before it proceeds');

it("shows the user's own choices, and which ones are unset", async () => {
  const { wallet } = walletOf('alice.testnet', {
    theme: 'light',
    confirmationConfig: { behavior: 'autoProceed', autoProceedDelayMs: 1500 },
  });
  show({ wallet });
  await expect.element(page.getByText('alice.testnet')).toBeVisible();
  await expect.element(mode()).toHaveValue('');
  await expect.element(mode()).toHaveTextContent('The app decides');
  await expect.element(behavior()).toHaveValue('autoProceed');
  await expect.element(delay()).toHaveAttribute('aria-valuetext', '1.5s');
  await expect.element(page.getByLabelText('Theme')).toHaveValue('light');
});

it('says of an account without a name alone that no contract checks its passkey', async () => {
  const sentence = page.getByText(/no contract checks its passkey until you register it/);
  show({ wallet: walletOf('719b4e63edac30d60c93c5575586716744a1d376bd504b38185c76f7b889b415').wallet });
  await expect.element(sentence).toBeVisible();
  show({ wallet: walletOf('alice.testnet').wallet });
  await expect.element(page.getByText('alice.testnet')).toBeVisible();
  expect(sentence.query()).toBeNull();
});

it('lets a site ask again that the user told to stop, also without a session', async () => {
  const { wallet } = walletOf(null);
  const allowed: string[] = [];
  const host = 'https://shop.example';
  show({ wallet, stopped: { host, allow: () => void allowed.push(host) } });
  await expect.element(page.getByRole('status')).toHaveTextContent('may not ask you for anything');
  const allow = page.getByRole('button', { name: 'Allow requests again' });
  // A press does not count while the screen still moves: the user presses again.
  await expect
    .poll(async () => {
      await allow.click({ timeout: 2_000 }).catch(() => undefined);
      return allowed.length;
    })
    .toBe(1);
  await expect.element(page.getByRole('status')).toHaveTextContent('may ask you again');
  expect(allowed).toEqual([host]);
});

it('stores only the setting that changed', async () => {
  const { wallet, stored } = walletOf('alice.testnet');
  show({ wallet });
  await userEvent.selectOptions(behavior(), 'Auto proceed');
  await expect.element(page.getByText('Saved')).toBeVisible();
  await userEvent.selectOptions(page.getByLabelText('Theme'), 'Light');
  await expect.poll(() => stored).toHaveLength(2);
  expect(stored).toEqual([{ confirmationConfig: { behavior: 'autoProceed' } }, { theme: 'light' }]);
});

it('takes a choice back, and the delay with it', async () => {
  const { wallet, stored } = walletOf('alice.testnet', {
    theme: 'light',
    confirmationConfig: { uiMode: 'drawer', behavior: 'autoProceed', autoProceedDelayMs: 1500 },
  });
  show({ wallet });
  for (const setting of [mode(), behavior(), page.getByLabelText('Theme')]) {
    await userEvent.selectOptions(setting, 'The app decides');
    await expect.element(setting).toHaveValue('');
  }
  await expect
    .poll(() => stored)
    .toEqual([
      { confirmationConfig: { uiMode: null } },
      { confirmationConfig: { behavior: null, autoProceedDelayMs: null } },
      { theme: null },
    ]);
});

it('moves the delay by half seconds, from 0s to 3s', async () => {
  const { wallet, stored } = walletOf('alice.testnet', { confirmationConfig: { behavior: 'autoProceed' } });
  show({ wallet });
  await expect.element(delay()).toHaveAttribute('max', '6');
  await expect.element(delay()).toBeEnabled();
  (delay().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => stored).toEqual([{ confirmationConfig: { autoProceedDelayMs: 500 } }]);
  await userEvent.keyboard('{End}');
  await expect.element(delay()).toHaveAttribute('aria-valuetext', '3s');
});

it('is not changed by keys that are mashed while a page moves the focus into it [S29]', async () => {
  const { wallet, stored } = walletOf('alice.testnet', {
    confirmationConfig: { behavior: 'autoProceed', autoProceedDelayMs: 1000 },
  });
  show({ wallet });
  await expect.element(delay()).toBeEnabled();
  (delay().element() as HTMLElement).focus();
  await mash('ArrowLeft', 's', 'Enter');
  expect(stored).toEqual([]);
  const press = async () => {
    await expect.element(delay()).toBeEnabled();
    (delay().element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowLeft}');
    return stored.length;
  };
  await expect.poll(press, { interval: 700, timeout: 20_000 }).toBe(1);
});

it('disables settings without effect in skip mode, and the delay when a click is required', async () => {
  const { wallet } = walletOf('alice.testnet', { confirmationConfig: { behavior: 'requireClick' } });
  show({ wallet });
  await expect.element(behavior()).toBeEnabled();
  await expect.element(delay()).toBeDisabled();
  await userEvent.selectOptions(mode(), 'Skip: no confirmation where that is safe');
  await expect.element(behavior()).toBeDisabled();
  await expect.element(delay()).toBeDisabled();
});

it('asks to log in first, and shows why a choice was not saved', async () => {
  show({ wallet: walletOf(null).wallet });
  await expect.element(page.getByText('Log in first')).toBeVisible();
  const { wallet } = walletOf('alice.testnet');
  const refusing = {
    ...wallet,
    setUserPreferences: () => Promise.reject(errorFrom({ code: 'STORAGE_FULL', message: 'No room' })),
  };
  show({ wallet: refusing });
  await userEvent.selectOptions(mode(), 'Drawer: from the lower edge');
  await expect.element(page.getByRole('alert')).toHaveTextContent('This device has no room left');
  await expect.element(mode()).toHaveValue('');
});
