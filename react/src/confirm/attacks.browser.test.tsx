// What a hostile host wants signed unseen: each test is named after its attempt.
import type { TransactionsConfirmModel } from 'latchkey';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { call } from '../testing/actions.js';
import {
  agree,
  asking,
  button,
  dialog,
  flow,
  focused,
  gone,
  host,
  KEY,
  transfer,
  withButtonOutside,
} from '../testing/confirmation.js';

withButtonOutside();

const glance = dialog.getByRole('region', { name: 'What it does' });
const body = dialog.getByRole('region', { name: 'What you are asked for' });
/** The page's text as the user reads it, without the marks that isolate a direction. */
const plain = (text: string | null) => (text ?? '').replaceAll(/[\u2066-\u2069]/g, '');
const glanced = () => plain(glance.element().textContent);
const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  const view = body.element().getBoundingClientRect();
  return top >= view.top - 1 && bottom <= view.bottom + 1;
};

let end = (): void => undefined;
function open(asked: TransactionsConfirmModel) {
  const opened = flow();
  end = opened.end;
  return opened.show(asked);
}
beforeEach(() => page.viewport(1280, 1000));
afterEach(async () => {
  end();
  await gone();
});

/** The button stands ready for longer than a guard waits, and takes no press. */
async function takesNoPress(name = 'Send') {
  await expect.element(dialog).toBeVisible();
  // A press that does not count starts the guard's half second again.
  for (let press = 0; press < 3; press += 1) {
    await button(name).click({ force: true });
    expect(dialog.element().ariaBusy).toBe('false');
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

describe('a host that wants an unseen thing signed (core 2)', () => {
  it('hides the receiver and the amount behind a folded string: both come first, and the button waits', async () => {
    const args = { memo: 'x'.repeat(5_000), receiver_id: 'mallory.near', amount: '1000' };
    const decided = open(asking([call('ft_transfer', args)]));
    await expect.element(dialog).toBeVisible();
    const shown = plain(dialog.getByRole('region', { name: 'Arguments' }).element().textContent);
    expect(shown.indexOf('"receiver_id": "mallory.near"')).toBeGreaterThan(-1);
    expect(shown.indexOf('"amount": "1000"')).toBeGreaterThan(-1);
    expect(shown.indexOf('"amount"')).toBeLessThan(shown.indexOf('"memo"'));
    await takesNoPress();
    await button('Show all 5,002 characters').click();
    await see();
    await agree('Send');
    expect(await decided).toBe('confirm');
  });

  it('pushes the last action below the fold: the button waits until it was scrolled into view [S12]', async () => {
    const many = Array.from({ length: 30 }, () => transfer('1'));
    const decided = open(asking([...many, { type: 'Transfer', amount: '7' }]));
    await takesNoPress();
    const last = [...body.element().querySelectorAll('.steps > li')].at(-1) as Element;
    expect(isInView(last)).toBe(false);
    body.element().scrollTop = body.element().scrollHeight;
    await agree('Send');
    expect(await decided).toBe('confirm');
  });

  it('pushes it below the fold of a narrow screen in a drawer: the same', async () => {
    await page.viewport(320, 560);
    const many = Array.from({ length: 9 }, () => transfer('1'));
    const decided = open(asking(many, { uiMode: 'drawer' }));
    await takesNoPress();
    expect(dialog.element().scrollWidth).toBeLessThanOrEqual(320);
    body.element().scrollTop = body.element().scrollHeight;
    await agree('Send');
    expect(await decided).toBe('confirm');
  });

  it('hopes that a batch is too long to read: the head names each receiver, method and sum [S11]', async () => {
    const wide = asking([]);
    open({
      ...wide,
      transactions: [
        { receiverId: 'bob.testnet', actions: [transfer('2'), transfer('1')] },
        { receiverId: 'app.testnet', actions: [call('vote', {}), call('vote', {}), call('claim', {}, '0')] },
        { receiverId: 'pool.testnet', actions: [{ type: 'Stake', stake: '5', publicKey: KEY }] },
        { receiverId: 'app.testnet', actions: [{ type: 'DeleteAccount', beneficiaryId: 'mallory.testnet' }] },
      ],
    });
    await expect.element(glance).toBeVisible();
    await expect.element(dialog).toHaveAccessibleName('Confirm 7 steps');
    for (const line of [
      'Sends2 NEAR to bob.testnet',
      'Callsvote on app.testnet, with 1 yoctoNEAR',
      'Callsclaim on app.testnet',
      'Stakes5 yoctoNEAR on pool.testnet',
      'On app.testnet: Delete this account. Its balance goes to mallory.testnet',
      'Total3.000000000000000000000002 NEAR',
    ])
      expect(glanced().replaceAll(/ (?= |,|:|$)/g, '')).toContain(line);
  });

  it('rounds a sum: the title has every digit', async () => {
    open(asking([{ type: 'Transfer', amount: '1234567890123456789012345678' }]));
    await expect.element(dialog).toHaveAccessibleName('Send 1,234.567890123456789012345678 NEAR');
  });

  it("moves tokens in a call's arguments: the head says how many, of what, and to whom [S11]", async () => {
    open({
      ...asking([call('ft_transfer', { receiver_id: 'mallory.near', amount: '1234567890' })]),
      tokens: [{ contractId: 'bob.testnet', symbol: 'USDC', decimals: 6 }],
    });
    await expect.element(glance).toBeVisible();
    expect(glanced()).toContain('1,234.56789 “USDC”');
    expect(glanced()).toContain('to mallory.near');
    expect(glanced()).toContain('1,234,567,890 units of bob.testnet');
    expect(glanced()).toContain('in its own words');
  });

  it('moves tokens of a contract without an answer: the head has the amount in its smallest unit [S66]', async () => {
    open(asking([call('ft_transfer', { receiver_id: 'mallory.near', amount: '1234567890' })]));
    await expect.element(glance).toBeVisible();
    expect(glanced()).toContain('1,234,567,890 units of bob.testnet');
    expect(glanced()).not.toContain('in its own words');
  });

  it('names an amount twice in one call: the head says that it cannot show the move', async () => {
    open(asking([call('ft_transfer', '{"receiver_id":"mallory.near","amount":"1","amount":"1000000"}')]));
    await expect.element(glance).toBeVisible();
    expect(glanced()).toContain('in a way we can’t show');
  });

  it.each([
    ['all methods', [], '1000'],
    ['an unlimited allowance', ['vote'], null],
  ] as const)('asks for an app key with %s: a warning', async (_, methodNames, allowance) => {
    const permission = {
      FunctionCall: { allowance, receiverId: 'app.testnet', methodNames: [...methodNames] },
    };
    open(asking([{ type: 'AddKey', publicKey: KEY, accessKey: { permission } }]));
    await expect.element(dialog.getByText('Note.')).toBeVisible();
    await expect.poll(() => focused()?.textContent).toBe('Cancel');
    expect(button('Add key').element().classList).not.toContain('danger');
  });

  it('pays an account that looks like a known one: a warning names both', async () => {
    open({
      ...asking([transfer('1')]),
      recipients: [{ accountId: 'bob.testnet', isNew: true, looksLike: 'b0b.testnet' }],
    });
    await expect.element(glance.getByText('Careful.')).toBeVisible();
    expect(glanced()).toMatch(/bob\.testnet looks like b0b\.testnet/);
    expect(button('Send').element().classList).toContain('danger');
  });

  it('pays an account for the first time: a mark says so', async () => {
    open({ ...asking([transfer('1')]), recipients: [{ accountId: 'bob.testnet', isNew: true }] });
    await expect.element(glance.getByText('First time')).toBeVisible();
  });

  it('hides an invoice in a message for the intents contract: the head lists what it moves', async () => {
    const message = JSON.stringify({
      signer_id: 'alice.testnet',
      intents: [
        { intent: 'transfer', receiver_id: 'mallory.near', tokens: { 'nep141:usdc.near': '7000000' } },
      ],
    });
    const opened = flow();
    end = opened.end;
    const { transactions: _, ...common } = asking([]);
    void opened.show({ ...common, kind: 'nep413', message, recipient: 'intents.near', nonce: 'AAAA' });
    await expect.element(glance).toBeVisible();
    expect(glanced()).toContain('7,000,000 units of usdc.near');
    expect(glanced()).toContain('to mallory.near');
    await expect.element(dialog).not.toHaveTextContent('Moves nothing');
  });

  it('names in such a message an account that looks like a known one: a warning says which', async () => {
    const intents = [
      { intent: 'transfer', receiver_id: 'bob.testnet', tokens: { 'nep141:usdc.near': '7000000' } },
      { intent: 'transfer', receiver_id: 'carol.testnet', tokens: { 'nep141:usdc.near': '1' } },
    ];
    const opened = flow();
    end = opened.end;
    const { transactions: _, ...common } = asking([]);
    void opened.show({
      ...common,
      kind: 'nep413',
      message: JSON.stringify({ intents }),
      recipient: 'intents.near',
      nonce: 'AAAA',
      tokens: [{ contractId: 'usdc.near', symbol: 'USDC', decimals: 6 }],
      recipients: [
        { accountId: 'bob.testnet', isNew: true, looksLike: 'b0b.testnet' },
        { accountId: 'carol.testnet', isNew: true },
      ],
    });
    await expect.element(glance.getByText('Careful.')).toBeVisible();
    expect(glanced()).toMatch(/bob\.testnet looks like b0b\.testnet/);
    expect(glanced()).toContain('7 “USDC”');
    await expect.element(glance.getByText('First time')).toBeVisible();
  });
});

describe('The button, while something was not seen yet (core 2)', () => {
  const long = () => asking(Array.from({ length: 30 }, () => transfer('1')));

  it('says why it waits and what to do, to a screen reader too', async () => {
    open(long());
    const hint = dialog.getByText('Scroll to the end, then press Send.');
    await expect.element(hint).toBeVisible();
    await expect
      .element(button('Send'))
      .toHaveAccessibleDescription(/^Scroll to the end, then press Send\.$/);
    await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'true');
  });

  it('is reached by the keyboard alone: Show more scrolls, opens what is folded, and never confirms', async () => {
    const memo = 'y'.repeat(3_000);
    const decided = open(asking([...Array.from({ length: 8 }, () => transfer('1')), call('note', { memo })]));
    await expect.element(button('Show more')).toBeVisible();
    const more = button('Show more').element() as HTMLElement;
    more.focus();
    const press = async () => {
      if (focused() === more) await userEvent.keyboard('{Enter}');
      return focused()?.ariaLabel;
    };
    // At a person's pace: the guard waits half a second again after a press that came too soon.
    await expect.poll(press, { interval: 700, timeout: 25_000 }).toBe('What you are asked for');
    expect(dialog.element().ariaBusy).toBe('false');
    expect(host()?.shadowRoot?.textContent).toContain(memo);
    await expect.element(button('Confirm all')).toHaveAttribute('aria-disabled', 'false');
    await agree('Confirm all');
    expect(await decided).toBe('confirm');
  });

  it('waits for the end again once a text further up was opened [S12]', async () => {
    open(
      asking([call('note', { memo: 'y'.repeat(3_000) }), ...Array.from({ length: 8 }, () => transfer('1'))]),
    );
    await expect.element(dialog.getByText('open what is folded')).toBeVisible();
    body.element().scrollTop = body.element().scrollHeight;
    (button('Show more').element() as HTMLElement).click();
    await expect.element(dialog.getByText('Scroll to the end, then press Confirm all.')).toBeVisible();
    await expect.element(button('Confirm all')).toHaveAttribute('aria-disabled', 'true');
    await see();
    await expect.element(button('Confirm all')).toHaveAttribute('aria-disabled', 'false');
  });

  it('needs no scrolling again for another try of the same request', async () => {
    const opened = flow();
    end = opened.end;
    const first = opened.show(long());
    await expect.element(dialog).toBeVisible();
    await see();
    await agree('Send');
    expect(await first).toBe('confirm');
    const second = opened.show({ ...long(), retry: 'cancelled', error: 'Refused.' });
    await agree('Try again');
    expect(await second).toBe('confirm');
  });

  it('waits for nothing where all is in view', async () => {
    open(asking([transfer('1')]));
    await expect.element(button('Send')).toHaveAttribute('aria-disabled', 'false');
    await expect.element(button('Show more')).not.toBeInTheDocument();
  });
});

/** Scrolls to the end, as a mouse's wheel does. */
async function see() {
  body.element().scrollTop = body.element().scrollHeight;
  await expect.element(button('Show more')).not.toBeInTheDocument();
}
