import axe from 'axe-core';
import type { ResumeResult, TransactionFate } from 'latchkey';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ALICE, managerOf } from '../testing/manager.js';
import { render, unmount } from '../testing/render.js';
import { ResumedNotices } from './resumed-notices.js';

const ID = '9j30Wo0FabKgZPM9gwLTw9VMbRv3cBKUp1ntODveguQ';
const NOTHING: ResumeResult = { committed: [], dropped: [], pending: [], mismatched: [] };
const paid = (
  fate: TransactionFate,
  transactionId: string | null = ID,
  amountYocto?: string,
): ResumeResult => ({
  ...NOTHING,
  batches: [
    {
      nearAccountId: ALICE,
      createdAt: 1,
      transactions: [{ transactionId, receiverId: 'bob.testnet', fate, ...(amountYocto && { amountYocto }) }],
    },
  ],
});

/** The notices over a wallet whose start and later look-ups answer this. */
function shown(atStart: ResumeResult, later: ResumeResult = NOTHING) {
  const manager = managerOf();
  vi.spyOn(manager, 'init').mockImplementation(async () => atStart);
  vi.spyOn(manager, 'resume').mockImplementation(async () => later);
  render(manager, <ResumedNotices />);
  return manager;
}
const notices = page.getByRole('status', { name: 'From before' });

afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

describe('the notices of what an earlier visit left (core 4)', () => {
  it('show an open payment with its id and link, look it up by themselves, and stay until it was seen', async () => {
    shown(paid('unknown'), paid('executed'));
    await expect.element(notices.getByText('Payment not known yet')).toBeVisible();
    await expect.element(notices).toHaveTextContent(/Not known yet: to bob\.testnet\./);
    const link = notices.getByRole('link').element() as HTMLAnchorElement;
    expect([link.textContent, link.href]).toEqual([ID, expect.stringContaining(`/transactions/${ID}`)]);
    expect(notices.getByRole('button', { name: 'Got it' }).query()).toBeNull();
    await expect.element(notices).toHaveTextContent(/Done: to bob\.testnet\./);
    await notices.getByRole('button', { name: 'Got it' }).click();
    await expect.poll(() => notices.query()).toBeNull();
  });

  it('name the amount of a payment', async () => {
    const open = paid('unknown', ID, '1500000000000000000000000');
    shown(open, open);
    await expect.element(notices).toHaveTextContent(/Not known yet: 1\.5 NEAR to bob\.testnet\./);
  });

  it('show an open delegate without a link, while no one has named the transaction that carries it', async () => {
    shown(paid('unknown', null), paid('unknown', null));
    await expect.element(notices).toHaveTextContent(/Not known yet: to bob\.testnet\./);
    expect(notices.getByRole('link').query()).toBeNull();
  });

  it('show registrations and links, each with what the user can do', async () => {
    shown({
      committed: ['ann.testnet'],
      dropped: ['ben.testnet'],
      pending: ['cat.testnet'],
      mismatched: ['dan.testnet'],
      unfinished: ['eve.testnet'],
    });
    for (const said of [
      /ann\.testnet is set up with this device\. You can log in\./,
      /ben\.testnet was not set up with this device, and nothing was lost\. You can try again\./,
      /whether cat\.testnet was set up with this device\. Your passkey is safe\./,
      /dan\.testnet was created with keys that are not this device’s/,
      /linked to eve\.testnet, but its passkey is not registered yet\. The account is safe\./,
    ]) {
      await expect.element(notices).toHaveTextContent(said);
    }
  });

  it('are readable, and draw nothing when there is nothing to say', async () => {
    shown({ ...paid('unknown'), mismatched: ['dan.testnet'] });
    await expect.element(notices).toBeVisible();
    const { violations } = await axe.run((notices.element().getRootNode() as ShadowRoot).host, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'],
    });
    expect(violations.map(({ id }) => id)).toEqual([]);
    unmount();
    shown(NOTHING);
    await expect.poll(() => notices.query()).toBeNull();
  });
});
