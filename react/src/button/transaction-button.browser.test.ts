import { isLatchkeyError, LatchkeyError } from 'latchkey';
import { defineTransactionButton, type TransactionButtonElement } from 'latchkey/button';
import { CANCELLED, transactionsDigest } from 'latchkey/internal';
import { describe, expect, it } from 'vitest';
import { userEvent, page as view } from 'vitest/browser';
import { call } from '../testing/actions.js';
import {
  armed,
  clickAt,
  confirm,
  done,
  isOpen,
  liftFinger,
  middleOf,
  moveTo,
  onePageEach,
  openPage,
  type PageOptions,
  page,
  parts,
  SDK,
  touchAt,
  transfers,
} from '../testing/button-frame.js';
import { pseudo } from '../testing/pseudo.js';

onePageEach();

const rect = (element: Element | null) => {
  const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return { x, y, width, height };
};
const hover = async () => {
  await moveTo(middleOf(parts(page).button));
  await expect.poll(() => isOpen(page)).toBe(true);
};
describe('The embedded transaction button (button 2, button 4, button 8, button 9)', () => {
  it('is a frame of the page, with the sandbox and the permissions of the specification', async () => {
    await openPage();
    expect(page.frame.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin');
    expect(page.frame.allow.split('; ').sort()).toEqual([
      'clipboard-write',
      'publickey-credentials-create',
      'publickey-credentials-get',
    ]);
    expect(page.frame.contentWindow?.origin).toBe(origin);
  });

  it('is 200 by 48 pixels and covers its container', async () => {
    await openPage();
    expect(rect(page.container)).toEqual({ x: 500, y: 450, width: 200, height: 48 });
    const frame = rect(page.frame);
    const button = rect(parts(page).button);
    expect({ ...button, x: frame.x + button.x, y: frame.y + button.y }).toEqual(rect(page.container));
  });

  it.each([
    ['top-left', { x: 0, y: -306 }],
    ['top-center', { x: -40, y: -306 }],
    ['top-right', { x: -80, y: -306 }],
    ['left', { x: -286, y: -126 }],
    ['right', { x: 206, y: -126 }],
    ['bottom-left', { x: 0, y: 54 }],
    ['bottom-center', { x: -40, y: 54 }],
    ['bottom-right', { x: -80, y: 54 }],
  ] as const)('opens its tooltip of 280 by 300 pixels at %s', async (position, { x, y }) => {
    await openPage({ tooltip: { position } });
    await hover();
    const button = rect(parts(page).button);
    expect(rect(parts(page).tooltip)).toEqual({ x: button.x + x, y: button.y + y, width: 280, height: 300 });
  });

  it('opens where there is room, and back where it was told to when the page scrolls', async () => {
    await openPage({ at: { left: 500, top: 60 } });
    await hover();
    expect(rect(parts(page).tooltip).y).toBeGreaterThan(rect(parts(page).button).y);
    await moveTo({ x: 5, y: 5 });
    await expect.poll(() => isOpen(page)).toBe(false);
    page.container.style.top = '700px';
    dispatchEvent(new Event('resize'));
    await expect.poll(() => rect(parts(page).button).y).toBeGreaterThan(100);
    await hover();
    expect(rect(parts(page).tooltip).y).toBeLessThan(rect(parts(page).button).y);
  });

  it('makes the page no larger while its tooltip is closed, even where no side has room for it', async () => {
    await view.viewport(320, 300);
    await openPage({ at: { left: 60, top: 240 }, tooltip: { position: 'bottom-center' } });
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    expect([scrollWidth, scrollHeight]).toEqual([clientWidth, clientHeight]);
    await hover();
    expect(rect(parts(page).tooltip).height).toBe(300);
  });

  it('closes where the window became too narrow for its tooltip, and opens where there is room', async () => {
    await openPage({ tooltip: { position: 'right' } });
    await hover();
    const rightOf = () => rect(page.frame).x + rect(parts(page).tooltip).x + 280;
    expect(rightOf()).toBe(986);
    await view.viewport(900, 1000);
    await expect.poll(() => !isOpen(page) || rightOf() <= 900).toBe(true);
    await moveTo({ x: 5, y: 5 });
    await expect.poll(() => isOpen(page)).toBe(false);
    await hover();
    expect(rightOf()).toBeLessThanOrEqual(900);
  });

  it('takes clicks 4 pixels around the button, and 8 around button and tooltip; the page has all others', async () => {
    await openPage();
    const at = rect(page.container);
    const isFrameAt = (x: number, y: number) => document.elementFromPoint(x, y) === page.frame;
    expect([isFrameAt(at.x - 3, at.y + 20), isFrameAt(at.x - 5, at.y + 20)]).toEqual([true, false]);
    expect(isFrameAt(at.x + 100, at.y - 100)).toBe(false);
    await hover();
    await expect.poll(() => isFrameAt(at.x + 100, at.y - 100)).toBe(true);
    const left = at.x - 40;
    expect([isFrameAt(left - 7, at.y - 100), isFrameAt(left - 9, at.y - 100)]).toEqual([true, false]);
  });

  it('shows every transaction with its receiver and amount, and the sum', async () => {
    await openPage();
    expect(parts(page).head?.textContent).toBe('You send 0.0003 NEAR2 transactions, signed by alice.testnet');
    const cards = [...(parts(page).body?.querySelectorAll('.card') ?? [])].map(
      ({ textContent }) => textContent,
    );
    expect(cards).toEqual([
      'To bob.testnetTransferAmount0.0001 NEAR',
      'To carol.testnetTransferAmount0.0002 NEAR',
    ]);
  });

  it('describes actions as the confirmation does, marks hidden characters and has no markup of a page', async () => {
    const args = '{"note":"<img src=x>\u202egnp"}';
    await openPage({
      transactions: [
        {
          receiverId: 'app.testnet',
          actions: [call('pay', args), { type: 'DeleteAccount', beneficiaryId: 'mallory.testnet' }],
        },
      ],
    });
    const shown = parts(page).body;
    expect(shown?.textContent).toContain('Call pay');
    expect(shown?.textContent).toContain('30 Tgas');
    expect(shown?.textContent).toContain('< 0.000001 NEAR');
    expect(shown?.textContent).toContain(
      'Careful. The account and everything stored on it are gone for good.',
    );
    expect(shown?.querySelector('img')).toBeNull();
    expect(shown?.querySelector('mark')?.textContent).toBe('U+202E');
  });

  it('reads blocks ahead when the mouse or the focus comes to it', async () => {
    let prefetched = 0;
    const wallet = {
      config: { sdkBasePath: SDK },
      signAndSendTransactions: async () => [done, done],
      prefetchBlockheight: async () => {
        prefetched += 1;
      },
    };
    await openPage({ wallet });
    await hover();
    await expect.poll(() => prefetched).toBe(1);
    await moveTo({ x: 5, y: 5 });
    parts(page).button?.focus();
    await expect.poll(() => prefetched).toBe(2);
  });

  it('opens at the focus of the keyboard, closes by Escape, and confirms by Enter', async () => {
    await openPage();
    const before = document.createElement('button');
    document.body.prepend(before);
    before.focus();
    await userEvent.keyboard('{Tab}');
    await expect.poll(() => isOpen(page)).toBe(true);
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => isOpen(page)).toBe(false);
    const press = async () => {
      if (!isOpen(page)) await userEvent.keyboard('{Enter}');
      await armed(page);
      await userEvent.keyboard('{Enter}');
      return page.asked.length;
    };
    await expect.poll(press, { interval: 100, timeout: 20_000 }).not.toBe(0);
    before.remove();
  });

  it('closes at a click outside of it, in the page too', async () => {
    await openPage();
    page.mounted.setTooltipVisibility(true);
    await expect.poll(() => isOpen(page)).toBe(true);
    await clickAt(middleOf(document.body));
    await expect.poll(() => isOpen(page)).toBe(false);
  });

  it('signs at a click what it showed, and reports each step', async () => {
    let settle = (): void => undefined;
    await openPage({ answer: () => new Promise((resolve) => (settle = () => resolve([done, done]))) });
    await confirm(page);
    await expect.poll(() => page.asked.length).toBe(1);
    expect(page.asked[0]).toEqual({
      nearAccountId: 'alice.testnet',
      transactions: transfers,
      uiDigest: await transactionsDigest(transfers as never),
    });
    expect(page.told).toEqual([['loading', true]]);
    expect(parts(page).button?.ariaBusy).toBe('true');
    // A second click changes nothing.
    await clickAt(middleOf(parts(page).button));
    settle();
    await expect
      .poll(() => page.told)
      .toEqual([
        ['loading', true],
        ['success', [done, done]],
        ['loading', false],
      ]);
    expect(page.asked).toHaveLength(1);
    await expect.poll(() => parts(page).button?.ariaBusy).toBe('false');
  });

  it('confirms again by a mouse that has not moved since', async () => {
    await openPage();
    await confirm(page);
    await expect.poll(() => page.asked.length).toBe(1);
    const at = middleOf(parts(page).button);
    const press = async () => {
      await clickAt(at);
      return page.asked.length;
    };
    await expect.poll(press, { interval: 700, timeout: 20_000 }).toBe(2);
  });

  it("asks the wallet with the digest and the page's options", async () => {
    const calls: unknown[] = [];
    const wallet = {
      config: { sdkBasePath: SDK },
      signAndSendTransactions: async (args: unknown) => {
        calls.push(args);
        return [done, done];
      },
      prefetchBlockheight: async () => undefined,
    };
    await openPage({ wallet, onConfirm: undefined, options: { waitUntil: 'FINAL' } });
    await confirm(page);
    await expect
      .poll(() => calls)
      .toEqual([
        {
          nearAccountId: 'alice.testnet',
          transactions: transfers,
          options: { waitUntil: 'FINAL', uiDigest: await transactionsDigest(transfers as never) },
        },
      ]);
  });

  it.each<[string, PageOptions, string, string]>([
    [
      'nothing to sign it with',
      { onConfirm: undefined },
      'BUTTON_NO_HANDLER',
      'No external confirm handler provided',
    ],
    [
      'a failure',
      { answer: async () => [done, { ...done, success: false, error: 'Too poor' }] },
      'TRANSACTION_NOT_EXECUTED',
      'Too poor',
    ],
    [
      'a failure without a text',
      { answer: async () => [{ ...done, success: false }] },
      'TRANSACTION_NOT_EXECUTED',
      'Failed to execute transaction',
    ],
    [
      'an error that says nothing',
      { answer: () => Promise.reject(new Error('')) },
      'TRANSACTION_NOT_EXECUTED',
      'Failed to execute transaction',
    ],
  ])('reports %s, and works again', async (_, options, code, message) => {
    await openPage(options);
    await confirm(page);
    await expect.poll(() => page.told.at(-1)).toEqual(['loading', false]);
    const [, error] = page.told.find(([name]) => name === 'error') ?? [];
    expect(isLatchkeyError(error) && [error.code, error.message]).toEqual([code, message]);
    await expect.poll(() => parts(page).button?.ariaBusy).toBe('false');
  });

  it.each<[string, PageOptions['answer']]>([
    ['by a result', async () => [{ ...done, success: false, errorCode: 'CANCELLED' }]],
    ['by an error', () => Promise.reject(new LatchkeyError(CANCELLED))],
  ])("reports a user's no %s as cancelled, and as no error", async (_, answer) => {
    await openPage({ ...(answer && { answer }) });
    await confirm(page);
    await expect.poll(() => page.told.at(-1)).toEqual(['loading', false]);
    expect(page.told.map(([name]) => name)).toEqual(['loading', 'cancel', 'loading']);
    const [, error] = page.told.find(([name]) => name === 'cancel') ?? [];
    expect((error as Error).message).toBe('Transaction cancelled by user');
  });

  it('says what is missing when it has no account or no transaction', async () => {
    await openPage();
    page.update({ nearAccountId: null });
    await expect.poll(() => parts(page).body?.querySelectorAll('.card').length).toBe(0);
    await moveTo(middleOf(parts(page).button));
    await clickAt(middleOf(parts(page).button));
    await expect.poll(() => page.told.at(-1)).toEqual(['loading', false]);
    const [, error] = page.told.find(([name]) => name === 'error') ?? [];
    expect((error as Error).message).toBe('Missing required data for transaction');
  });

  it('confirms by a second tap of a finger', async () => {
    await openPage();
    const at = middleOf(parts(page).button);
    await touchAt(at);
    await liftFinger();
    await expect.poll(() => isOpen(page)).toBe(true);
    expect(page.asked).toEqual([]);
    await armed(page);
    await touchAt(at);
    await liftFinger();
    await expect.poll(() => page.asked.length).toBe(1);
  });

  it('confirms by one long press of a finger where the page chose so, and not by a short one', async () => {
    await openPage({ activationMode: 'press' });
    await expect.poll(() => parts(page).hint?.textContent).toContain('hold and release it');
    const at = middleOf(parts(page).button);
    await touchAt(at);
    await liftFinger();
    await expect.poll(() => isOpen(page)).toBe(true);
    page.mounted.setTooltipVisibility(false);
    await expect.poll(() => isOpen(page)).toBe(false);
    expect(page.asked).toEqual([]);
    await touchAt(at);
    await armed(page);
    await liftFinger();
    await expect.poll(() => page.asked.length).toBe(1);
  });

  it('takes no click before the end of a long request was seen', async () => {
    const many = Array.from({ length: 12 }, () => transfers[0]!);
    await openPage({ transactions: many });
    await hover();
    expect(parts(page).hint?.textContent).toBe('Scroll to the end to confirm.');
    await armed(page);
    await clickAt(middleOf(parts(page).button));
    expect(page.told).toEqual([]);
    parts(page).body?.scrollTo(0, 100_000);
    await expect.poll(() => parts(page).hint?.textContent).toBe('Press the button to confirm.');
    await confirm(page);
    await expect.poll(() => page.asked.length).toBe(1);
  });

  it('speaks the language that the page gives it, and English again without one', async () => {
    await openPage({ texts: { ...pseudo.confirm.actions, ...pseudo.confirm.button } });
    const said = () =>
      [parts(page).button, parts(page).tooltip].flatMap((part) => [
        part?.textContent ?? '',
        part?.ariaLabel ?? '',
      ]);
    await expect
      .poll(() =>
        said()
          .join(' ')
          .replace(/\w+\.testnet|NEAR/g, ''),
      )
      .not.toMatch(/[a-z]/i);
    expect(said().join(' ')).toContain('bob.testnet');
    page.update({ texts: undefined });
    await expect.poll(() => parts(page).button?.textContent).toBe('Send Transaction');
    expect(parts(page).head?.textContent).toContain('You send 0.0003 NEAR');
  });

  it('takes the theme, the words and the size that the page chooses, while it is there', async () => {
    await openPage({ label: 'Pay both' });
    const element = () => page.frame.contentDocument?.querySelector<HTMLElement>('w3a-button-with-tooltip');
    expect(parts(page).button?.textContent).toBe('Pay both');
    expect(element()?.dataset.latchkeyTheme).toBe('light');
    page.update({ theme: 'dark', size: { width: 240, height: 56 } });
    await expect.poll(() => element()?.dataset.latchkeyTheme).toBe('dark');
    await expect.poll(() => rect(parts(page).button)).toMatchObject({ width: 240, height: 56 });
    expect(rect(page.container)).toMatchObject({ width: 240, height: 56 });
  });

  it('shakes hands in the order of the specification', async () => {
    const told: string[] = [];
    const listen = ({ source, data }: MessageEvent) => {
      if (source !== window) told.push(data.type);
    };
    addEventListener('message', listen);
    await openPage();
    await expect.poll(() => told).toContain('HS5_GEOMETRY_RESULT');
    expect(told.slice(0, 4)).toEqual(['READY', 'ETX_DEFINED', 'HS2_POSITIONED', 'HS5_GEOMETRY_RESULT']);
    removeEventListener('message', listen);
  });

  it('reports what fails in its frame', async () => {
    await openPage();
    const inside = page.frame.contentWindow!;
    inside.dispatchEvent(new ErrorEvent('error', { message: 'Out of paint' }));
    inside.dispatchEvent(
      new PromiseRejectionEvent('unhandledrejection', {
        promise: Promise.resolve(),
        reason: new Error('Broken promise'),
      }),
    );
    const script = inside.document.createElement('script');
    script.src = '/missing.js';
    script.type = 'text/plain';
    inside.document.body.append(script);
    script.dispatchEvent(new Event('error'));
    const texts = () =>
      page.told.filter(([name]) => name === 'error').map(([, error]) => (error as Error).message);
    await expect
      .poll(texts)
      .toEqual([
        'The transaction button could not be shown: Out of paint',
        'The transaction button could not be shown: Broken promise',
        expect.stringMatching(/could not be shown: http.*missing.js did not load$/),
      ]);
  });
});

describe('The element for pages without React (button 2)', () => {
  it('draws the button by its options, and tells its end by events', async () => {
    defineTransactionButton();
    const element = document.createElement('latchkey-transaction-button') as TransactionButtonElement;
    const events: [string, unknown][] = [];
    for (const type of ['success', 'cancel', 'error', 'loading'])
      element.addEventListener(type, (event) => events.push([type, (event as CustomEvent).detail]));
    element.style.cssText = 'position:absolute;left:500px;top:450px';
    element.options = {
      nearAccountId: 'alice.testnet',
      transactions: transfers,
      sdkBasePath: SDK,
      onConfirm: async () => [done, done],
    };
    document.body.append(element);
    const frame = element.querySelector('iframe')!;
    await expect
      .poll(() => parts({ frame }).head?.textContent ?? '', { timeout: 20_000 })
      .toContain('You send');
    await confirm({ frame, told: events });
    await expect
      .poll(() => events)
      .toEqual([
        ['loading', true],
        ['success', [done, done]],
        ['loading', false],
      ]);
    element.remove();
    expect(element.querySelector('iframe')).toBeNull();
  });
});
