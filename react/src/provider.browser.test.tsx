// Specification: frame 9, kit 2, kit 4, kit 9
import { type LoginState, PasskeyManager, type RegistrationResult, type ResumeResult } from 'latchkey';
import { sameOriginWallet } from 'latchkey/same-origin';
import { act, type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { loggedOut, type PasskeyContextValue, usePasskeyContext } from './context.js';
import { PasskeyContextProvider } from './provider.js';
import { THEME_STORAGE_KEY } from './stored-theme.js';
import { type AccountInput, useAccountInput } from './use-account-input.js';

const ALICE = 'alice.w3a-v1.testnet';
const settled: ResumeResult = {
  committed: [ALICE],
  dropped: [],
  pending: ['bob.w3a-v1.testnet'],
  mismatched: [],
};

/** A manager whose chain and device answers are stubbed. */
function managerOf(known: string[] = [ALICE]) {
  const manager = new PasskeyManager(
    { relayer: { url: 'http://localhost:1' } },
    { wallet: sameOriginWallet },
  );
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
  vi.spyOn(manager, 'recoverAccountFlow').mockImplementation(async ({ accountId } = {}) => {
    const found = known.find((id) => !accountId || id === accountId);
    session = found ?? null;
    return { success: !!found, accountId: found ?? null, publicKey: null, message: '' };
  });
  vi.spyOn(manager, 'logoutAndClearVrfSession').mockImplementation(async () => {
    session = null;
  });
  vi.spyOn(manager, 'close').mockImplementation(async () => undefined);
  vi.spyOn(manager, 'setUserTheme').mockImplementation(async () => undefined);
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

it('throws when used outside its provider', async () => {
  await expect(render(<Probe />)).rejects.toThrow(
    'usePasskeyContext must be used within a PasskeyContextProvider',
  );
});

it('starts the wallet, draws its confirmations and reports the outcome of lost registrations', async () => {
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

it('looks up again when it is asked during a look-up, which may have begun before the payment it is about', async () => {
  const manager = managerOf();
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  let running = 0;
  let most = 0;
  const resume = vi.mocked(manager.resume).mockImplementation(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return { ...settled, pending: [] };
  });
  await act(() => Promise.all([wallet.resume(), wallet.resume()]).then(() => undefined));
  expect([resume.mock.calls.length, most]).toEqual([2, 1]);
});

it('starts again when it is asked to, after it could not start', async () => {
  const manager = managerOf();
  vi.mocked(manager.init).mockRejectedValueOnce(new Error('the wallet is down'));
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await expect.poll(() => wallet.startError?.message).toBe('the wallet is down');
  let start = (): void => undefined;
  vi.mocked(manager.init).mockReturnValueOnce(
    new Promise((resolve) => {
      start = () => resolve(settled);
    }),
  );
  await act(async () => wallet.startAgain());
  expect([wallet.ready, wallet.startError]).toEqual([false, undefined]);
  start();
  await expect.poll(() => wallet.resumed).toEqual(settled);
  expect(wallet.startError).toBeUndefined();
});

it('starts again by itself when the network returns, and only after it could not start', async () => {
  const manager = managerOf();
  vi.mocked(manager.init).mockRejectedValueOnce(new Error('no network'));
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await expect.poll(() => wallet.startError?.message).toBe('no network');
  await act(async () => void dispatchEvent(new Event('online')));
  await expect.poll(() => wallet.resumed).toEqual(settled);
  expect(wallet.startError).toBeUndefined();
  const starts = vi.mocked(manager.init).mock.calls.length;
  await act(async () => void dispatchEvent(new Event('online')));
  expect(manager.init).toHaveBeenCalledTimes(starts);
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
  await act(() => wallet.logout());
  await expect.element(page.getByText('logged out')).toBeVisible();
});

it('stays logged out when a state read before the logout arrives after it', async () => {
  const manager = managerOf();
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await act(() => wallet.loginPasskey(ALICE).then(() => undefined));
  const before = await manager.getLoginState();
  let answer: (state: LoginState) => void = () => undefined;
  const late = new Promise<LoginState>((resolve) => {
    answer = resolve;
  });
  vi.mocked(manager.getLoginState).mockImplementationOnce(() => late);
  const reading = wallet.refreshLoginState(ALICE);
  await act(() => wallet.logout());
  await act(async () => {
    answer(before);
    await reading;
  });
  await expect.element(page.getByText('logged out')).toBeVisible();
});

it('is logged out when the state cannot be read again, unless an event came meanwhile', async () => {
  const manager = managerOf();
  const heard: ((state: LoginState) => void)[] = [];
  vi.spyOn(manager, 'onLoginStateChange').mockImplementation((hear) => {
    heard.push(hear);
    return () => undefined;
  });
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await act(() => wallet.loginPasskey(ALICE).then(() => undefined));
  const loggedIn = await manager.getLoginState();
  const failing = vi.mocked(manager.getLoginState).mockImplementation(async () => {
    throw new Error('The frame is gone.');
  });
  const refresh = () =>
    act(() => expect(wallet.refreshLoginState(ALICE)).rejects.toThrow('The frame is gone.'));
  await refresh();
  expect(wallet.loginState).toEqual(loggedOut);

  failing.mockImplementation(async () => {
    for (const hear of heard) hear(loggedIn);
    throw new Error('The frame is gone.');
  });
  await refresh();
  expect(wallet.loginState).toEqual(loggedIn);
});

it('lists a registration with an unknown outcome as soon as it ends', async () => {
  const manager = managerOf();
  const unknown = { success: false, pending: true, error: 'no answer' } as unknown as RegistrationResult;
  vi.spyOn(manager, 'registerPasskey').mockImplementation(async () => unknown);
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  const before = wallet.resumed?.pending ?? [];
  for (const _ of ['once', 'tried again'])
    await act(() => wallet.registerPasskey('carol.w3a-v1.testnet').then(() => undefined));
  expect(wallet.resumed?.pending).toEqual([...before, 'carol.w3a-v1.testnet']);
});

it('follows a recovery, which may name its account only at the end', async () => {
  const manager = managerOf();
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await act(() => wallet.recoverAccountFlow({ accountId: 'nobody.testnet' }).then(() => undefined));
  await expect.element(page.getByText('logged out')).toBeVisible();
  await act(() => wallet.recoverAccountFlow().then(() => undefined));
  await expect.element(page.getByText(ALICE)).toBeVisible();
  expect(manager.getLoginState).toHaveBeenLastCalledWith(ALICE);
});

it('follows a logout in another tab and a lost session', async () => {
  const manager = managerOf();
  const heard: ((state: LoginState) => void)[] = [];
  vi.spyOn(manager, 'onLoginStateChange').mockImplementation((listener) => {
    heard.push(listener);
    return () => void heard.splice(heard.indexOf(listener), 1);
  });
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await act(() => wallet.loginPasskey(ALICE).then(() => undefined));
  await expect.element(page.getByText(ALICE)).toBeVisible();
  await act(async () => heard[0]?.(loggedOut));
  await expect.element(page.getByText('logged out')).toBeVisible();
  await render(null);
  expect(heard).toEqual([]);
});

it("stores the chosen theme with the account, and applies the account's stored theme at login", async () => {
  localStorage.setItem(THEME_STORAGE_KEY, 'light');
  const manager = managerOf();
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  expect(wallet.theme).toBe('light');
  await act(async () => wallet.toggleTheme());
  expect(wallet.theme).toBe('dark');
  expect(manager.setUserTheme).not.toHaveBeenCalled();

  const preferences = { useRelayer: false, useNetwork: 'testnet', theme: 'light' } as const;
  vi.mocked(manager.getLoginState).mockResolvedValue({
    isLoggedIn: true,
    nearAccountId: ALICE,
    publicKey: null,
    vrfActive: true,
    userData: {
      nearAccountId: ALICE,
      deviceNumber: 1,
      registeredAt: 1,
      lastLogin: null,
      lastUpdated: 1,
      clientNearPublicKey: 'ed25519:key',
      preferences,
      passkeyProven: true,
    },
  });
  await act(() => wallet.loginPasskey(ALICE).then(() => undefined));
  expect(wallet.theme).toBe('light');
  expect(manager.setUserTheme).not.toHaveBeenCalled();
  await act(async () => wallet.toggleTheme());
  expect(wallet.theme).toBe('dark');
  expect(manager.setUserTheme).toHaveBeenLastCalledWith('dark', ALICE);
});

it('reports why the wallet could not start', async () => {
  const manager = managerOf();
  vi.mocked(manager.init).mockRejectedValue(new Error('no workers here'));
  await render(
    <PasskeyContextProvider manager={manager}>
      <Probe />
    </PasskeyContextProvider>,
  );
  await expect.poll(() => wallet.startError?.message).toBe('no workers here');
});

it("leaves the host's manager running and removes its confirmer on unmount", async () => {
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

it('closes its own manager on the final unmount, not when StrictMode mounts twice', async () => {
  const { prototype } = PasskeyManager;
  const init = vi.spyOn(prototype, 'init').mockResolvedValue(settled);
  const close = vi.spyOn(prototype, 'close').mockResolvedValue(undefined);
  vi.spyOn(prototype, 'getLoginState').mockResolvedValue(loggedOut);
  await render(
    <StrictMode>
      <PasskeyContextProvider config={{ relayer: { url: 'http://localhost:1' } }} wallet={sameOriginWallet} />
    </StrictMode>,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(init).toHaveBeenCalled();
  expect(close).not.toHaveBeenCalled();
  await render(null);
  await expect.poll(() => close.mock.calls.length).toBe(1);
});

it('resolves the typed name and looks up its passkey; the newest input wins', async () => {
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

it("stores the chosen theme and prefers it to the operating system's", async () => {
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
