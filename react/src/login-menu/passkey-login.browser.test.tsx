/** One-touch login: the button above the modes, and the passkeys that the browser offers in the field. */
import axe from 'axe-core';
import type { AutofillOptions, RecoveryResult } from 'latchkey';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { deviceOf, field, showMenu } from '../testing/login-menu.js';
import { ALICE } from '../testing/manager.js';
import { unmount } from '../testing/render.js';
import type { LoginMenuProps } from './props.js';

const button = page.getByRole('button', { name: /^Continue with a passkey/ });
const waiting = page.getByText('Waiting for Passkey…');
const FRAMED = { iframeWallet: { walletOrigin: 'http://wallet.localhost:1' } };
const OPENED: RecoveryResult = {
  success: true,
  accountId: ALICE,
  publicKey: 'ed25519:k',
  message: 'Recovered',
};

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

/** The menu over a wallet that offers passkeys in the field until the test chooses one. */
async function shown(props: LoginMenuProps = {}, config = {}) {
  const manager = deviceOf(() => [], config);
  const offers: { options: AutofillOptions; end: (result: RecoveryResult | null) => void }[] = [];
  vi.spyOn(manager, 'recoverByAutofill').mockImplementation(
    (options = {}) => new Promise((end) => offers.push({ options, end })),
  );
  const presses: { accountId?: string | undefined; end: (result: RecoveryResult) => void }[] = [];
  vi.spyOn(manager, 'recoverAccountFlow').mockImplementation(
    ({ accountId } = {}) => new Promise((end) => presses.push({ accountId, end })),
  );
  await showMenu(manager, { passkeyLogin: true, ...props });
  const choose = () =>
    offers.at(-1)?.options.onEvent?.({
      flow: 'recovery',
      step: 2,
      phase: 'webauthn-authentication',
      status: 'success',
      message: 'The passkey opens an account without a name',
    } as never);
  return { offers, presses, choose };
}

describe('one-touch login', () => {
  it('is not there unless the operator turns it on', async () => {
    const { offers } = await shown({ passkeyLogin: false });
    await expect.element(page.getByText('How it works')).toBeVisible();
    await expect.element(button).not.toBeInTheDocument();
    await expect.element(field).toHaveAttribute('autocomplete', 'username');
    expect(offers).toEqual([]);
  });

  it('opens by one press the account of the passkey that the user chooses', async () => {
    const onLoggedIn = vi.fn();
    const { offers, presses } = await shown({ onLoggedIn });
    await expect.element(button).toHaveAttribute('aria-disabled', 'false');
    await expect.poll(() => offers.length).toBe(1);
    await userEvent.click(button);
    await expect.element(waiting).toBeVisible();
    expect(offers[0]?.options.signal?.aborted).toBe(true);
    expect(presses).toMatchObject([{ accountId: '' }]);
    presses[0]?.end(OPENED);
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([[ALICE]]);
  });

  it('stands before the modes for the keyboard, and is accessible', async () => {
    await shown();
    await expect.element(button).toBeVisible();
    await userEvent.tab();
    await expect.poll(() => button.element().matches(':focus')).toBe(true);
    const { violations } = await axe.run(document.body);
    expect(violations).toEqual([]);
  });

  it('follows a passkey chosen in the field, and says nothing where nobody chooses', async () => {
    const onLoggedIn = vi.fn();
    const onEvent = vi.fn();
    const { offers, choose } = await shown({ onLoggedIn, onEvent });
    await expect.element(field).toHaveAttribute('autocomplete', 'username webauthn');
    await expect.poll(() => offers.length).toBe(1);
    expect(onEvent).not.toHaveBeenCalled();
    choose();
    await expect.element(waiting).toBeVisible();
    expect(offers[0]?.options.signal?.aborted).toBe(false);
    offers[0]?.end(OPENED);
    await expect.poll(() => onLoggedIn.mock.calls).toEqual([[ALICE]]);
    expect(onEvent).toHaveBeenCalledTimes(1);
  });

  it('is offered again after a press that ended without an account, and says why', async () => {
    const { offers, presses } = await shown();
    await expect.poll(() => offers.length).toBe(1);
    await expect.element(button).toHaveAttribute('aria-disabled', 'false');
    await userEvent.click(button);
    await expect.poll(() => presses.length).toBe(1);
    const message = 'No recoverable accounts found';
    const failed = { accountId: null, publicKey: null, message, error: message } as const;
    presses[0]?.end({ success: false, errorCode: 'NO_RECOVERABLE_ACCOUNTS', ...failed });
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.poll(() => offers.length).toBe(2);
    offers[1]?.end({ success: false, errorCode: 'CANCELLED', ...failed });
    await expect.element(button).toBeVisible();
  });

  it('leaves the menu as it is where the offer itself fails', async () => {
    const manager = deviceOf(() => []);
    const offer = vi.spyOn(manager, 'recoverByAutofill').mockRejectedValue(new Error('offline'));
    await showMenu(manager, { passkeyLogin: true });
    await expect.poll(() => offer.mock.calls.length).toBe(1);
    await expect.element(button).toBeVisible();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  });

  describe('where the wallet runs in a frame', () => {
    it('has a place for a field of the wallet, and opens the account of the passkey chosen there', async () => {
      const onLoggedIn = vi.fn();
      const { offers, choose } = await shown({ onLoggedIn }, FRAMED);
      await expect.element(field).toHaveAttribute('autocomplete', 'username');
      await expect.poll(() => offers.length).toBe(1);
      const place = offers[0]?.options.container?.getBoundingClientRect();
      expect(place?.width).toBeGreaterThan(200);
      expect(place?.height).toBe(52);
      choose();
      await expect.element(waiting).toBeVisible();
      expect(offers[0]?.options.signal?.aborted).toBe(false);
      offers[0]?.end(OPENED);
      await expect.poll(() => onLoggedIn.mock.calls).toEqual([[ALICE]]);
    });

    it("makes room for the wallet's register button, and comes back after it", async () => {
      const { offers } = await shown({ registerButton: true }, FRAMED);
      await expect.poll(() => offers.length).toBe(1);
      await field.fill('newcomer');
      await expect.poll(() => offers[0]?.options.signal?.aborted).toBe(true);
      await field.fill('-');
      await expect.poll(() => offers.length).toBe(2);
    });

    it.each([
      ['the browser offers no passkeys in fields', false],
      ['the wallet offers none', true],
    ])('is the button alone where %s', async (_, browserCan) => {
      vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(browserCan);
      const { offers } = await shown({}, FRAMED);
      await expect.element(button).toBeVisible();
      if (browserCan) await expect.poll(() => offers.length).toBe(1);
      const place = offers[0]?.options.container;
      offers[0]?.end(null);
      await expect.poll(() => place?.isConnected ?? false).toBe(false);
      expect(offers.length).toBe(browserCan ? 1 : 0);
    });
  });

  it('ends with the menu', async () => {
    const { offers } = await shown();
    await expect.poll(() => offers.length).toBe(1);
    unmount();
    await expect.poll(() => offers[0]?.options.signal?.aborted).toBe(true);
  });
});
