import { type LoginState, PasskeyManager, type ResumeResult } from 'latchkey';
import { act, type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loggedOut, type PasskeyContextValue, usePasskeyContext } from './context.js';
import { PasskeyContextProvider } from './provider.js';
import { THEME_STORAGE_KEY } from './theme.js';
import { type AccountInput, useAccountInput } from './use-account-input.js';

const ALICE = 'alice.w3a-v1.testnet';
const settled: ResumeResult = {
  committed: [ALICE],
  dropped: [],
  pending: ['bob.w3a-v1.testnet'],
  mismatched: [],
};

/** A manager whose wallet is a table of answers: what it says of the chain and of this device. */
function managerOf(known: string[] = [ALICE]) {
  const manager = new PasskeyManager({ relayer: { url: 'http://localhost:1' } });
  let session: string | null = null;
  const state = (): LoginState => ({
    isLoggedIn: session !== null,
    nearAccountId: session,
    publicKey: null,
    vrfActive: session !== null,
    userData: null,
  });
  vi.spyOn(manager, 'init').mockImplementation(async () => settled);
  vi.spyOn(manager, 'resume').mockImplementation(async () => ({ ...settled, pending: [] }));
  vi.spyOn(manager, 'getLoginState').mockImplementation(async () => state());
  vi.spyOn(manager, 'hasPasskeyCredential').mockImplementation(async (id) => known.includes(id));
  vi.spyOn(manager, 'getRecentLogins').mockImplementation(async () => ({
    accountIds: known,
    lastUsedAccountId: known[0] ? { nearAccountId: known[0], deviceNumber: 1 } : null,
  }));
  vi.spyOn(manager, 'loginPasskey').mockImplementation(async (id) => {
    session = id;
    return { success: true, nearAccountId: id, loggedInNearAccountId: id, clientNearPublicKey: null };
  });
  vi.spyOn(manager, 'logoutAndClearVrfSession').mockImplementation(async () => {
    session = null;
  });
  vi.spyOn(manager, 'close').mockImplementation(async () => undefined);
  vi.spyOn(manager, 'setConfirmationConfig').mockImplementation(async () => undefined);
  vi.spyOn(manager, 'setConfirmer');
  return manager;
}

let root: Root;
let container: HTMLElement;
let wallet: PasskeyContextValue;
let input: AccountInput;

function Probe() {
  wallet = usePasskeyContext();
  input = useAccountInput();
  return <output>{wallet.ready ? (wallet.loginState.nearAccountId ?? 'logged out') : 'starting'}</output>;
}

async function render(node: ReactNode) {
  await act(async () => root.render(node));
}

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  localStorage.clear();
  container = document.createElement('div');
  document.body.append(container);
  root = createRoot(container, { onUncaughtError: () => undefined });
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.restoreAllMocks();
});

it('refuses to be used outside its provider', async () => {
  await expect(render(<Probe />)).rejects.toThrow(
    'usePasskeyContext must be used within a PasskeyContextProvider',
  );
});

it('starts the wallet, draws its confirmations and tells what became of lost registrations', async () => {
  const manager = managerOf();
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await expect.element(page.getByText('logged out')).toBeVisible();
  expect(manager.setConfirmer).toHaveBeenLastCalledWith(
    expect.objectContaining({ show: expect.any(Function) }),
  );
  expect(wallet.resumed).toEqual(settled);
  await act(() => wallet.resume().then(() => undefined));
  expect(wallet.resumed?.pending).toEqual([]);
});

it('follows login and logout', async () => {
  await render(
    <PasskeyContextProvider manager={managerOf()}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await act(() => wallet.loginPasskey(ALICE).then(() => undefined));
  await expect.element(page.getByText(ALICE)).toBeVisible();
  expect(wallet.resumed?.committed).toEqual([]);
  expect(vi.mocked(wallet.passkeyManager.setConfirmationConfig)).toHaveBeenLastCalledWith({
    theme: wallet.theme,
  });
  await act(() => wallet.logout());
  await expect.element(page.getByText('logged out')).toBeVisible();
});

it('says why the wallet could not start', async () => {
  const manager = managerOf();
  vi.mocked(manager.init).mockRejectedValue(new Error('no workers here'));
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await expect.poll(() => wallet.startError?.message).toBe('no workers here');
});

it('leaves a manager of the host running and takes its confirmer back', async () => {
  const manager = managerOf();
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await render(null);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(manager.setConfirmer).toHaveBeenLastCalledWith(null);
  expect(manager.close).not.toHaveBeenCalled();
});

it('ends a manager of its own when it goes for good, not when React mounts twice', async () => {
  const { prototype } = PasskeyManager;
  const init = vi.spyOn(prototype, 'init').mockResolvedValue(settled);
  const close = vi.spyOn(prototype, 'close').mockResolvedValue(undefined);
  vi.spyOn(prototype, 'getLoginState').mockResolvedValue(loggedOut);
  await render(
    <StrictMode>
      <PasskeyContextProvider config={{ relayer: { url: 'http://localhost:1' } }} />
    </StrictMode>,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(init).toHaveBeenCalled();
  expect(close).not.toHaveBeenCalled();
  await render(null);
  await expect.poll(() => close.mock.calls.length).toBe(1);
});

it('resolves the typed name and looks its passkey up, the newest typing winning', async () => {
  const manager = managerOf([ALICE, 'carol.testnet']);
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await expect.poll(() => input.lastUsedUsername).toBe('alice');
  await act(async () => input.setInputUsername('Carol'));
  expect(input).toMatchObject({
    inputUsername: 'carol',
    targetAccountId: 'carol.testnet',
    displayPostfix: '.testnet',
    isUsingExistingAccount: true,
    accountExists: true,
  });

  let answerSlow: (exists: boolean) => void = () => undefined;
  vi.mocked(manager.hasPasskeyCredential).mockImplementationOnce(
    () => new Promise((resolve) => (answerSlow = resolve)),
  );
  await act(async () => input.setInputUsername('alice'));
  await act(async () => input.setInputUsername('dave'));
  await act(async () => answerSlow(true));
  expect(input).toMatchObject({ targetAccountId: 'dave.w3a-v1.testnet', accountExists: false });
  await act(async () => input.setInputUsername(''));
  expect(input).toMatchObject({ targetAccountId: '', accountExists: false });
});

it('keeps the chosen theme and prefers it to the operating system', async () => {
  localStorage.setItem(THEME_STORAGE_KEY, 'dark');
  await render(
    <PasskeyContextProvider manager={managerOf()}>
      <Probe />
    </PasskeyContextProvider>,
  );
  expect(wallet.theme).toBe('dark');
  await act(async () => wallet.toggleTheme());
  expect(wallet.theme).toBe('light');
  expect(localStorage.getItem(THEME_STORAGE_KEY)).toBe('light');
  localStorage.clear();
  await act(async () => void dispatchEvent(new StorageEvent('storage', { key: null })));
  expect(wallet.theme).toBe(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
});
