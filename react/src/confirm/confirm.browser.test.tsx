import type { Action, ConfirmModel } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { call } from '../testing/actions.js';
import {
  agree,
  asking,
  button,
  common,
  dialog,
  flow,
  focused,
  gone,
  host,
  KEY,
  shadowText,
  transfer,
  withButtonOutside,
  YOCTO,
} from '../testing/confirmation.js';
import { createReactConfirmer } from './react-confirmer.js';

const outside = withButtonOutside();

describe('a delegate', () => {
  it('shows who sends it, who pays and how long it is valid', async () => {
    for (const [relay, who] of [
      ['relay.example:3000', 'The relay relay.example:3000'],
      [null, 'Whoever this page gives it to'],
    ] as const) {
      const { show, end } = flow();
      const decided = show(asking([transfer('1')], { delegate: { relay, validForBlocks: 600 } }));
      await expect.element(dialog).toHaveAccessibleName('Send 1 NEAR');
      for (const text of [who, 'Paid by whoever sends it, not by you', '600 blocks, once']) {
        await expect.poll(() => shadowText().replaceAll(/[\u2066-\u2069]/g, '')).toContain(text);
      }
      await button('Cancel').click();
      expect(await decided).toBe('cancel');
      end();
      await gone();
    }
  });
});

describe('several delegates with last blocks of the page’s choice (core 3)', () => {
  it('show each last block', async () => {
    const { show, end } = flow();
    const maxBlockHeights = ['123456789', '123456800', '123456800'];
    const delegate = { relay: null, validForBlocks: 211, maxBlockHeights };
    const transactions = maxBlockHeights.map((_, index) => ({
      receiverId: `bob${index}.testnet`,
      actions: [transfer('1')],
    }));
    const decided = show(asking([], { transactions, delegate }));
    await expect.element(dialog).toHaveAccessibleName('Send 3 NEAR in 3 payments');
    for (const text of [
      '211 blocks, once',
      'until block 123456789',
      'until block 123456800',
      'bob2.testnet',
    ]) {
      await expect.poll(() => shadowText().replaceAll(/[\u2066-\u2069]/g, '')).toContain(text);
    }
    await button('Cancel').click();
    expect(await decided).toBe('cancel');
    end();
    await gone();
  });
});

describe('arguments that are bytes (core 3)', () => {
  it('are shown with their length and in hexadecimal digits, and marked as not readable [S14]', async () => {
    const { show, end } = flow();
    const submit = (args: Uint8Array): Action => ({
      type: 'FunctionCall',
      methodName: 'submit',
      args,
      gas: '1',
      deposit: '0',
    });
    const decided = show(asking([submit(Uint8Array.of(0, 123, 255))]));
    await expect.element(dialog).toHaveAccessibleName('Call submit');
    for (const text of ['3 bytes', '007bff', 'bytes that cannot be read here']) {
      await expect.poll(() => shadowText().replaceAll(/[\u2066-\u2069]/g, '')).toContain(text);
    }
    await button('Cancel').click();
    expect(await decided).toBe('cancel');
    end();
    await gone();
  });
});

describe('the confirmation (core 2, core 4, frame 7, frame 8)', () => {
  it('offers to stop the requests of a site only where the model does, as an answer of its own', async () => {
    const stop = button('Stop requests from this site');
    for (const offersStop of [false, true]) {
      const { show, end } = flow();
      const decided = show(asking([transfer('1')], { offersStop }));
      await expect.element(button('Cancel')).toBeVisible();
      expect(stop.elements()).toHaveLength(offersStop ? 1 : 0);
      await (offersStop ? stop : button('Cancel')).click();
      expect(await decided).toBe(offersStop ? 'stop' : 'cancel');
      end();
      await gone();
    }
  });

  it('shows who receives what and the arguments; gas, site and digest are under Details [S90]', async () => {
    const { show, end } = flow();
    const args = '{"greeting":"hi","n":12345678901234567890}';
    const decided = show(asking([call('set_greeting', args, `25${YOCTO.slice(1)}`)]));
    await expect.element(dialog).toHaveAccessibleName('Call set_greeting with 2.5 NEAR');
    for (const text of ['bob.testnet', 'alice.testnet', 'Test network, no real money'])
      await expect.element(dialog).toHaveTextContent(text);
    expect(shadowText()).toContain('{\n  "greeting": "hi",\n  "n": 12345678901234567890\n}');
    const closed = ['30 Tgas', common.digest, 'wallet.test'];
    for (const text of closed) await expect.element(dialog).not.toHaveTextContent(text);
    await button('Details').click();
    for (const text of closed) await expect.element(dialog).toHaveTextContent(text);
    end();
    expect(await decided).toBe('cancel');
    await gone();
  });

  it('says under Details that a transaction runs only as the next one of its key, on its lane', async () => {
    const { show, end } = flow();
    const transactions = [
      { receiverId: 'bob.testnet', actions: [transfer('1')], nonceMode: 'Strict' as const, lane: 3 },
    ];
    const decided = show(asking([], { transactions }));
    await expect.element(dialog).toHaveAccessibleName('Send 1 NEAR');
    const said = 'Lane 3 of its key · Only as the next transaction of its key';
    await expect.element(dialog).not.toHaveTextContent(said);
    await button('Details').click();
    await expect.element(dialog).toHaveTextContent(said);
    end();
    expect(await decided).toBe('cancel');
    await gone();
  });

  it('shows the usual fee and its bound, and warns when the balance may not be enough', async () => {
    const cost = {
      gas: `30919${YOCTO.slice(6)}`,
      usual: `000289${YOCTO.slice(6)}`,
      deposit: `1${YOCTO}`,
      total: `1030919${YOCTO.slice(6)}`,
      available: `2${YOCTO}`,
    };
    const { show, end } = flow();
    const decided = show(asking([transfer('1')], { cost }));
    await expect.element(dialog).toHaveTextContent('Fee about 0.0003 NEAR, at most 0.031 NEAR');
    await expect.element(dialog).not.toHaveTextContent('may not be enough.');
    await button('Details').click();
    await expect.element(dialog).toHaveTextContent(/With the fee.*at most 1\.030919 NEAR/);
    await expect.element(dialog).toHaveTextContent(/Balance.*2 NEAR/);
    end();
    await decided;
    await gone();
    const another = flow();
    const short = another.show(asking([transfer('1')], { cost: { ...cost, available: `1${YOCTO}` } }));
    await expect.element(dialog).toHaveTextContent('You have 1 NEAR. This may not be enough.');
    another.end();
    await short;
    await gone();
  });

  it('stays open and busy from the answer to the end of the flow, then returns the focus', async () => {
    outside().focus();
    const { show, end } = flow();
    const decided = show(asking([transfer('1')]));
    await agree('Send');
    expect(await decided).toBe('confirm');
    await expect.element(dialog).toHaveAttribute('aria-busy', 'true');
    await expect.element(dialog.getByRole('status')).toHaveTextContent('passkey prompt');
    await userEvent.keyboard('{Escape}{Escape}');
    await expect.element(dialog).toBeVisible();
    end();
    await gone();
    expect(document.activeElement).toBe(outside());
  });

  it('is cancelled by Escape and by its button', async () => {
    for (const cancel of [() => userEvent.keyboard('{Escape}'), () => button('Cancel').click()]) {
      const { show, end } = flow();
      const decided = show(asking([transfer('1')]));
      await expect.element(dialog).toBeVisible();
      await expect.poll(() => focused()?.textContent).toBe('Cancel');
      await cancel();
      expect(await decided).toBe('cancel');
      end();
      await gone();
    }
  });

  it.each([
    ['a payment', 'Send', transfer('1')],
    ['a call', 'Call', call('set_greeting', { greeting: 'hello' }, '0')],
  ])('shows %s whole in a window of 480 by 720: nothing waits for Show more', async (_, verb, action) => {
    await page.viewport(480, 720);
    const cost = {
      gas: `0012${YOCTO.slice(4)}`,
      deposit: `1${YOCTO}`,
      total: `1${YOCTO}`,
      available: `50${YOCTO}`,
    };
    const recipients = [{ accountId: 'bob.testnet', isNew: true }];
    const { show, end } = flow();
    const decided = show(asking([action], { askedBy: 'https://shop.example', cost, recipients }));
    await expect.element(button(verb)).toHaveAttribute('aria-disabled', 'false');
    await expect.element(button('Show more')).not.toBeInTheDocument();
    await button('Cancel').click();
    await decided;
    end();
    await gone();
  });

  it('offers a retry in the same dialog after a refused prompt', async () => {
    const { show, end } = flow();
    const first = show(asking([transfer('1')]));
    await agree('Send');
    await first;
    const surface = host();
    const second = show(asking([transfer('1')], { retry: 'cancelled', error: 'The prompt was refused.' }));
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('The prompt was refused.');
    expect(host()).toBe(surface);
    await expect.element(dialog).toHaveAttribute('aria-busy', 'false');
    await agree('Try again');
    expect(await second).toBe('confirm');
    end();
    await gone();
  });

  it('continues, and does not try again, where the passkey did not check its user', async () => {
    const { show, end } = flow();
    const decided = show(asking([transfer('1')], { retry: 'unverified', error: 'It did not check.' }));
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('It did not check.');
    await agree('Continue');
    expect(await decided).toBe('confirm');
    end();
    await gone();
  });

  it.each([
    ['cancelled', true],
    ['timeout', true],
    ['focus', false],
    ['failed', false],
  ] as const)(
    'names the possibility of a deleted passkey after a prompt without one: %s %s',
    async (retry, isNamed) => {
      const { show, end } = flow();
      const decided = show(asking([transfer('1')], { retry, error: 'No passkey came back.' }));
      await expect.element(dialog.getByRole('alert')).toHaveTextContent('No passkey came back.');
      expect(shadowText().includes('It may have been deleted here')).toBe(isNamed);
      end();
      await decided;
      await gone();
    },
  );

  it('never names it where the passkey is still to be made', async () => {
    const { show, end } = flow();
    const registering: ConfirmModel = {
      ...common,
      kind: 'registration',
      deviceNumber: 1,
      retry: 'cancelled',
      error: 'No.',
    };
    const decided = show(registering);
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('No.');
    expect(shadowText()).not.toContain('deleted');
    end();
    await decided;
    await gone();
  });

  it('recognises a retry by its digest when the signal differs', async () => {
    const confirmer = createReactConfirmer();
    const ended = new AbortController();
    const signal = () => AbortSignal.any([ended.signal]);
    const first = confirmer.show(asking([transfer('1')]), signal());
    await agree('Send');
    await first;
    const second = confirmer.show(
      asking([transfer('1')], { retry: 'timeout', error: 'Too late.' }),
      signal(),
    );
    await agree('Try again');
    expect(await second).toBe('confirm');
    ended.abort();
    await gone();
  });

  it('proceeds by itself after the delay, unless cancelled first', async () => {
    const slow = flow();
    const started = performance.now();
    const decided = slow.show(asking([transfer('1')], { behavior: 'autoProceed', autoProceedDelayMs: 500 }));
    await expect.element(button('Cancel')).toBeVisible();
    await expect.element(button('Send')).not.toBeInTheDocument();
    expect(await decided).toBe('confirm');
    expect(performance.now() - started).toBeGreaterThanOrEqual(490);
    slow.end();
    await gone();

    const stopped = flow();
    const cancelled = stopped.show(
      asking([transfer('1')], { behavior: 'autoProceed', autoProceedDelayMs: 20_000 }),
    );
    await button('Cancel').click();
    expect(await cancelled).toBe('cancel');
    stopped.end();
    await gone();
  });

  it('never proceeds by itself after a refused prompt', async () => {
    const { show, end } = flow();
    const decided = show(
      asking([transfer('1')], { behavior: 'autoProceed', retry: 'cancelled', error: 'Refused.' }),
    );
    await expect.element(button('Try again')).toBeVisible();
    await new Promise((resolve) => setTimeout(resolve, 400));
    await expect.element(dialog).toHaveAttribute('aria-busy', 'false');
    end();
    expect(await decided).toBe('cancel');
    await gone();
  });

  it.each<[string, Action]>([
    ['a full-access key', { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } }],
    ['the removal of a key', { type: 'DeleteKey', publicKey: KEY }],
    ['the removal of the account', { type: 'DeleteAccount', beneficiaryId: 'mallory.testnet' }],
    ['a new contract', { type: 'DeployContract', code: new Uint8Array(9) }],
  ])('warns about %s and focuses Cancel', async (_, action) => {
    const { show, end } = flow();
    void show(asking([action]));
    await expect.element(dialog.getByText('Careful.')).toBeVisible();
    await expect.poll(() => focused()?.textContent).toBe('Cancel');
    end();
    await gone();
  });

  it('names a risk at the top when its action is far down', async () => {
    const { show, end } = flow();
    const many = Array.from({ length: 20 }, () => transfer('1'));
    void show(asking([...many, { type: 'DeleteAccount', beneficiaryId: 'mallory.testnet' }]));
    const notice = dialog.getByText('Among other things: Delete this account');
    await expect.element(notice).toBeVisible();
    const popup = dialog.element().getBoundingClientRect();
    expect(notice.element().getBoundingClientRect().bottom).toBeLessThan(popup.top + popup.height / 2);
    end();
    await gone();
  });

  it('shows a limited function-call key with its limits and no warning', async () => {
    const { show, end } = flow();
    const bounds = { allowance: `1${YOCTO}`, receiverId: 'app.testnet', methodNames: ['vote'] };
    const permission = { FunctionCall: bounds };
    void show(asking([{ type: 'AddKey', publicKey: KEY, accessKey: { permission } }]));
    for (const text of ['app.testnet', 'vote', '1 NEAR', KEY])
      await expect.element(dialog).toHaveTextContent(text);
    for (const warning of ['Careful.', 'Note.'])
      await expect.element(dialog.getByText(warning)).not.toBeInTheDocument();
    end();
    await gone();
  });

  it('shows no hidden or reordering character of a transaction as it is', async () => {
    const evil = 'a\u202Eb\u200Bc\u0007d\u2066';
    const { show, end } = flow();
    void show({
      ...asking([
        { type: 'FunctionCall', methodName: evil, args: `{"m":"${'\u202E'}"}`, gas: '1', deposit: evil },
      ]),
      accountId: evil,
      transactions: [
        {
          receiverId: evil,
          actions: [
            { type: 'FunctionCall', methodName: evil, args: `{"m":"\u202E"}`, gas: evil, deposit: evil },
          ],
        },
      ],
    });
    await expect.element(dialog).toBeVisible();
    for (const hidden of ['\u0007', '\u200B', '\u202E', '\u2066']) expect(shadowText()).not.toContain(hidden);
    expect(shadowText()).toContain('aU+202EbU+200BcU+0007dU+2066');
    end();
    await gone();
  });

  it('shows a registration with the same texts in the modal and the drawer', async () => {
    for (const uiMode of ['modal', 'drawer'] as const) {
      const { show, end } = flow();
      const decided = show({ ...common, uiMode, kind: 'registration', deviceNumber: 1 });
      await expect.element(dialog).toHaveAccessibleName('Create your passkey');
      await expect.element(dialog).toHaveTextContent('alice.testnet');
      await agree('Create passkey');
      expect(await decided).toBe('confirm');
      end();
      await gone();
    }
  });

  it('says of an account without a name what its passkey is called and what its loss means', async () => {
    const { show, end } = flow();
    const decided = show({
      ...common,
      accountId: '',
      digest: '',
      kind: 'registration',
      deviceNumber: 1,
      label: 'My\u202ewallet',
    });
    await expect.element(dialog).toHaveAccessibleName('Create your wallet');
    await expect.element(dialog).toHaveTextContent('My');
    await expect.element(dialog).toHaveTextContent('U+202E');
    await expect.element(dialog).toHaveTextContent('Only this passkey opens the account.');
    await expect.element(dialog).not.toHaveTextContent('This account');
    await agree('Create passkey');
    expect(await decided).toBe('confirm');
    end();
    await gone();
  });

  it.each(['modal', 'drawer'] as const)(
    'has both buttons on one line each at 320 pixels, in a %s',
    async (uiMode) => {
      await page.viewport(320, 640);
      const { show, end } = flow();
      const decided = show({ ...common, uiMode, kind: 'registration', deviceNumber: 1 });
      for (const name of ['Cancel', 'Create passkey']) {
        await expect.element(button(name)).toBeVisible();
        const text = document.createRange();
        text.selectNodeContents(button(name).element());
        expect([name, text.getClientRects().length]).toEqual([name, 1]);
      }
      end();
      expect(await decided).toBe('cancel');
      await gone();
      await page.viewport(1280, 1000);
    },
  );

  it.each(['modal', 'drawer'] as const)(
    'proceeds by itself as a %s and shows that it does',
    async (uiMode) => {
      const { show, end } = flow();
      const decided = show(
        asking([transfer('1')], { uiMode, behavior: 'autoProceed', autoProceedDelayMs: 5_000 }),
      );
      await expect.element(dialog).toHaveAttribute('aria-busy', 'true');
      await expect.element(dialog.getByRole('status')).toHaveTextContent('One moment…');
      expect(await decided).toBe('confirm');
      await expect.element(dialog.getByRole('status')).toHaveTextContent('passkey prompt');
      end();
      await gone();
    },
  );

  it('shows one flow at a time', async () => {
    const confirmer = createReactConfirmer();
    const first = flow(confirmer);
    const second = flow(confirmer);
    const firstDecided = first.show(asking([transfer('1')]));
    const secondDecided = second.show(asking([transfer('2')]));
    await expect.element(dialog).toHaveTextContent('1 NEAR');
    await agree('Send');
    expect(await firstDecided).toBe('confirm');
    expect(shadowText()).not.toContain('2 NEAR');
    first.end();
    await expect.element(dialog).toHaveAccessibleName('Send 2 NEAR');
    second.end();
    expect(await secondDecided).toBe('cancel');
    await gone();
  });

  it('closes even when the flow ends before it was ever visible', async () => {
    const confirmer = createReactConfirmer();
    await confirmer.preload();
    for (const waitMs of [0, 5, 20]) {
      const ended = new AbortController();
      const decided = confirmer.show(asking([transfer('1')]), ended.signal);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      ended.abort();
      expect(await decided).toBe('cancel');
      await gone();
    }
  });

  it('shows nothing for a flow that has ended', async () => {
    const { show, end } = flow();
    end();
    expect(await show(asking([transfer('1')]))).toBe('cancel');
    expect(host()).toBeNull();
  });

  it('shows the check code of a new device, and that the device gets full access [S68]', async () => {
    const { show, end } = flow();
    const decided = show({
      ...asking([{ type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } }]),
      device: { publicKey: KEY, checkCode: 'ABCD2345EFGH6723', expiresAt: Date.now() + 600_000 },
    });
    await expect.element(dialog).toHaveAccessibleName('Link a new device');
    await expect.element(dialog.getByText('ABCD 2345 EFGH 6723')).toBeVisible();
    await expect.element(dialog).toHaveTextContent('Is exactly this code on the new device?');
    await expect.element(dialog.getByRole('timer')).toHaveTextContent(/^(10:00|9:5\d)$/);
    await expect.element(dialog).toHaveTextContent('This gives the new device full access to alice.testnet.');
    await expect.element(dialog).toHaveTextContent(KEY);
    await expect.poll(() => focused()?.textContent).toBe('Cancel');
    await agree('Link device');
    expect(await decided).toBe('confirm');
    end();
    await gone();
  });

  it('says that the page scanned the code of a new device, and looks unlike the dialog after a scan of the wallet [S31]', async () => {
    const { show, end } = flow();
    const decided = show({
      ...asking([{ type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } }]),
      device: {
        publicKey: KEY,
        checkCode: 'ABCD2345EFGH6723',
        expiresAt: Date.now() + 600_000,
        scannedBy: 'https://app.example',
      },
    });
    await expect.element(dialog).toHaveAccessibleName('A page wants to let a device in');
    await expect.element(dialog).toHaveTextContent('app.example scanned this code, not your wallet.');
    await expect.element(dialog.getByText('ABCD 2345 EFGH 6723')).toBeVisible();
    const device = dialog.getByRole('region', { name: 'The new device' });
    expect(getComputedStyle(device.element()).borderTopStyle).toBe('dashed');
    await expect.element(button('Link device')).not.toBeInTheDocument();
    await agree('Give full access');
    expect(await decided).toBe('confirm');
    end();
    await gone();
  });

  it('shows the account that this device joins, the same code and the time left [S69]', async () => {
    const { show, end } = flow();
    const deleteAt = Date.now() + 19_500;
    void show({
      ...common,
      kind: 'registration',
      deviceNumber: 2,
      joining: { checkCode: 'ABCD2345EFGH6723', deleteAt },
    });
    await expect.element(dialog).toHaveAccessibleName('Link this device');
    await expect.element(dialog.getByText('ABCD 2345 EFGH 6723')).toBeVisible();
    await expect.element(dialog.getByText('alice.testnet', { exact: true }).first()).toBeVisible();
    const bar = () => document.querySelector('latchkey-confirm')?.shadowRoot?.querySelector('.bar > span');
    const full = bar()?.getBoundingClientRect().width ?? 0;
    expect(full).toBeGreaterThan(0);
    await expect.poll(() => bar()?.getBoundingClientRect().width).toBeLessThan(full);
    await expect.element(dialog).toHaveTextContent('Go on only if alice.testnet is your account');
    await expect.element(dialog.getByRole('timer')).toHaveTextContent(/^0:(20|1\d)$/);
    await expect.element(button('Create passkey')).toBeVisible();
    end();
    await gone();
  });

  it('says what the record of a passkey costs, and why some browsers ask for the passkey twice', async () => {
    const { show, end } = flow();
    const recording = { depositYocto: String(25n * 10n ** 21n), keptYocto: String(7n * 10n ** 21n) };
    void show({ ...common, kind: 'registration', deviceNumber: 1, recording });
    await expect.element(dialog).toHaveAccessibleName('Register this device');
    await expect.element(dialog).toHaveTextContent(/You attach ?0\.025 NEAR/);
    await expect
      .element(dialog)
      .toHaveTextContent(/Kept for the record ?0\.007 NEAR\. The rest comes back\./);
    await expect.element(dialog).not.toHaveTextContent('twice');
    await expect.element(button('Register device')).toBeVisible();
    void show({
      ...common,
      kind: 'registration',
      deviceNumber: 1,
      recording: { ...recording, asksTwice: true },
    });
    await expect.element(dialog).toHaveTextContent('Your passkey is asked for twice.');
    end();
    await gone();
  });

  it('names the account that a page brings, and warns of the keys that it has now', async () => {
    const { show, end } = flow();
    void show({ ...common, kind: 'registration', deviceNumber: 1, joining: {} });
    await expect.element(dialog).toHaveAccessibleName('Bring your account');
    await expect
      .element(dialog)
      .toHaveTextContent(/Go on only if alice\.testnet is your account and you hold all of its keys\./);
    await expect.element(button('Create passkey')).toBeVisible();
    end();
    await gone();
  });
});
