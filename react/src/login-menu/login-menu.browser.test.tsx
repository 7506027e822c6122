import axe from 'axe-core';
import type {
  DeviceCheck,
  LatchkeyErrorCode,
  PasskeyManager,
  RecoveryResult,
  RegisterButtonOptions,
  RegistrationResult,
} from 'latchkey';
import { errorFrom } from 'latchkey/internal';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MISSING_PASSKEY_TEXT } from '../format/missing-passkey.js';
import { THEME_STORAGE_KEY } from '../stored-theme.js';
import { deviceOf, field, go, menu, mode, NOTHING, showMenu } from '../testing/login-menu.js';
import { ALICE } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import type { PasskeyToast } from '../toasts/toast.js';
import { LoginMenu } from './login-menu.js';
import type { LoginMenuProps } from './props.js';

type Told<Call extends 'registerPasskey' | 'loginPasskey'> = NonNullable<Parameters<PasskeyManager[Call]>[1]>;

const NEWCOMER = 'newcomer.w3a-v1.testnet';
const status = (text: string) => page.getByRole('status').filter({ hasText: text });
const hasFocus = (locator: typeof field) => () => locator.element().matches(':focus');
/** The accounts that this device has a passkey of, the last used first. */
let known: string[];

/** A manager whose flows wait for the test. */
const deviceWith = (config: Parameters<typeof deviceOf>[1] = {}) => deviceOf(() => known, config);
const FRAMED = { iframeWallet: { walletOrigin: 'http://wallet.localhost:1' } };

/** A result that the test gives later. */
function answer() {
  let end: (result: object) => void = () => undefined;
  const promise = new Promise<object>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

const shown = (manager = deviceWith(), props: LoginMenuProps = {}) => showMenu(manager, props);

/** A registration that runs until the test ends it. */
function registrations(manager: PasskeyManager) {
  const asked: { accountId: string; options: Told<'registerPasskey'>; end: (result: object) => void }[] = [];
  vi.spyOn(manager, 'registerPasskey').mockImplementation(
    (accountId, options = {}) =>
      new Promise((resolve) =>
        asked.push({ accountId, options, end: (result) => resolve(result as RegistrationResult) }),
      ),
  );
  return asked;
}
const registering = async (asked: ReturnType<typeof registrations>) => {
  await expect.poll(() => asked.length).toBe(1);
  return asked[0] as (typeof asked)[0];
};

beforeEach(() => {
  known = [];
});
afterEach(() => {
  unmount();
  localStorage.removeItem(THEME_STORAGE_KEY);
  vi.restoreAllMocks();
});

const within = (check: object) => {
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Telegram';
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iPhone);
  const manager = deviceWith();
  vi.spyOn(manager, 'checkDevice').mockImplementation(async () => check as DeviceCheck);
  return manager;
};

describe('an account without a name', () => {
  const entry = page.getByRole('button', { name: /^Create a wallet without a name/ });

  it('is offered only where the operator turns it on, and next to a new name alone', async () => {
    await shown();
    await expect.element(page.getByText('How it works')).toBeVisible();
    await expect.element(entry).not.toBeInTheDocument();
    unmount();
    await shown(deviceWith(), { namelessAccounts: true });
    await expect.element(entry).toBeVisible();
    await userEvent.click(mode('Login'));
    await expect.element(entry).not.toBeInTheDocument();
  });

  it('is made by one press, whatever was typed, and is logged in', async () => {
    const manager = deviceWith();
    const accountId = 'e1'.repeat(32);
    const making = answer();
    const create = vi.spyOn(manager, 'createAccount').mockReturnValue(making.promise as never);
    const onLoggedIn = vi.fn();
    await shown(manager, { namelessAccounts: true, onLoggedIn });
    await field.fill('newcomer');
    await userEvent.click(entry);
    await expect.element(page.getByText('Registering passkey…')).toBeVisible();
    await expect.element(page.getByText('newcomer')).not.toBeInTheDocument();
    expect(create).toHaveBeenCalledTimes(1);
    expect(create.mock.calls[0]?.[0]?.options?.confirmationConfig).toEqual({ behavior: 'autoProceed' });
    making.end({ success: true, nearAccountId: accountId, publicKey: 'ed25519:k', passkeyProven: false });
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([[accountId]]);
  });

  it('that fails says why in the menu', async () => {
    const manager = deviceWith();
    vi.spyOn(manager, 'createAccount').mockResolvedValue({
      success: false,
      error: 'No PRF.',
      errorCode: 'PRF_MISSING',
      nearAccountId: null,
      publicKey: null,
      passkeyProven: false,
    });
    await shown(manager, { namelessAccounts: true });
    await userEvent.click(entry);
    await expect.element(page.getByRole('alert')).toBeVisible();
  });
});

describe('in the browser of an app', () => {
  it('says where to go before a name is chosen, with a way there', async () => {
    render(
      within({ canUsePasskeys: 'no', openIn: 'Safari', error: 'Not here.', errorCode: 'IN_APP_BROWSER' }),
      <LoginMenu />,
    );
    await expect.element(page.getByRole('heading', { name: 'Continue in Safari' })).toBeVisible();
    await expect.element(page.getByRole('alert')).toHaveTextContent('This app’s browser can’t use passkeys.');
    const open = page.getByRole('link', { name: 'Open in Safari' });
    await expect.element(open).toHaveAttribute('href', `x-safari-${location.href}`);
    await expect.element(field).not.toBeInTheDocument();
    expect((await axe.run(document.body)).violations).toEqual([]);
  });

  it('is as elsewhere where the wallet can use passkeys', async () => {
    await showMenu(within({ canUsePasskeys: 'yes' }));
    await expect.element(field).toBeVisible();
  });
});

describe('in a browser of a version that is known (core 5)', () => {
  it.each([
    [
      'that passkeys work in part',
      { canUsePasskeys: 'unknown', warning: 'Update it.', warningCode: 'IOS_OUTDATED' },
      'On this iOS, your account would open on this device alone.',
    ],
    [
      'that no passkey works',
      { canUsePasskeys: 'no', error: 'Update it.', errorCode: 'PRF_UNSUPPORTED' },
      'Passkeys in this browser lack something this wallet needs.',
    ],
  ])('says %s before a name is chosen, and after one is', async (_, check, said) => {
    await showMenu(within(check));
    await expect.element(menu.getByRole('alert')).toHaveTextContent(said);
    await field.fill('alice');
    await expect.element(menu.getByRole('alert')).toHaveTextContent(said);
  });
});

describe('the login menu on a page of its own (kit 2, kit 4)', () => {
  it.each([
    ['Register', 'Register Account', 'Create a wallet with Passkey', 'Pick a username'],
    ['Login', 'Login', 'Login with Passkey', 'Enter your username'],
    ['Recover', 'Recover Account', 'Restore a wallet with Passkey', 'Leave blank to discover accounts'],
  ])('names the mode %s by the texts of the specification', async (name, title, subtitle, placeholder) => {
    await shown();
    await mode(name).click();
    await expect.element(menu.getByRole('heading', { name: title })).toBeVisible();
    await expect.element(menu.getByText(subtitle)).toBeVisible();
    await expect.element(field).toHaveAttribute('placeholder', placeholder);
  });

  it('starts with login and the account last used, and drops that name in another mode', async () => {
    known = [ALICE];
    await shown();
    await expect.element(mode('Login')).toBeChecked();
    await expect.element(field).toHaveValue('alice');
    await mode('Register').click();
    await expect.element(field).toHaveValue('');
  });

  it('starts in the mode that the page asks for', async () => {
    known = [ALICE];
    await shown(deviceWith(), { defaultMode: 'recover' });
    await expect.element(mode('Recover')).toBeChecked();
  });

  it('looks for a passkey on this device first, shows Register where there is none, and then asks every device', async () => {
    const manager = deviceWith();
    const none = {
      success: false,
      accountId: null,
      publicKey: null,
      message: 'None.',
      error: 'None.',
      errorCode: 'NO_PASSKEY_HERE',
    } as unknown as RecoveryResult;
    const recover = vi.spyOn(manager, 'recoverAccountFlow').mockResolvedValueOnce(none);
    recover.mockImplementation(() => new Promise<never>(() => undefined));
    await shown(manager, { defaultMode: 'recover' });
    await go.click();
    await expect.element(mode('Register')).toBeChecked();
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('This device has no passkey for this wallet.');
    await mode('Recover').click();
    await go.click();
    await expect.element(status('Waiting for Passkey…')).toBeVisible();
    expect(recover.mock.calls.map(([request]) => request?.options?.immediate)).toEqual([true, false]);
  });

  it('recovers by the passkey alone where no account can have the typed name, and says what is wrong with it', async () => {
    const manager = deviceWith();
    const recover = vi
      .spyOn(manager, 'recoverAccountFlow')
      .mockImplementation(() => new Promise<never>(() => undefined));
    await shown(manager, { defaultMode: 'recover' });
    await field.fill('al ice');
    await expect.element(menu.getByText('A name has no spaces.')).toBeVisible();
    await go.click();
    await expect.element(status('Waiting for Passkey…')).toBeVisible();
    expect(recover.mock.calls.map(([request]) => request?.accountId)).toEqual(['']);
    await expect.element(page.getByText('al ice')).not.toBeInTheDocument();
  });

  it('registers a name, shows the wait with a way back, and reports events, toasts and the account', async () => {
    const manager = deviceWith();
    const asked = registrations(manager);
    const toasts: PasskeyToast[] = [];
    const [onEvent, onLoggedIn, onViewChange] = [vi.fn(), vi.fn(), vi.fn()];
    await shown(manager, { onEvent, onLoggedIn, onViewChange, onToast: (toast) => toasts.push(toast) });
    await field.fill('Newcomer');
    await go.click();
    const { accountId, options, end } = await registering(asked);
    expect(accountId).toBe(NEWCOMER);
    await expect.element(status('Registering passkey…')).toBeVisible();
    await expect.element(page.getByText(NEWCOMER)).toBeVisible();
    await expect.poll(hasFocus(page.getByRole('button', { name: 'Back' }))).toBe(true);
    expect(onViewChange.mock.calls).toEqual([['waiting']]);

    const event = { flow: 'registration', step: 3, message: '' } as const;
    const data = { transactionId: 'abc' };
    options.onEvent?.({ ...event, phase: 'access-key-addition', status: 'success', data });
    options.onEvent?.({ ...event, phase: 'registration-complete', status: 'success' });
    expect(onEvent).toHaveBeenCalledTimes(2);
    await expect
      .poll(() => toasts.map(({ text }) => text))
      .toEqual(['Creating account…', 'Registration completed successfully (transaction abc)']);
    end({ success: true, nearAccountId: NEWCOMER });
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([[NEWCOMER]]);
  });

  it('ends a flow at Back, says what went wrong, and gives the empty field the focus', async () => {
    const manager = deviceWith();
    const asked = registrations(manager);
    await shown(manager);
    await field.fill('newcomer');
    await userEvent.keyboard('{Enter}');
    const { options, end } = await registering(asked);
    await page.getByRole('button', { name: 'Back' }).click();
    expect(options.signal?.aborted).toBe(true);
    end({
      success: false,
      error: 'Registration was cancelled.',
      errorCode: 'REGISTRATION_CANCELLED',
    });
    await expect.element(menu.getByRole('alert')).toHaveTextContent('Registration was cancelled.');
    await expect.element(field).toHaveValue('');
    await expect.poll(hasFocus(field)).toBe(true);
  });

  it('says during a login that it waits, and keeps the name after a failure', async () => {
    known = [ALICE];
    const manager = deviceWith();
    const loggingIn = answer();
    vi.spyOn(manager, 'loginPasskey').mockImplementation((_, options = {}) => {
      const event = { flow: 'login', step: 2, message: '' } as const;
      options.onEvent?.({ ...event, phase: 'webauthn-assertion', status: 'progress' });
      return loggingIn.promise as ReturnType<PasskeyManager['loginPasskey']>;
    });
    const onToast = vi.fn();
    await shown(manager, { onToast });
    await go.click();
    await expect.element(status('Waiting for Passkey…')).toBeVisible();
    loggingIn.end({ success: false, error: 'no', errorCode: 'LOGIN_CANCELLED' });
    await expect.element(menu.getByRole('alert')).toHaveTextContent('Login was cancelled.');
    await expect.element(menu.getByText(MISSING_PASSKEY_TEXT)).toBeVisible();
    await expect.element(field).toHaveValue('alice');
    // The menu says it, so no toast repeats it.
    expect(onToast).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'login', kind: 'dismiss' }));
  });

  it.each([
    ['a linked device and the recovery phrase', true, ['Use a linked device', 'Use a recovery phrase']],
    ['a linked device, where the wallet may take no phrase', false, ['Use a linked device']],
  ])('offers where a passkey may be missing: %s', async (_, sameOrigin, ways) => {
    known = [ALICE];
    const manager = deviceWith({ keyExport: { sameOrigin } });
    vi.spyOn(manager, 'loginPasskey').mockImplementation(async (_account, options = {}) => {
      const event = { flow: 'login', step: 2, message: '' } as const;
      options.onEvent?.({ ...event, phase: 'webauthn-assertion', status: 'progress' });
      return { success: false, error: 'no', errorCode: 'LOGIN_CANCELLED' } as never;
    });
    const restore = vi
      .spyOn(manager, 'recoverWithPhrase')
      .mockImplementation(() => new Promise(() => undefined));
    await shown(manager);
    await go.click();
    const offered = menu.getByRole('button', { name: /^Use a/ });
    await expect.poll(() => offered.elements().map((button) => button.textContent)).toEqual(ways);
    if (sameOrigin) {
      await menu.getByRole('button', { name: 'Use a recovery phrase' }).click();
      expect(restore.mock.calls[0]?.[0]?.nearAccountId).toBe(ALICE);
      return;
    }
    await menu.getByRole('button', { name: 'Use a linked device' }).click();
    await expect.element(page.getByRole('heading', { name: 'Scan and Link Device' })).toBeVisible();
  });

  it('says a failure in a person’s words, with its code and its own words under Details', async () => {
    known = [ALICE];
    const manager = deviceWith();
    const error = 'Two chain nodes gave different answers';
    vi.spyOn(manager, 'loginPasskey').mockResolvedValue({
      success: false,
      error,
      errorCode: 'RPC_DISAGREEMENT',
    } as never);
    await shown(manager);
    await go.click();
    await expect
      .element(menu.getByRole('alert'))
      .toHaveTextContent(
        'Two network servers disagree about your account, so nothing was done. Try again later.',
      );
    expect(menu.getByText(error).query()?.checkVisibility() ?? false).toBe(false);
    await menu.getByText('Details').click();
    await expect.element(menu.getByText(error)).toBeVisible();
    await expect.element(menu.getByText('RPC_DISAGREEMENT')).toBeVisible();
  });

  it('moves the focus to its title when the page asks for it, such as after a logout', async () => {
    await shown(deviceWith(), { autoFocus: true });
    await expect.poll(hasFocus(menu.getByRole('heading', { name: 'Register Account' }))).toBe(true);
    await userEvent.keyboard('{Tab}');
    await expect.poll(hasFocus(field)).toBe(true);
  });

  it('leaves the focus of the page alone otherwise', async () => {
    await shown();
    expect(document.activeElement).toBe(document.body);
  });

  it('shows what an earlier visit left, and offers to finish a link', async () => {
    const manager = deviceWith();
    vi.spyOn(manager, 'init').mockImplementation(
      async () => ({ ...NOTHING, committed: [NEWCOMER], unfinished: ['eve.testnet'] }) as never,
    );
    const finish = vi.fn(async (..._: unknown[]) => ({ success: true }));
    Object.assign(manager, { finishDeviceLinking: finish });
    const [onToast, onLoggedIn] = [vi.fn(), vi.fn()];
    await shown(manager, { onToast, onLoggedIn });
    const text = `${NEWCOMER} is registered. You can log in.`;
    await expect.poll(() => onToast.mock.calls).toEqual([[expect.objectContaining({ text })]]);
    await menu.getByRole('button', { name: 'Finish linking' }).click();
    expect(finish).toHaveBeenCalledWith('eve.testnet', expect.anything());
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([['eve.testnet']]);
  });
});

describe('a newcomer (kit 4)', () => {
  it('is told at Register what a passkey is and that the name stays, and at no other mode', async () => {
    await shown();
    await expect
      .element(menu.getByText('No password. Use your face, fingerprint or device PIN.'))
      .toBeVisible();
    await expect.element(field).toHaveAccessibleDescription(/Public\. You can’t change it later\./);
    const how = menu.getByText('Your device makes a passkey.');
    expect(how.element().checkVisibility()).toBe(false);
    await menu.getByText('How it works').click();
    await expect.element(how).toBeVisible();
    await mode('Login').click();
    await expect.element(menu.getByText('Public.')).not.toBeInTheDocument();
    await expect.element(menu.getByText('No password.')).not.toBeInTheDocument();
  });

  it('reads what is wrong with a name in the place of what a name is', async () => {
    await shown();
    await field.fill('al ice');
    await expect.element(status('A name has no spaces.')).toBeVisible();
    await expect.element(menu.getByText('Public.')).not.toBeInTheDocument();
  });
});

describe('a lost account (kit 4)', () => {
  const ways = () =>
    page
      .getByRole('group', { name: 'Ways back to your account' })
      .getByRole('button')
      .elements()
      .map((way) => way.querySelector('strong')?.textContent);

  it.each([
    ['three ways back', true, ['Passkey on this device', 'Another device', 'Recovery phrase']],
    ['two, where the wallet takes no phrase', false, ['Passkey on this device', 'Another device']],
  ])('has %s', async (_, sameOrigin, expected) => {
    await shown(deviceWith({ keyExport: { sameOrigin } }), { defaultMode: 'recover' });
    await expect.poll(ways).toEqual(expected);
    await expect.element(menu.getByRole('button', { name: 'Scan and Link Device' })).not.toBeInTheDocument();
  });

  it('is looked for by the passkey with the typed name, and on another device by its code', async () => {
    const manager = deviceWith();
    const recover = vi
      .spyOn(manager, 'recoverAccountFlow')
      .mockImplementation(() => new Promise<never>(() => undefined));
    Object.assign(manager, { startDevice2LinkingFlow: () => new Promise(() => undefined) });
    await shown(manager, { defaultMode: 'recover' });
    await field.fill('newcomer');
    await menu.getByRole('button', { name: /^Passkey on this device/ }).click();
    await expect.element(status('Waiting for Passkey…')).toBeVisible();
    expect(recover.mock.calls[0]?.[0]?.accountId).toBe(NEWCOMER);
    unmount();
    await shown(deviceWith(), { defaultMode: 'recover' });
    await menu.getByRole('button', { name: /^Another device/ }).click();
    await expect.element(page.getByRole('region', { name: 'Scan and Link Device' })).toBeVisible();
  });
});

describe('a wallet that does not start (frame 9)', () => {
  function failing(code: LatchkeyErrorCode) {
    const manager = deviceWith();
    return {
      manager,
      init: vi.spyOn(manager, 'init').mockRejectedValue(errorFrom({ code, message: 'No.' })),
    };
  }
  const region = page.getByRole('region', { name: 'The wallet could not start' });

  it('has its reason in the place of the form, and the form again after another try', async () => {
    const { manager, init } = failing('WALLET_FRAME_UNREACHABLE');
    render(manager, <LoginMenu />);
    await expect.element(region.getByRole('alert')).toHaveTextContent('The wallet can’t be reached.');
    init.mockResolvedValue(NOTHING);
    expect(field.query()).toBeNull();
    await region.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(field).toBeVisible();
    expect(region.query()).toBeNull();
  });

  it('offers no other try to a site that the wallet does not allow', async () => {
    render(failing('HOST_NOT_ALLOWED').manager, <LoginMenu />);
    await expect.element(region.getByRole('alert')).toHaveTextContent('isn’t set up for this wallet');
    expect(region.getByRole('button').elements()).toEqual([]);
    expect(field.query()).toBeNull();
  });
});

describe('a recovery phrase', () => {
  const use = page.getByRole('button', { name: /^Recovery phrase/ });
  const restored = { nearAccountId: ALICE, deviceNumber: 2, publicKey: null, transactionIds: [] };

  it('opens the account in the recovery mode, with the name that is typed, and says why it did not', async () => {
    const onLoggedIn = vi.fn();
    const manager = await shown(deviceWith({ keyExport: { sameOrigin: true } }), { onLoggedIn });
    const recover = vi
      .spyOn(manager, 'recoverWithPhrase')
      .mockResolvedValueOnce({
        ...restored,
        success: false,
        error: 'The chain is down',
        errorCode: 'NEAR_RPC_FAILED',
        isLoggedIn: false,
      })
      .mockResolvedValueOnce({ ...restored, success: true, isLoggedIn: false });
    const logIn = vi
      .spyOn(manager, 'loginPasskey')
      .mockResolvedValue({ success: true, nearAccountId: ALICE } as never);
    expect(use.query()).toBeNull();
    await userEvent.click(mode('Recover'));
    await use.click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('The network didn’t answer.');
    expect(onLoggedIn).not.toHaveBeenCalled();
    await field.fill('alice');
    await use.click();
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([[ALICE]]);
    expect(recover.mock.calls.map(([args]) => args?.nearAccountId)).toEqual([undefined, ALICE]);
    // A restoration that continued an earlier one may leave the login to do.
    expect(logIn.mock.calls).toEqual([[ALICE]]);
  });

  it('is not offered in a page whose scripts could read it', async () => {
    await shown();
    await userEvent.click(mode('Recover'));
    await expect.element(page.getByRole('heading', { name: 'Recover Account' })).toBeVisible();
    expect(use.query()).toBeNull();
  });
});

describe('a typed name (kit 5)', () => {
  it('that is taken is marked for two seconds, and the reason and the way out stay', async () => {
    known = ['bob.w3a-v1.testnet', ALICE];
    await shown();
    await mode('Register').click();
    await field.fill('alice');
    const typedAt = performance.now();
    const hint = menu.getByText('name taken', { exact: true });
    await expect.element(hint).toBeVisible();
    await expect.element(hint, { timeout: 5000 }).not.toBeInTheDocument();
    expect(performance.now() - typedAt).toBeGreaterThan(2000);
    await expect.element(status(`This device has ${ALICE} already.`)).toBeVisible();
    await expect.element(go).toHaveAttribute('aria-disabled', 'true');
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    await menu.getByRole('button', { name: 'Log in with it' }).click();
    await expect.element(mode('Login')).toBeChecked();
    await expect.element(field).toHaveValue('alice');
    await expect.element(go).toHaveAttribute('aria-disabled', 'false');
  });

  it('that no account can have is judged while it is typed, and asks the wallet nothing', async () => {
    const manager = deviceWith();
    const asked = registrations(manager);
    await shown(manager);
    const long = 'x'.repeat(64);
    await field.fill(long);
    const advice = status('This name is 28 characters too long. It can have 36 characters at most.');
    await expect.element(advice).toBeVisible();
    await expect.element(field).toHaveAccessibleDescription(/36 characters at most/);
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveValue(long);
    await field.fill('al ice');
    await expect.element(status('A name has no spaces.')).toBeVisible();
    await field.fill('alice');
    await expect.element(status('A name has no spaces.')).not.toBeInTheDocument();
    await expect.element(field).toHaveAttribute('aria-invalid', 'false');
    expect(asked).toEqual([]);
  });

  it('that is unknown to login is marked, and leads to recovery with the name kept', async () => {
    await shown();
    await mode('Login').click();
    await field.fill('newcomer');
    await expect.element(menu.getByText('Account not found', { exact: true })).toBeVisible();
    await expect.element(status(`This browser does not know ${NEWCOMER}.`)).toBeVisible();
    await expect.element(menu.getByText(`Is ${NEWCOMER} on another device?`)).toBeVisible();
    await menu.getByRole('button', { name: 'Restore it with its passkey' }).click();
    await expect.element(mode('Recover')).toBeChecked();
    await expect.element(field).toHaveValue('newcomer');
    await expect.element(go).toHaveAttribute('aria-disabled', 'false');
  });

  it('is judged without a pause when the user continues', async () => {
    await shown();
    await field.fill('-alice');
    await userEvent.keyboard('{Enter}');
    await expect.element(status('A name begins and ends with a letter or a digit')).toBeVisible();
    await expect.poll(hasFocus(field)).toBe(true);
  });
});

describe('a page without HTTPS (kit 5)', () => {
  it('says at Continue, with an empty field too, that a passkey needs it, and that stays', async () => {
    vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false);
    await shown();
    (field.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    const hint = menu.getByText('HTTPS required', { exact: true });
    await expect.element(hint).toBeVisible();
    await expect.element(hint, { timeout: 5000 }).not.toBeInTheDocument();
    await expect.element(status('Open this page with https://.')).toBeVisible();
    await mode('Recover').click();
    await expect.element(status('Open this page with https://.')).not.toBeInTheDocument();
  });
});

describe('the code of this device (kit 2)', () => {
  it('opens from the menu, says what happens, and leads back to the field', async () => {
    const manager = deviceWith();
    const stop = vi.fn(async () => undefined);
    const start = vi.fn(() => new Promise(() => undefined));
    Object.assign(manager, { stopDevice2LinkingFlow: stop, startDevice2LinkingFlow: start });
    const [onToast, onViewChange] = [vi.fn(), vi.fn()];
    await shown(manager, { onToast, onViewChange });
    await expect.element(menu.getByText('Already have an account?')).toBeVisible();
    await menu.getByRole('button', { name: 'Scan and Link Device' }).click();
    await expect.element(page.getByRole('region', { name: 'Scan and Link Device' })).toBeVisible();
    await expect.poll(() => start.mock.calls.length).toBe(1);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect.poll(hasFocus(field)).toBe(true);
    expect(stop).toHaveBeenCalled();
    expect(onToast).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'linking', kind: 'dismiss' }));
    expect(onViewChange.mock.calls).toEqual([['code'], ['menu']]);
  });
});

describe('the login menu of a framed wallet', () => {
  function withButtons() {
    const manager = deviceWith(FRAMED);
    const drawn: { options: RegisterButtonOptions; end: (result: object) => void; dispose: () => void }[] =
      [];
    Object.assign(manager, {
      async registerButton(options: RegisterButtonOptions) {
        const registered = answer();
        const dispose = vi.fn();
        drawn.push({ options, end: registered.end, dispose });
        return { registered: registered.promise, dispose };
      },
    });
    return { manager, drawn };
  }

  it('continues with recovery where login does not know the account', async () => {
    const manager = deviceWith(FRAMED);
    vi.spyOn(manager, 'loginPasskey').mockImplementation(
      async () => ({ success: false, error: 'unknown', errorCode: 'NO_LOCAL_ACCOUNT' }) as never,
    );
    await shown(manager);
    await mode('Login').click();
    await field.fill('newcomer');
    await go.click();
    await expect.element(mode('Recover')).toBeChecked();
    await expect.element(field).toHaveValue('newcomer');
    await expect.element(menu.getByRole('alert')).toHaveTextContent(`does not know ${NEWCOMER}`);
  });

  it('has no button of the wallet unless the page asks for it', async () => {
    const { manager, drawn } = withButtons();
    await shown(manager);
    await field.fill('newcomer');
    await expect.element(go).toHaveAttribute('aria-disabled', 'false');
    await field.fill('-');
    await expect.element(status('A name begins and ends')).toBeVisible();
    expect(drawn).toEqual([]);
  });

  it("lays the wallet's own register button under a good name, whose click registers", async () => {
    const { manager, drawn } = withButtons();
    const [onLoggedIn, onToast] = [vi.fn(), vi.fn()];
    await shown(manager, { registerButton: true, onLoggedIn, onToast });
    await field.fill('newcomer');
    await expect.poll(() => drawn.length).toBe(1);
    const { options, end, dispose } = drawn[0] as (typeof drawn)[0];
    expect(options.nearAccountId).toBe(NEWCOMER);
    const { width, height } = options.container.getBoundingClientRect();
    expect([width > 200, height]).toEqual([true, 52]);
    options.onSubmit?.();
    await expect.element(status('Registering passkey…')).toBeVisible();
    options.onFailure?.({ error: 'refused', cancelled: true });
    await expect.element(menu.getByRole('alert')).toHaveTextContent('Something went wrong.');
    expect(onToast).toHaveBeenLastCalledWith(
      expect.objectContaining({ id: 'registration', kind: 'dismiss' }),
    );
    expect(dispose).not.toHaveBeenCalled();
    end({ success: true, nearAccountId: NEWCOMER });
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([[NEWCOMER]]);
  });

  it('lays none for a name that is still being typed', async () => {
    const { manager, drawn } = withButtons();
    await shown(manager, { registerButton: true });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await field.fill('newcome');
    await field.fill('newcomer');
    expect(drawn).toEqual([]);
    vi.runOnlyPendingTimers();
    await expect.poll(() => drawn.map(({ options }) => options.nearAccountId)).toEqual([NEWCOMER]);
  });

  it('removes the button of a name that changes', async () => {
    const { manager, drawn } = withButtons();
    await shown(manager, { registerButton: true });
    await field.fill('newcomer');
    await expect.poll(() => drawn.length).toBe(1);
    await field.fill('-');
    await expect.poll(() => vi.mocked(drawn[0]?.dispose ?? vi.fn()).mock.calls.length).toBe(1);
  });
});

describe('everyone can use the login menu', () => {
  afterAll(() => page.viewport(1280, 900));
  const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
  const host = () => (menu.element().getRootNode() as ShadowRoot).host as HTMLElement;
  const violations = async () =>
    (await axe.run(host(), { runOnly: RULES })).violations.map(({ id, nodes }) => [id, nodes[0]?.html]);

  it.each([
    ['light', 1100],
    ['light', 320],
    ['dark', 1100],
    ['dark', 320],
  ] as const)('in the %s theme, %i px wide: no axe violation, and nothing cut off', async (theme, width) => {
    localStorage.setItem(THEME_STORAGE_KEY, theme);
    await page.viewport(width, 800);
    known = [ALICE];
    await shown();
    await mode('Register').click();
    await field.fill('alice');
    await expect.element(status('already')).toBeVisible();
    const moving = host().shadowRoot?.getAnimations() ?? [];
    await Promise.allSettled(moving.map(({ finished }) => finished));
    expect(await violations()).toEqual([]);
    const within = host().getBoundingClientRect();
    for (const element of host().shadowRoot?.querySelectorAll('.menu *:not(.sr-only)') ?? []) {
      const { left, right, width: own } = element.getBoundingClientRect();
      if (own > 0)
        expect([element.className, left >= within.left && right <= within.right]).toEqual([
          element.className,
          true,
        ]);
    }
    await mode('Login').click();
    expect(await violations()).toEqual([]);
    await mode('Recover').click();
    const input = field.element() as HTMLInputElement;
    const { fontSize, fontFamily } = getComputedStyle(input, '::placeholder');
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    pen.font = `${fontSize} ${fontFamily}`;
    expect(pen.measureText(input.placeholder).width).toBeLessThanOrEqual(input.clientWidth);
    expect(await violations()).toEqual([]);
  });

  it('in a layout that shrinks to its content, it keeps a width that fits a phone', async () => {
    const row = document.createElement('div');
    row.style.display = 'flex';
    document.body.append(row);
    await shown();
    row.append(...[host().parentElement].filter((element) => element !== null));
    expect(host().getBoundingClientRect().width).toBe(288);
    unmount();
    row.remove();
  });

  it('by keyboard alone: modes by arrows, then the field, Continue and the code', async () => {
    const manager = await shown();
    const asked = registrations(manager);
    (mode('Register').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    await expect.element(mode('Register')).toBeChecked();
    await userEvent.keyboard('{Tab}newcomer{Tab}');
    await expect.poll(hasFocus(go)).toBe(true);
    await userEvent.keyboard('{Tab}{Enter}');
    await expect.element(menu.getByText('Your device makes a passkey.')).toBeVisible();
    await userEvent.keyboard('{Tab}');
    await expect.poll(hasFocus(menu.getByRole('button', { name: 'Scan and Link Device' }))).toBe(true);
    await userEvent.keyboard('{Shift>}{Tab}{Tab}{/Shift}{Enter}');
    expect((await registering(asked)).accountId).toBe(NEWCOMER);
  });
});
