import axe from 'axe-core';
import type { PasskeyManager, UserData } from 'latchkey';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { PasskeyCheck } from './passkey-check.js';

const notice = page.getByRole('status', { name: 'Check your passkey before you receive money' });
const button = notice.getByRole('button', { name: 'Check my passkey' });

/** The notice over an account whose passkey is proven or not; a check that succeeds proves it. */
function show(isProven: boolean | undefined, onSkip?: () => void, nearAccountId = ALICE): PasskeyManager {
  const manager = managerOf(nearAccountId);
  const preferences = { useRelayer: false, useNetwork: 'testnet' } as const;
  const userData = { nearAccountId, preferences, passkeyProven: isProven } as UserData;
  const state = { isLoggedIn: true, nearAccountId, publicKey: null, vrfActive: true };
  const known = { userData };
  vi.spyOn(manager, 'getLoginState').mockImplementation(async () => ({ ...state, ...known }));
  vi.spyOn(manager, 'checkPasskey').mockImplementation(async (nearAccountId) => {
    known.userData = { ...userData, passkeyProven: true };
    return { success: true, nearAccountId, passkeyProven: true };
  });
  render(
    manager,
    <>
      <PasskeyCheck onSkip={onSkip} />
      <p>The page</p>
    </>,
  );
  return manager;
}

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

describe('the check of a passkey before money comes in', () => {
  it('says why, and goes away once the passkey has answered the same again', async () => {
    const manager = show(false);
    await expect.element(notice).toHaveTextContent(/money sent to alice\.w3a-v1\.testnet could be lost/);
    const { violations } = await axe.run((notice.element().getRootNode() as ShadowRoot).host, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
    });
    expect(violations.map(({ id }) => id)).toEqual([]);
    await button.click();
    await expect.poll(() => notice.query()).toBeNull();
    expect(manager.checkPasskey).toHaveBeenCalledExactlyOnceWith(ALICE);
  });

  it('is what shows the address of an account without a name', async () => {
    const placeholder = 'wallet-0123456789ab.unproven';
    const manager = show(false, undefined, placeholder);
    await expect.element(notice).toHaveTextContent(/One touch .* then you see your address/);
    await expect.element(notice).not.toHaveTextContent('unproven');
    await notice.getByRole('button', { name: 'Show my address' }).click();
    expect(manager.checkPasskey).toHaveBeenCalledExactlyOnceWith(placeholder);
  });

  it('says in the words of this language what a passkey that answers differently means', async () => {
    const manager = show(false);
    vi.mocked(manager.checkPasskey).mockResolvedValueOnce({
      success: false,
      error: 'This time the passkey answered in another way',
      errorCode: 'PASSKEY_DIFFERS',
      nearAccountId: ALICE,
      passkeyProven: false,
    });
    await button.click();
    await expect
      .element(notice.getByRole('alert'))
      .toHaveTextContent('Your passkey answered differently this time');
    await expect.element(button).toBeVisible();
  });

  it('says nothing of a prompt that the user closed', async () => {
    const manager = show(false);
    vi.mocked(manager.checkPasskey).mockResolvedValueOnce({
      success: false,
      error: 'Operation was cancelled',
      errorCode: 'CANCELLED',
      nearAccountId: ALICE,
      passkeyProven: false,
    });
    await button.click();
    await expect.poll(() => vi.mocked(manager.getLoginState).mock.calls.length).toBeGreaterThan(1);
    expect(notice.getByRole('alert').query()).toBeNull();
  });

  it('lets the page go on without it', async () => {
    const onSkip = vi.fn();
    show(false, onSkip);
    await notice.getByRole('button', { name: 'Go on without the check' }).click();
    expect(onSkip).toHaveBeenCalledOnce();
  });

  it.each([true, undefined])('is not shown where it is not due (%s)', async (isProven) => {
    show(isProven);
    await expect.element(page.getByText('The page')).toBeVisible();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(notice.query()).toBeNull();
  });
});
