import axe from 'axe-core';
import type { ExportKeypairResult, RecoveryKeyResult } from 'latchkey';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { ProfileButton } from './profile-button.js';

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

const ITEMS = [
  ['Export Keys', 'View your private keys'],
  ['Scan and Link Device', 'Scan QR to link a device'],
  ['Linked Devices', 'View linked devices'],
  [/^(Dark|Light) Mode/, 'Toggle Theme'],
  ['Transaction Settings', 'Customize confirmation behavior'],
  ['Lock Wallet', 'Log out'],
] as const;

const trigger = (name: string) => page.getByRole('button', { name });
const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
/** The focus is inside the button's shadow root. */
const focused = (on: Locator) =>
  expect.poll(() => (on.element().getRootNode() as ShadowRoot).activeElement).toBe(on.element());
const menu = () => page.getByRole('menu');

async function open(loggedInAs: string | null = ALICE, name = 'alice') {
  const manager = managerOf(loggedInAs);
  const onLogout = vi.fn();
  render(
    manager,
    <>
      <ProfileButton onLogout={onLogout} />
      <button type="button">elsewhere</button>
    </>,
  );
  await userEvent.click(trigger(name));
  await expect.element(menu()).toBeVisible();
  return { manager, onLogout };
}

describe('the profile button (kit 2, kit 8, demo 8)', () => {
  it('shows the user and a link to the account in the explorer, and six items with their second lines', async () => {
    const { manager } = await open();
    const link = page.getByRole('link', { name: `${ALICE} in the explorer` });
    await expect.element(link).toHaveAttribute('href', `${manager.config.explorerUrl}/address/${ALICE}`);
    for (const [name, more] of ITEMS) {
      await expect.element(item(name)).toBeVisible();
      await expect.element(item(name)).toHaveTextContent(more);
      await expect.element(item(name)).not.toHaveAttribute('aria-disabled', 'true');
    }
    expect(page.getByRole('menuitem').elements()).toHaveLength(6);
  });

  it('has no link for an account whose address is not shown yet', async () => {
    await open('wallet-0123456789ab.unproven', 'wallet-0123456789ab');
    await expect.element(page.getByRole('link')).not.toBeInTheDocument();
  });

  it('cuts a long name where the page leaves it little room, and keeps its link', async () => {
    render(
      managerOf(`a-name-as-long-as-names-may-be.${ALICE}`),
      <div style={{ display: 'flex', width: 220 }} data-testid="bar">
        <ProfileButton />
      </div>,
    );
    await expect.element(page.getByRole('link', { name: /in the explorer/ })).toBeVisible();
    const bar = page.getByTestId('bar').element();
    expect(bar.scrollWidth).toBe(bar.clientWidth);
    const { right } = page
      .getByRole('link', { name: /in the explorer/ })
      .element()
      .getBoundingClientRect();
    expect(right).toBeLessThanOrEqual(bar.getBoundingClientRect().right);
  });

  it('keeps its initial and its arrow inside where there is no room for a name at all', async () => {
    render(
      managerOf(ALICE),
      <div style={{ display: 'flex', width: 60 }}>
        <ProfileButton />
      </div>,
    );
    const trigger = page.getByRole('button', { name: 'alice' });
    await expect.element(trigger).toBeVisible();
    const { left, right } = trigger.element().getBoundingClientRect();
    for (const part of trigger.element().querySelectorAll('.avatar, .arrow')) {
      const at = part.getBoundingClientRect();
      expect([part.className, at.left >= left && at.right <= right]).toEqual([part.className, true]);
    }
  });

  it('is "User" without an account, whose four items are disabled', async () => {
    await open(null, 'User');
    for (const name of ['Export Keys', 'Scan and Link Device', 'Linked Devices', 'Transaction Settings'])
      await expect.element(item(name)).toHaveAttribute('aria-disabled', 'true');
    await expect.element(item(/Mode/)).not.toHaveAttribute('aria-disabled', 'true');
    expect(page.getByRole('link').elements()).toHaveLength(0);
  });

  it('is a menu button by keyboard: arrows, Home, End, letters, Escape, and the focus returns', async () => {
    await open();
    await userEvent.keyboard('{End}');
    await focused(item('Lock Wallet'));
    await userEvent.keyboard('{ArrowDown}');
    await focused(item('Export Keys'));
    await userEvent.keyboard('{ArrowUp}{Home}{ArrowDown}');
    await focused(item('Scan and Link Device'));
    await userEvent.keyboard('t');
    await focused(item('Transaction Settings'));
    await userEvent.keyboard('{Escape}');
    await expect.element(menu()).not.toBeInTheDocument();
    await focused(trigger('alice'));
  });

  it('has the focus again before what an item opens takes it, and gives it back', async () => {
    const { manager } = await open();
    let opener: Element | null = null;
    vi.spyOn(manager, 'exportNearKeypairWithUI').mockImplementation(async () => {
      opener = (trigger('alice').element().getRootNode() as ShadowRoot).activeElement;
      return { success: true } as ExportKeypairResult;
    });
    await userEvent.keyboard('{Home}{Enter}');
    await expect.poll(() => opener).toBe(trigger('alice').element());
    await expect.element(menu()).not.toBeInTheDocument();
  });

  it('closes on a click outside, but not on one in the linked devices or the scanner', async () => {
    const { manager } = await open();
    vi.spyOn(manager, 'viewAccessKeyList').mockRejectedValue(new Error('down'));
    for (const [name, title] of [
      ['Linked Devices', 'Linked Devices'],
      ['Scan and Link Device', 'Scan and Link Device'],
    ] as const) {
      await userEvent.click(item(name));
      const dialog = page.getByRole('dialog', { name: title });
      await expect.element(dialog).toBeVisible();
      await userEvent.click(dialog);
      await userEvent.click(dialog.getByRole('button', { name: 'Close', exact: true }).first());
      await expect.element(dialog).not.toBeInTheDocument();
      await expect.element(menu()).toBeVisible();
    }
    await userEvent.click(page.getByText('elsewhere'));
    await expect.element(menu()).not.toBeInTheDocument();
  });

  it('changes the theme, stays open, and then names the other one', async () => {
    await open();
    const before = item(/Mode/).element().textContent;
    await userEvent.click(item(/Mode/));
    await expect.poll(() => item(/Mode/).element().textContent).not.toBe(before);
    await expect.element(menu()).toBeVisible();
  });

  it('locks the wallet, and says when that is done', async () => {
    const { manager, onLogout } = await open();
    const lock = vi.spyOn(manager, 'logoutAndClearVrfSession').mockResolvedValue();
    await userEvent.click(item('Lock Wallet'));
    await expect.poll(() => onLogout.mock.calls.length).toBe(1);
    expect(lock).toHaveBeenCalledOnce();
  });

  it.each([true, false])(
    'reports a failure to the page that listens, else to the log; listens: %s',
    async (listens) => {
      const manager = managerOf(ALICE);
      const onError = vi.fn();
      const warn = vi.spyOn(manager.config.logger, 'warn').mockReturnValue();
      vi.spyOn(manager, 'logoutAndClearVrfSession').mockRejectedValue(new Error('down'));
      render(manager, <ProfileButton {...(listens && { onError })} />);
      await userEvent.click(trigger('alice'));
      await userEvent.click(item('Lock Wallet'));
      await expect.poll(() => onError.mock.calls.length + warn.mock.calls.length).toBe(1);
      expect(onError).toHaveBeenCalledTimes(listens ? 1 : 0);
    },
  );

  const refusal = (error: string, errorCode: string) =>
    ({ success: false, error, errorCode }) as ExportKeypairResult;
  it.each([
    [
      'a failure',
      refusal('the viewer is gone', 'EXPORT_NEAR_KEYPAIR_UI_FAILED'),
      'Your key couldn’t be shown. It is safe.',
    ],
    [
      'missing key material',
      refusal('No key here.', 'NO_LOCAL_KEY_MATERIAL'),
      'This browser has no key of this account.',
    ],
  ])('alerts of %s at a key export, until it is closed', async (_, result, text) => {
    const { manager } = await open();
    vi.spyOn(manager, 'exportNearKeypairWithUI').mockResolvedValue(result);
    await userEvent.click(item('Export Keys'));
    const alert = page.getByRole('alert');
    await expect.element(alert).toHaveTextContent(text);
    await userEvent.click(page.getByRole('button', { name: 'Close' }));
    await expect.element(alert).not.toBeInTheDocument();
  });

  it('says nothing of an export that the user closed', async () => {
    const { manager } = await open();
    const exported = vi.spyOn(manager, 'exportNearKeypairWithUI').mockResolvedValue(refusal('', 'CANCELLED'));
    await userEvent.click(item('Export Keys'));
    await expect.poll(() => exported.mock.calls.length).toBe(1);
    expect(page.getByRole('alert').query()).toBeNull();
  });

  const managerWithPhrases = () => managerOf(ALICE, { keyExport: { sameOrigin: true } });

  it('offers a recovery phrase where the wallet may show one, and says when it is on the account', async () => {
    const manager = managerWithPhrases();
    const add = vi.spyOn(manager, 'addRecoveryKey').mockResolvedValue({ success: true } as RecoveryKeyResult);
    render(manager, <ProfileButton />);
    await userEvent.click(trigger('alice'));
    expect(page.getByRole('menuitem').elements()).toHaveLength(7);
    await expect.element(item('Recovery Phrase')).toHaveTextContent('Twelve words that open your account');
    await userEvent.click(item('Recovery Phrase'));
    const said = page.getByRole('status');
    await expect.element(said).toHaveTextContent('Your recovery phrase is on the account.');
    expect(add).toHaveBeenCalledWith(expect.objectContaining({ nearAccountId: ALICE }));
    await expect.element(menu()).not.toBeInTheDocument();
    await userEvent.click(said.getByRole('button', { name: 'Close' }));
    await expect.element(said).toHaveTextContent('');
  });

  it('disables the recovery phrase without an account', async () => {
    render(managerOf(null, { keyExport: { sameOrigin: true } }), <ProfileButton />);
    await userEvent.click(trigger('User'));
    await expect.element(item('Recovery Phrase')).toHaveAttribute('aria-disabled', 'true');
  });

  it.each([
    ['alerts of a phrase that is in doubt', 'RECOVERY_KEY_IN_DOUBT', 'Keep the words.'],
    ['says nothing of a phrase that the user left', 'CANCELLED', ''],
  ])('%s', async (_, errorCode, text) => {
    const manager = managerWithPhrases();
    const add = vi
      .spyOn(manager, 'addRecoveryKey')
      .mockResolvedValue({ success: false, error: 'Keep the words.', errorCode } as RecoveryKeyResult);
    render(manager, <ProfileButton />);
    await userEvent.click(trigger('alice'));
    await userEvent.click(item('Recovery Phrase'));
    await expect.poll(() => add.mock.calls.length).toBe(1);
    if (text === '') expect(page.getByRole('alert').query()).toBeNull();
    else await expect.element(page.getByRole('alert')).toHaveTextContent(text);
    await expect.element(page.getByRole('status')).toHaveTextContent('');
  });

  it('opens the settings in the page of a wallet without a frame', async () => {
    const { manager } = await open();
    vi.spyOn(manager, 'getConfirmationConfig').mockResolvedValue(manager.config.confirmationConfig);
    vi.spyOn(manager, 'getUserPreferences').mockResolvedValue({ useRelayer: false, useNetwork: 'testnet' });
    await userEvent.click(item('Transaction Settings'));
    const dialog = page.getByRole('dialog', { name: 'Transaction Settings' });
    await expect.element(dialog).toBeVisible();
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it('has no accessibility problem, open or closed', async () => {
    await open();
    const problems = async () => {
      const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
      // Base UI's guards pass the focus on immediately.
      return violations
        .map(
          ({ id, nodes }) =>
            [id, nodes.filter(({ html }) => !html.includes('data-base-ui-focus-guard'))] as const,
        )
        .filter(([, nodes]) => nodes.length > 0)
        .map(([id]) => id);
    };
    await expect.poll(problems).toEqual([]);
    await userEvent.keyboard('{Escape}');
    await expect.poll(problems).toEqual([]);
  });
});
